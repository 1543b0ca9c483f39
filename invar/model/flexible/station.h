// Where a node of a beam or string is: a place with axes in a body, which may be the node's own, or in the ground.
#pragma once

#include "invar/model/mechanism/loads.h"

namespace invar {

struct Station {
  int body = ground;
  Vector3 at = Vector3::Zero();        // in body axes
  Matrix3 axes = Matrix3::Identity();  // columns d1, d2, d3, in body axes

  Attachment attachment() const { return {body, at}; }
  // As formulas, and at the start.
  Frame frame(const Loads& loads) const;
  Vector3 start_place(const Loads& loads) const;
  Matrix3 start_axes(const Loads& loads) const;
};

std::vector<Attachment> attachments(const std::vector<Station>& stations);

}  // namespace invar

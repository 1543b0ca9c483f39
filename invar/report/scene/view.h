// From places in space to the plane of a still picture.
#pragma once

#include <Eigen/Core>
#include <vector>

#include "invar/report/plot/svg_shapes.h"
#include "invar/report/scene/scene.h"

namespace invar {

// Scenes in the plane as they are; those in space obliquely from a little above, without perspective. Up is up.
class View {
 public:
  explicit View(const Scene& scene);
  PlanePoint operator()(const Vector3& place) const;

 private:
  bool planar_;
  Vector3 right_, up_;
};

// The corners of the smallest convex outline around some points, counter-clockwise.
std::vector<PlanePoint> convex_outline(std::vector<PlanePoint> points);

}  // namespace invar

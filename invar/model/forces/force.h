// A force on a point of a body and a torque, given by formulas.
#pragma once

#include "invar/model/mechanism/force_element.h"
#include "invar/model/mechanism/mechanism.h"

namespace invar {

class Force : public ForceElement {
 public:
  std::string_view kind() const override { return "force"; }
  void act(Loads& loads) const override;
  std::vector<Attachment> ends() const override { return {}; }
  Picture picture() const override { return Picture::none; }

  Attachment on;
  std::vector<Expr> force, torque;  // three formulas each, or none
  bool in_body_axes = false;
};

}  // namespace invar

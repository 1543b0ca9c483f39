// A spring and damper along the line between two points: ½ k (l - l₀)² and ½ c l'².
#pragma once

#include "invar/model/mechanism/force_element.h"
#include "invar/model/mechanism/mechanism.h"

namespace invar {

class Spring : public ForceElement {
 public:
  std::string_view kind() const override { return "spring"; }
  void act(Loads& loads) const override;
  std::vector<Attachment> ends() const override { return {from, to}; }
  Picture picture() const override { return Picture::spring; }

  Attachment from, to;
  double stiffness = 0.0, rest = 0.0, damping = 0.0;
};

}  // namespace invar

// Three angles in a row cannot describe every orientation: where the second one comes to a right angle, the first and the third turn
// about the same axis, and a step across that place is wrong without a sign of it. The watch notices.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "invar/system/system.h"

namespace invar {

class AngleWatch {
 public:
  // Watches what minimal coordinates call NAME.angle1, NAME.angle2, NAME.angle3.
  explicit AngleWatch(const System& system);

  // The name of a joint or body whose angles are at such a place, or were between the last node and this one.
  std::optional<std::string> crossed(std::span<const double> q);

 private:
  struct Watched {
    std::string name;
    std::size_t coordinate;
    double last = 0.0;  // cosine at the node before, zero at first
  };
  std::vector<Watched> watched_;
};

}  // namespace invar

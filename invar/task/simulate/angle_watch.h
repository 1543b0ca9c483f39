// Three angles in a row cannot describe every orientation: where the second one comes to a right angle, the first and
// the third turn about the same axis, and a step across that place, or close by, is wrong without a sign of it. The
// watch notices.
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

  // The name of a joint or body whose angles are at such a place, or were between the last node and this one; also if
  // they pass it so fast that one step cannot follow, unless steps were chosen by their `error` in between.
  std::optional<std::string> crossed(std::span<const double> q, bool by_error = false);

  // To go on, see state_bytes.h.
  template <class Archive>
  void store(Archive& archive) {
    for (Watched& w : watched_) archive(w.cosine, w.angle);
  }

 private:
  struct Watched {
    std::string name;
    std::size_t first, second;  // coordinates
    double cosine = 0.0;        // of the second at the node before, zero at first
    double angle = 0.0;         // the first at the node before
  };
  std::vector<Watched> watched_;
};

}  // namespace invar

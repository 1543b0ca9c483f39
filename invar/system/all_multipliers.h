// Multipliers of a system whose redundant constraints were left out; see without() in start.h.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "invar/system/system.h"

namespace invar {

// λ of all constraints from λ of those that were kept; zero for those that were left out.
class AllMultipliers {
 public:
  AllMultipliers(const System& full, const System& kept) : all_(full.constraints.size(), 0.0) {
    for (std::size_t i = 0, k = 0; i < full.constraints.size(); ++i)
      if (k < kept.constraints.size() && kept.constraints[k].name == full.constraints[i].name) {
        place_.push_back(i);
        ++k;
      }
  }
  std::span<const double> all(std::span<const double> kept) {
    for (std::size_t k = 0; k < kept.size(); ++k) all_[place_[k]] = kept[k];
    return all_;
  }

 private:
  std::vector<double> all_;
  std::vector<std::size_t> place_;
};

}  // namespace invar

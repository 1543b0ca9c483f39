// See units.h.
#include "invar/dae/units.h"

#include <cmath>

namespace invar {

double NaturalUnits::unknown(std::size_t j, int order) const {
  return (j < unknowns_.size() ? unknowns_[j] : 1.0) * std::pow(time_, -order);
}

double NaturalUnits::equation(std::size_t i, int order) const {
  return (i < equations_.size() ? equations_[i] : 1.0) * std::pow(time_, order);
}

}  // namespace invar

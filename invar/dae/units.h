// Units in which the numbers of a Dae are near one; see natural_units.h for how they are found.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace invar {

class NaturalUnits {
 public:
  NaturalUnits() = default;
  NaturalUnits(std::vector<double> equations, std::vector<double> unknowns, double time)
      : equations_(std::move(equations)), unknowns_(std::move(unknowns)), time_(time) {}

  // Of x_j^(order), by which values are divided.
  double unknown(std::size_t j, int order = 0) const;
  // By which f_i^(order) is multiplied.
  double equation(std::size_t i, int order = 0) const;
  double time() const { return time_; }

 private:
  std::vector<double> equations_, unknowns_;  // all one if they are not known
  double time_ = 1.0;
};

}  // namespace invar

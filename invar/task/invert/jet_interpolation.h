// Values of the unknowns between two jets: the Taylor expansion of the earlier one or, where it is too short or comes
// from a derivative array, the polynomial through six neighbours on the same side of every knot.
#pragma once

#include <span>
#include <vector>

#include "invar/dae/jet.h"

namespace invar {

class JetInterpolation {
 public:
  // `expand`: the jets hold enough derivatives for Taylor expansion.
  JetInterpolation(const Dae& dae, const std::vector<Jet>& jets, bool expand);
  // Of unknown j at t, between jets k and k+1, and of several from `first` on.
  double value(std::size_t k, std::size_t j, double t) const;
  void values(std::size_t k, std::size_t first, double t, std::span<double> values) const;
  // The first jet after k at which a reference is not smooth, or the last one.
  std::size_t next_knot(std::size_t k) const;

 private:
  const std::vector<Jet>& jets_;
  bool expand_;
  std::vector<std::size_t> knots_;  // jets at which a reference is not smooth, and both ends
};

}  // namespace invar

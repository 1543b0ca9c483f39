// See jet_interpolation.h.
#include "invar/task/invert/jet_interpolation.h"

#include <algorithm>

#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar {

namespace {

constexpr std::size_t long_enough = 5;  // terms of an expansion
constexpr std::size_t neighbours = 6;

// The polynomial through the values of unknown j at `count` jets.
double interpolated(const std::vector<Jet>& jets, std::size_t first, std::size_t count, std::size_t j, double t) {
  double sum = 0.0;
  for (std::size_t a = first; a < first + count; ++a) {
    double term = jets[a].x[j][0];
    for (std::size_t b = first; b < first + count; ++b)
      if (b != a) term *= (t - jets[b].t) / (jets[a].t - jets[b].t);
    sum += term;
  }
  return sum;
}

}  // namespace

JetInterpolation::JetInterpolation(const Dae& dae, const std::vector<Jet>& jets, bool expand)
    : jets_(jets), expand_(expand) {
  const std::vector<double> times = knots_of(dae, jets.back().t);
  for (std::size_t i = 0; i < jets.size(); ++i)
    if (i == 0 || i + 1 == jets.size() || std::binary_search(times.begin(), times.end(), jets[i].t))
      knots_.push_back(i);
}

std::size_t JetInterpolation::next_knot(std::size_t k) const {
  const auto after = std::upper_bound(knots_.begin(), knots_.end(), k);
  return after == knots_.end() ? knots_.back() : *after;
}

double JetInterpolation::value(std::size_t k, std::size_t j, double t) const {
  const std::vector<double>& x = jets_[k].x[j];
  if (expand_ && x.size() >= long_enough) {
    double sum = 0.0;
    for (std::size_t n = x.size(); n-- > 0;) sum = x[n] + sum * (t - jets_[k].t) / static_cast<double>(n + 1);
    return sum;
  }
  const auto after = std::upper_bound(knots_.begin(), knots_.end() - 1, k);
  const std::size_t low = *(after - 1), high = *after;
  const std::size_t count = std::min(neighbours, high - low + 1);
  const std::size_t wanted = k >= neighbours / 2 - 1 ? k - (neighbours / 2 - 1) : 0;
  return interpolated(jets_, std::clamp(wanted, low, high + 1 - count), count, j, t);
}

}  // namespace invar

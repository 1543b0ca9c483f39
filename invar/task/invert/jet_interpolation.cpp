// See jet_interpolation.h.
#include "invar/task/invert/jet_interpolation.h"

#include <algorithm>
#include <array>
#include <optional>

#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar {

namespace {

constexpr std::size_t long_enough = 5;  // terms of an expansion
constexpr std::size_t neighbours = 6;

// Σ_i values · weights of the polynomial through `count` jets.
struct Weights {
  std::size_t first = 0, count = 0;
  std::array<double, neighbours> at = {};
};

Weights weights(const std::vector<Jet>& jets, std::size_t first, std::size_t count, double t) {
  Weights w{first, count};
  for (std::size_t a = 0; a < count; ++a) {
    double above = 1.0, below = 1.0;
    for (std::size_t b = 0; b < count; ++b)
      if (b != a) {
        above *= t - jets[first + b].t;
        below *= jets[first + a].t - jets[first + b].t;
      }
    w.at[a] = above / below;
  }
  return w;
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

void JetInterpolation::values(std::size_t k, std::size_t first, double t, std::span<double> values) const {
  const auto after = std::upper_bound(knots_.begin(), knots_.end() - 1, k);
  const std::size_t low = *(after - 1), high = *after;
  const std::size_t count = std::min(neighbours, high - low + 1);
  const std::size_t wanted = k >= neighbours / 2 - 1 ? k - (neighbours / 2 - 1) : 0;
  std::optional<Weights> near;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Derivatives& x = jets_[k].x[first + i];
    values[i] = 0.0;
    if (expand_ && x.size() >= long_enough) {
      for (std::size_t n = x.size(); n-- > 0;)
        values[i] = x[n] + values[i] * (t - jets_[k].t) / static_cast<double>(n + 1);
      continue;
    }
    if (!near) near = weights(jets_, std::clamp(wanted, low, high + 1 - count), count, t);
    for (std::size_t a = 0; a < near->count; ++a) values[i] += near->at[a] * jets_[near->first + a].x[first + i][0];
  }
}

double JetInterpolation::value(std::size_t k, std::size_t j, double t) const {
  double value = 0.0;
  values(k, j, t, {&value, 1});
  return value;
}

}  // namespace invar

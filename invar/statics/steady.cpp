// See steady.h.
#include "invar/statics/steady.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace invar {

namespace {

// Off by random parts of its largest entry, or of one if there is none.
std::vector<double> scattered(std::vector<double> x, double part, std::size_t size, std::mt19937_64& random) {
  double largest = 0.0;
  for (const double value : x) largest = std::max(largest, std::abs(value));
  if (largest == 0.0) largest = 1.0;
  std::normal_distribution<double> normal;
  x.resize(size, 0.0);
  for (double& value : x) value += part * largest * normal(random);
  return x;
}

}  // namespace

SteadyCoordinates steady_coordinates(Statics& statics, const State& near) {
  constexpr int samples = 3;
  constexpr double excursion = 1e-2;  // of places: near enough for formulas that have no value everywhere
  const auto n = static_cast<std::size_t>(statics.coordinates()), m = static_cast<std::size_t>(statics.constraints());
  std::mt19937_64 random(11);
  std::vector<bool> matters(n, false);
  std::vector<State> states;
  Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic> resists =
      Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic>::Constant(statics.coordinates(), statics.coordinates(),
                                                                    false);
  for (int k = 0; k < samples; ++k) {
    const State s = {.t = 0.0,
                     .q = scattered(near.q, excursion, n, random),
                     .v = scattered(near.v, 1.0, n, random),
                     .a = scattered(near.a, 1.0, n, random),
                     .lambda = scattered(near.lambda, 1.0, m, random)};
    const std::vector<bool> here = statics.matters(s);
    for (std::size_t i = 0; i < n; ++i) matters[i] = matters[i] || here[i];
    states.push_back(s);
  }
  // While all else rests.
  for (State& s : states) {
    s.a.assign(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      if (matters[i]) s.v[i] = 0.0;
    resists = resists || statics.resists(s);
  }
  SteadyCoordinates steady;
  for (std::size_t i = 0; i < n; ++i)
    if (!matters[i]) steady.all.push_back(i);
  for (const std::size_t z : steady.all)
    if (std::ranges::any_of(steady.all, [&](std::size_t row) {
          return resists(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(z));
        }))
      steady.unknown.push_back(z);
  return steady;
}

}  // namespace invar

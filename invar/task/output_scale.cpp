// See output_scale.h.
#include "invar/task/output_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace invar {

namespace {

struct Range {
  double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
  void add(double x) {
    least = std::min(least, x);
    most = std::max(most, x);
  }
  double excursion() const { return most > least ? most - least : 0.0; }
};

double excursion(const ServoTarget& target, std::span<const Jet> jets) {
  if (target.follow.empty()) return 0.0;
  Range range;
  for (const Jet& jet : jets) {
    double wanted = 0.0;
    target.follow[0].function->series(jet.t, Side::right, {&wanted, 1});
    range.add(wanted);
  }
  return range.excursion();
}

}  // namespace

std::vector<double> output_scales(const Problem& problem, const InverseStructure& s, std::span<const Jet> jets) {
  constexpr double of_the_mechanism = 0.1, rounding = 1e-6;
  constexpr std::size_t enough = 50;  // instants at which gradients are looked at
  const std::vector<Partial>& partials = s.evaluator->partial_list();
  std::vector<double> slope(partials.size(), 0.0), size(partials.size(), 0.0);
  std::vector<Range> range(partials.size());
  Matrix p;
  for (std::size_t n = 0; n < jets.size(); n += std::max<std::size_t>(1, jets.size() / enough)) {
    s.evaluator->partials(jets[n], 0, p);
    for (std::size_t k = 0; k < partials.size(); ++k) {
      const std::vector<double>& x = jets[n].x[static_cast<std::size_t>(partials[k].unknown)];
      if (static_cast<std::size_t>(partials[k].order) >= x.size()) continue;
      const double value = x[static_cast<std::size_t>(partials[k].order)];
      slope[k] = std::max(slope[k], std::abs(p(static_cast<Eigen::Index>(k), 0)));
      size[k] = std::max(size[k], std::abs(p(static_cast<Eigen::Index>(k), 0) * value));
      range[k].add(value);
    }
  }
  std::vector<double> scales;
  for (std::size_t i = 0; i < s.dae.equations.size(); ++i) {
    if (s.dae.equations[i].kind != EquationKind::servo) continue;
    double moved = 0.0, terms = 0.0;
    for (std::size_t k = 0; k < partials.size(); ++k)
      if (static_cast<std::size_t>(partials[k].equation) == i) {
        moved += slope[k] * range[k].excursion();
        terms += size[k];
      }
    const double scale =
        std::max({excursion(problem.targets[scales.size()], jets), of_the_mechanism * moved, rounding * terms});
    scales.push_back(scale > 0.0 && std::isfinite(scale) ? scale : 1.0);
  }
  return scales;
}

}  // namespace invar

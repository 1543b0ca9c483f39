// See output_scale.h.
#include "invar/task/invert/output_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace invar {

namespace {

constexpr double rounding = 1e-6;

struct Range {
  double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
  void add(double x) {
    least = std::min(least, x);
    most = std::max(most, x);
  }
  double excursion() const { return most > least ? most - least : 0.0; }
};

// Of very many jets some tell how far everything goes.
template <class Visit>
void for_enough(std::span<const Jet> jets, std::size_t enough, Visit visit) {
  for (std::size_t n = 0; n < jets.size(); n += std::max<std::size_t>(1, jets.size() / enough)) visit(jets[n]);
}
constexpr std::size_t many = 2000;

double excursion(const ServoTarget& target, std::span<const Jet> jets) {
  if (target.follow.empty()) return 0.0;
  Range range;
  for_enough(jets, many, [&](const Jet& jet) {
    double wanted = 0.0;
    target.follow[0].function->series(jet.t, Side::right, {&wanted, 1});
    range.add(wanted);
  });
  return range.excursion();
}

// How far the coordinates (or for order 1 their velocities) go and how large they are, compared by their masses.
struct Reach {
  std::vector<double> moved, size;
};

Reach reach(const Dae& dae, const std::vector<double>& mass, std::span<const Jet> jets, std::size_t order) {
  constexpr double of_the_others = 0.01;
  const std::size_t n = dae.unknowns.size();
  Reach r{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0)};
  double furthest = 0.0, largest = 0.0;
  for (std::size_t j = 0; j < n; ++j) {
    if (dae.unknowns[j].kind != UnknownKind::coordinate) continue;
    Range range;
    for_enough(jets, many, [&](const Jet& jet) {
      if (jet.x[j].size() <= order) return;
      range.add(jet.x[j][order]);
      r.size[j] = std::max(r.size[j], std::abs(jet.x[j][order]));
    });
    r.moved[j] = range.excursion();
    furthest = std::max(furthest, std::sqrt(mass[j]) * r.moved[j]);
    largest = std::max(largest, std::sqrt(mass[j]) * r.size[j]);
  }
  for (std::size_t j = 0; j < n; ++j) {
    if (!(mass[j] > 0.0)) continue;
    r.moved[j] = std::max(r.moved[j], of_the_others * furthest / std::sqrt(mass[j]));
    r.size[j] = std::max(r.size[j], largest / std::sqrt(mass[j]));
  }
  return r;
}

// The largest value of each partial derivative of the equations on the way.
std::vector<double> largest_partials(JetEvaluator& evaluator, std::span<const Jet> jets) {
  constexpr std::size_t enough = 50;  // instants
  std::vector<double> most(evaluator.partial_list().size(), 0.0);
  Matrix p;
  for_enough(jets, enough, [&](const Jet& jet) {
    evaluator.partials(jet, 0, p);
    for (std::size_t k = 0; k < most.size(); ++k)
      most[k] = std::max(most[k], std::abs(p(static_cast<Eigen::Index>(k), 0)));
  });
  return most;
}

// ∂²T/∂q_j'², the partial of the j-th equation of motion with respect to its own acceleration.
std::vector<double> masses(const InverseStructure& s, const std::vector<double>& partials) {
  std::vector<double> mass(s.dae.unknowns.size(), 0.0);
  for (std::size_t k = 0; k < partials.size(); ++k) {
    const Partial& p = s.evaluator->partial_list()[k];
    const auto i = static_cast<std::size_t>(p.equation);
    if (p.order == 2 && p.unknown == p.equation && s.dae.equations[i].kind == EquationKind::dynamics)
      mass[i] = partials[k];
  }
  return mass;
}

}  // namespace

std::vector<double> output_scales(const Problem& problem, const InverseStructure& s, std::span<const Jet> jets) {
  constexpr double of_the_mechanism = 0.1;
  const std::vector<double> partials = largest_partials(*s.evaluator, jets), mass = masses(s, partials);
  const Reach reaches[] = {reach(s.dae, mass, jets, 0), reach(s.dae, mass, jets, 1)};
  std::vector<double> scales;
  for (std::size_t i = 0; i < s.dae.equations.size(); ++i) {
    if (s.dae.equations[i].kind != EquationKind::servo) continue;
    double moved = 0.0, size = 0.0;
    for (std::size_t k = 0; k < partials.size(); ++k) {
      const Partial& p = s.evaluator->partial_list()[k];
      if (static_cast<std::size_t>(p.equation) != i || p.order > 1) continue;
      moved += partials[k] * reaches[p.order].moved[static_cast<std::size_t>(p.unknown)];
      size += partials[k] * reaches[p.order].size[static_cast<std::size_t>(p.unknown)];
    }
    const double scale =
        std::max({excursion(problem.targets[scales.size()], jets), of_the_mechanism * moved, rounding * size});
    scales.push_back(scale > 0.0 && std::isfinite(scale) ? scale : 1.0);
  }
  return scales;
}

std::vector<double> coordinate_scales(const InverseStructure& s, std::span<const Jet> jets) {
  const Reach r = reach(s.dae, masses(s, largest_partials(*s.evaluator, jets)), jets, 0);
  std::vector<double> scales;
  for (std::size_t j = 0; j < s.dae.unknowns.size() && s.dae.unknowns[j].kind == UnknownKind::coordinate; ++j)
    scales.push_back(std::max(r.moved[j], rounding * r.size[j]));
  return scales;
}

}  // namespace invar

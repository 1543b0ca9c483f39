// See round_trip.h. The inputs between two jets come from the Taylor expansion of the earlier one or, where it is too short
// or comes from a derivative array, from the polynomial through six neighbours.
#include "invar/task/round_trip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/expr/error.h"
#include "invar/expr/interrupt.h"
#include "invar/scheme/stepper.h"
#include "invar/system/equations.h"
#include "invar/system/start.h"
#include "invar/task/impossible.h"

namespace invar {

namespace {

constexpr std::size_t long_enough = 5;  // terms of an expansion
constexpr std::size_t neighbours = 6;

// Value at t of the polynomial through the values of unknown j at jets first … first+5.
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

double input_at(const std::vector<Jet>& jets, std::size_t k, std::size_t j, double t, const std::vector<double>& knots,
                bool expand) {
  const std::vector<double>& x = jets[k].x[j];
  if (expand && x.size() >= long_enough) {
    double sum = 0.0;
    for (std::size_t n = x.size(); n-- > 0;) sum = x[n] + sum * (t - jets[k].t) / static_cast<double>(n + 1);
    return sum;
  }
  // Neighbours on the same side of every knot.
  std::size_t low = 0, high = jets.size() - 1;
  for (double knot : knots)
    for (std::size_t i = 0; i < jets.size(); ++i)
      if (jets[i].t == knot) {
        if (i <= k) low = std::max(low, i);
        if (i > k) high = std::min(high, i);
      }
  const std::size_t count = std::min(neighbours, high - low + 1);
  const std::size_t wanted = k >= neighbours / 2 - 1 ? k - (neighbours / 2 - 1) : 0;
  return interpolated(jets, std::clamp(wanted, low, high + 1 - count), count, j, t);
}

// A start for the simulation: the state of a jet. Where mass matrix and constraints alone do not determine accelerations and
// multipliers (coordinates without mass), those of the jet lead the first step to the right branch.
Start start_at(const Problem& problem, const Jet& jet, std::span<const double> u) {
  const System& system = problem.system;
  const std::size_t n = system.coordinates.size(), m = system.constraints.size();
  State given{jet.t, {}, {}, {}, {}};
  for (std::size_t j = 0; j < n; ++j) {
    given.q.push_back(jet.x[j][0]);
    given.v.push_back(jet.x[j].size() > 1 ? jet.x[j][1] : 0.0);
  }
  Start start = consistent_start(system, given, u, problem.signals);
  if (!start.redundant.empty() || std::any_of(jet.x.begin(), jet.x.begin() + static_cast<std::ptrdiff_t>(n),
                                              [](const auto& x) { return x.size() < 3; }))
    return start;
  for (std::size_t j = 0; j < n; ++j) start.state.a[j] = jet.x[j][2];
  for (std::size_t j = 0; j < m; ++j) start.state.lambda[j] = jet.x[n + j][0];
  return start;
}

std::vector<std::string> massless(const System& system) {
  const SparseExprs mass = equations(system).mass;
  std::vector<std::string> names;
  for (int i = 0; i < mass.pattern.rows; ++i) {
    bool moves_mass = false;
    for (int j = 0; j < mass.pattern.cols; ++j) moves_mass = moves_mass || !mass.at(i, j).is_constant(0.0);
    if (!moves_mass) names.push_back(system.coordinates[static_cast<std::size_t>(i)].name());
  }
  return names;
}

RoundTrip simulate_from(std::size_t first, const Problem& problem, const InverseStructure& structure,
                        const std::vector<Jet>& jets, bool expand) {
  const System& system = problem.system;
  const std::size_t n = system.coordinates.size(), m = system.constraints.size();
  RoundTrip result;
  result.from = jets[first].t;
  const std::vector<double> knots = knots_of(structure.dae, jets.back().t);
  std::size_t current = first;
  const Stepper::Inputs inputs = [&](double t, std::span<double> u) {
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = input_at(jets, current, n + m + i, t, knots, expand);
  };
  std::vector<double> u0(system.inputs.size());
  inputs(jets[first].t, u0);
  Start start = start_at(problem, jets[first], u0);
  const System kept = without(system, start.redundant);
  Stepper stepper(kept, *find_scheme("radau5"), {}, problem.signals);
  if (!start.redundant.empty()) start.state = consistent_start(kept, start.state, u0, problem.signals).state;
  stepper.start(start.state, jets[first + 1].t - jets[first].t);
  Matrix f;
  for (; current + 1 < jets.size(); ++current) {
    poll_interrupt();
    const Jet& next = jets[current + 1];
    const NewtonResult r = stepper.advance(next.t - jets[current].t, inputs);
    if (r.status != NewtonStatus::converged) {
      // Far off anything may happen: that it went there is what counts.
      result.done = result.largest_error > departed;
      const std::vector<std::string> names = massless(system);
      result.message = fmt::format(
          "the simulation with these inputs stopped at t = {:.6g} in {}{}", jets[current].t,
          stepper.equation(std::max(0, r.worst_equation)),
          names.empty() ? std::string()
                        : fmt::format(": without mass, {} may be left open by the equations of motion", listed(names)));
      return result;
    }
    Jet reached = next;
    for (std::size_t j = 0; j < n; ++j) {
      reached.x[j][0] = stepper.q()[j];
      if (reached.x[j].size() > 1) reached.x[j][1] = stepper.v()[j];
    }
    structure.evaluator->residuals(reached, 0, f);
    for (std::size_t i = 0; i < structure.dae.equations.size(); ++i)
      if (structure.dae.equations[i].kind == EquationKind::servo)
        result.largest_error = std::max(result.largest_error, std::abs(f(static_cast<Eigen::Index>(i), 0)));
  }
  result.done = true;
  return result;
}

}  // namespace

RoundTrip round_trip(const Problem& problem, const InverseStructure& structure, const std::vector<Jet>& jets,
                     bool expand) {
  constexpr double away = 0.03;  // of the motion, from a singular start
  RoundTrip result;
  try {
    if (!structure.singular_start) return simulate_from(0, problem, structure, jets, expand);
    std::size_t first = 1;
    while (first + 2 < jets.size() && jets[first].t < away * jets.back().t) ++first;
    if (first + 1 < jets.size()) return simulate_from(first, problem, structure, jets, expand);
    result.message = "no round trip: the motion is too short to begin away from its singular start";
  } catch (const InputError& e) {
    result.message = std::string("no round trip: ") + e.what();
  }
  return result;
}

}  // namespace invar

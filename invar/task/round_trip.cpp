// See round_trip.h. The inputs between two jets come from the Taylor expansion of the earlier one or, where it is too short
// or comes from a derivative array, from the polynomial through six neighbours.
#include "invar/task/round_trip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/expr/error.h"
#include "invar/scheme/stepper.h"
#include "invar/system/start.h"

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

}  // namespace

RoundTrip round_trip(const Problem& problem, const InverseStructure& structure, const std::vector<Jet>& jets,
                     bool expand) {
  const System& system = problem.system;
  const std::size_t n = system.coordinates.size(), m = system.constraints.size();
  RoundTrip result;
  const std::vector<double> knots = knots_of(structure.dae, jets.back().t);
  std::size_t current = 0;
  const Stepper::Inputs inputs = [&](double t, std::span<double> u) {
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = input_at(jets, current, n + m + i, t, knots, expand);
  };
  try {
    std::vector<double> u0(system.inputs.size());
    inputs(jets.front().t, u0);
    State given{jets.front().t, {}, {}, {}, {}};
    for (std::size_t j = 0; j < n; ++j) {
      given.q.push_back(jets.front().x[j][0]);
      given.v.push_back(jets.front().x[j].size() > 1 ? jets.front().x[j][1] : 0.0);
    }
    const Start start = consistent_start(system, given, u0);
    const System kept = without(system, start.redundant);
    Stepper stepper(kept, *find_scheme("radau5"));
    State first = start.state;
    if (!start.redundant.empty()) first = consistent_start(kept, first, u0).state;
    stepper.start(first, jets[1].t - jets[0].t);
    Matrix f;
    for (std::size_t k = 0; k + 1 < jets.size(); ++k) {
      current = k;
      const NewtonResult r = stepper.advance(jets[k + 1].t - jets[k].t, inputs);
      if (r.status != NewtonStatus::converged) {
        result.message = fmt::format("the round trip stopped at t = {:.6g}: {}", jets[k].t,
                                     stepper.equation(std::max(0, r.worst_equation)));
        return result;
      }
      Jet reached = jets[k + 1];
      for (std::size_t j = 0; j < n; ++j) {
        reached.x[j][0] = stepper.q()[j];
        if (reached.x[j].size() > 1) reached.x[j][1] = stepper.v()[j];
      }
      structure.evaluator->residuals(reached, 0, f);
      for (std::size_t i = 0; i < structure.dae.equations.size(); ++i)
        if (structure.dae.equations[i].kind == EquationKind::servo)
          result.largest_error = std::max(result.largest_error, std::abs(f(static_cast<Eigen::Index>(i), 0)));
    }
  } catch (const InputError& e) {
    result.message = std::string("no round trip: ") + e.what();
    return result;
  }
  result.done = true;
  return result;
}

}  // namespace invar

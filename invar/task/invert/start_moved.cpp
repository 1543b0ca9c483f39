// See start_moved.h.
#include "invar/task/invert/start_moved.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/task/invert/output_scale.h"
#include "invar/task/run/problem_start.h"

namespace invar {

namespace {

// Errors of the outputs in a configuration, in the order of the targets.
std::vector<double> errors(const InverseStructure& s, const State& state) {
  Jet jet = s.start;
  for (std::size_t i = 0; i < state.q.size(); ++i) {
    jet.x[i][0] = state.q[i];
    if (jet.x[i].size() > 1) jet.x[i][1] = state.v[i];
  }
  Matrix f;
  s.evaluator->residuals(jet, 0, f);
  std::vector<double> list;
  for (std::size_t i = 0; i < s.dae.equations.size(); ++i)
    if (s.dae.equations[i].kind == EquationKind::servo) list.push_back(f(static_cast<Eigen::Index>(i), 0));
  return list;
}

// The coordinate that was moved furthest, compared with how far it might go.
std::string change(const Problem& problem, const InverseStructure& s, const State& given) {
  std::size_t most = 0;
  double largest = -1.0;
  for (std::size_t i = 0; i < given.q.size(); ++i) {
    const double moved = std::abs(s.start.x[i][0] - given.q[i]);
    const double relative = moved / std::max({std::abs(given.q[i]), std::abs(s.start.x[i][0]), 1e-300});
    if (moved == 0.0 || relative <= largest) continue;
    largest = relative;
    most = i;
  }
  if (largest < 0.0) return {};
  return fmt::format(", with {} = {:.6g} instead of {:.6g}", problem.system.coordinates[most].name(),
                     s.start.x[most][0], given.q[most]);
}

}  // namespace

std::vector<std::string> moved_starts(const Prepared& prepared, const InverseStructure& s) {
  const Problem& problem = prepared.problem();
  constexpr double noticeable = 1e-3;  // of the motion of the output: more than the rounding of start values
  constexpr int instants = 20;
  std::vector<Jet> jets(instants + 1, s.start);
  for (int i = 0; i <= instants; ++i)
    jets[static_cast<std::size_t>(i)].t = problem.settings.of<InvertSettings>().until * i / instants;
  const std::vector<double> scales = output_scales(problem, s, jets);
  State given{0.0, problem.q0, problem.v0, {}, {}};
  const auto off = [&](const std::vector<double>& error, std::size_t i) {
    return std::abs(error[i]) > noticeable * scales[i];
  };
  std::vector<double> error = errors(s, given);
  bool any = false;
  for (std::size_t i = 0; i < error.size(); ++i) any = any || off(error, i);
  if (!any) return {};
  // Start values need not meet the constraints exactly.
  try {
    given = prepared.part<OpenStart>().point().report.state;
  } catch (const InputError&) {
    return {};
  }
  error = errors(s, given);
  std::vector<std::string> list;
  for (std::size_t i = 0; i < error.size(); ++i) {
    if (!off(error, i)) continue;
    double wanted = 0.0;
    for (const Reference& r : problem.targets[i].follow) r.function->series(s.start.t, Side::right, {&wanted, 1});
    list.push_back(
        fmt::format("output \"{}\" is {:.6g} by [initial], but its trajectory begins at {:.6g}: the motion "
                    "begins on the trajectory{}",
                    problem.targets[i].output, wanted + error[i], wanted, change(problem, s, given)));
  }
  return list;
}

}  // namespace invar

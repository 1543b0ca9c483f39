// See first_guess.h.
#include "invar/task/optimize/first_guess.h"

#include <algorithm>

#include "invar/base/error.h"
#include "invar/model/trajectory/profile.h"
#include "invar/system/state_function.h"
#include "invar/task/invert/invert.h"

namespace invar {

namespace {

MeshMotion held(const OptimalTask& task, const Transcription& form, std::size_t intervals) {
  std::vector<double> w(form.interval_size(), 0.0);
  std::copy_n(task.start.lambda.begin(), form.multiplier_count(), w.begin());
  MeshMotion motion{task.settings.horizon, {}, {}};
  motion.w.assign(intervals, w);
  motion.x.assign(intervals + 1, task.first_node());
  return motion;
}

void straighten(const OptimalTask& task, MeshMotion& motion) {
  const std::size_t n = task.start.q.size(), intervals = motion.intervals();
  const auto line = line_to(task.system, task.goal, task.start.q, intervals, motion.horizon, task.problem.signals);
  const double h = motion.horizon / static_cast<double>(intervals);
  for (std::size_t k = 1; k <= intervals; ++k)
    for (std::size_t i = 0; i < n; ++i) {
      motion.x[k][i] = line[k][i];
      motion.x[k][n + i] = (line[k][i] - line[k - 1][i]) / h;
    }
}

// What could be prescribed: the coordinates that the goal names, if they are independent and there is an input for
// each, or the outputs.
std::vector<Quantity> prescribable(const OptimalTask& task) {
  const System& system = task.system;
  std::vector<Quantity> named;
  const Exprs q = positions(system);
  for (const Limit& limit : task.settings.final)
    for (std::size_t i = 0; i < q.size(); ++i)
      if (limit.formula == q[i]) named.push_back({limit.name, q[i]});
  const auto freedom = std::count(task.goal.independent.begin(), task.goal.independent.end(), true);
  if (named.size() == system.inputs.size() && std::ssize(named) == freedom) return named;
  if (system.outputs.size() == system.inputs.size()) return system.outputs;
  return {};
}

// The problem to follow a polynomial of this degree from the start to the goal in each of the quantities.
Problem prescribed(const OptimalTask& task, const std::vector<Quantity>& quantities, int degree,
                   std::size_t intervals) {
  Problem p = task.problem;
  p.system = task.system;
  p.q0 = task.start.q;
  p.v0 = task.start.v;
  Exprs formulas;
  for (const Quantity& y : quantities) formulas.push_back(y.expr);
  StateFunction values(task.system, formulas, task.problem.signals);
  State end = task.start;
  end.t = task.settings.horizon;
  end.q = task.goal.q;
  const std::vector<double> from = values(task.start), to = values(end);
  p.targets.clear();
  for (std::size_t i = 0; i < quantities.size(); ++i) {
    const std::string name = "path of " + quantities[i].name;
    const TimeFunctionPtr path = polynomial_move(degree, {from[i], to[i], 0.0, task.settings.horizon});
    p.targets.push_back({quantities[i].name, quantities[i].expr, {{name, task.system.graph.reference(name), path}}});
  }
  InvertSettings& settings = p.settings.of<InvertSettings>();
  settings.until = task.settings.horizon;
  settings.step = 0.5 * task.settings.horizon / static_cast<double>(intervals);
  settings.method = "auto";
  settings.verify = false;
  return p;
}

// From rows at the nodes and in the middle of every interval.
MeshMotion read_off(const OptimalTask& task, const Transcription& form, const Trajectory& rows, MeshMotion motion) {
  const std::size_t n = task.start.q.size();
  for (std::size_t k = 0; k <= motion.intervals(); ++k)
    for (std::size_t i = 0; i < n; ++i) {
      const std::string& name = task.system.coordinates[i].name();
      motion.x[k][i] = rows.value(2 * k, name);
      motion.x[k][n + i] = rows.value(2 * k, name + "'");
    }
  for (std::size_t k = 0; k < motion.intervals(); ++k) {
    for (std::size_t i = 0; i < form.multiplier_count(); ++i)
      motion.w[k][i] = rows.value(2 * k + 1, "lambda." + task.system.constraints[i].name);
    for (std::size_t i = 0; i < form.input_count(); ++i)
      motion.w[k][form.first_input() + i] = rows.value(2 * k + 1, task.system.inputs[i].name);
  }
  return motion;
}

// Nothing if that is not invertible, or not smooth enough for its index.
std::optional<Inversion> inverse_motion(const OptimalTask& task, const std::vector<Quantity>& quantities, int degree,
                                        std::size_t intervals) {
  try {
    return invert(prescribed(task, quantities, degree, intervals));
  } catch (const InputError&) {
    return std::nullopt;
  }
}

std::optional<MeshMotion> by_inverse_dynamics(const OptimalTask& task, const Transcription& form, MeshMotion motion) {
  const std::vector<Quantity> quantities = prescribable(task);
  if (quantities.empty()) return std::nullopt;
  for (const int degree : {5, 9, 15}) {
    const std::optional<Inversion> found = inverse_motion(task, quantities, degree, motion.intervals());
    if (!found) continue;
    const InversionSummary* part = found->summary.part<InversionSummary>();
    const bool flat = part != nullptr && part->flat;
    if (flat && found->summary.status == RunStatus::done && found->trajectory.rows() == 2 * motion.intervals() + 1)
      return read_off(task, form, found->trajectory, std::move(motion));
  }
  return std::nullopt;
}

}  // namespace

std::optional<MeshMotion> first_guess(const OptimalTask& task, const Transcription& form, std::size_t intervals,
                                      GuessKind kind) {
  MeshMotion motion = held(task, form, intervals);
  if (kind == GuessKind::line) straighten(task, motion);
  if (kind == GuessKind::inverse) return by_inverse_dynamics(task, form, std::move(motion));
  return motion;
}

namespace {

// On the cubic with positions and velocities of both nodes, at the part s of an interval.
void put_on_cubic(const std::vector<double>& x0, const std::vector<double>& x1, double h, double s,
                  std::vector<double>& x) {
  const std::size_t n = x.size() / 2;
  for (std::size_t i = 0; i < n; ++i) {
    const double way = x1[i] - x0[i], first = h * x0[n + i], last = h * x1[n + i];
    const double bend = 3.0 * way - 2.0 * first - last, twist = first + last - 2.0 * way;
    x[i] = x0[i] + s * (first + s * (bend + s * twist));
    x[n + i] = (first + s * (2.0 * bend + s * 3.0 * twist)) / h;
  }
}

}  // namespace

MeshMotion remeshed(const MeshMotion& coarse, std::size_t intervals, NewNodes on) {
  if (intervals == coarse.intervals()) return coarse;
  MeshMotion fine{coarse.horizon, {}, {}};
  fine.unknowns = coarse.unknowns == Unknowns::open ? Unknowns::open : Unknowns::of_another_mesh;
  const double ratio = static_cast<double>(coarse.intervals()) / static_cast<double>(intervals);
  for (std::size_t k = 0; k <= intervals; ++k) {
    const double place = ratio * static_cast<double>(k);
    const std::size_t i = std::min(static_cast<std::size_t>(place), coarse.intervals() - 1);
    const double s = place - static_cast<double>(i);
    fine.x.push_back(coarse.x[i]);
    if (on == NewNodes::cubics)
      put_on_cubic(coarse.x[i], coarse.x[i + 1], coarse.horizon / static_cast<double>(coarse.intervals()), s,
                   fine.x[k]);
    else
      for (std::size_t j = 0; j < fine.x[k].size(); ++j)
        fine.x[k][j] = (1.0 - s) * coarse.x[i][j] + s * coarse.x[i + 1][j];
    if (k < intervals) fine.w.push_back(coarse.w[static_cast<std::size_t>(ratio * (static_cast<double>(k) + 0.5))]);
  }
  return fine;
}

}  // namespace invar

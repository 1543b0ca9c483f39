// See joint_optimum.h.
#include "invar/task/optimize/joint_optimum.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/expr/lists.h"
#include "invar/math/linear_solver.h"
#include "invar/record/accuracy.h"
#include "invar/record/observer.h"
#include "invar/record/watch.h"
#include "invar/system/conserved.h"
#include "invar/system/equations.h"
#include "invar/system/state_function.h"
#include "invar/task/check/verdict.h"
#include "invar/task/transcription/end_equations.h"
#include "invar/task/transcription/joint_form.h"

namespace invar {

namespace {

constexpr double balanced = 1e-8;  // of the largest force: by two ways of elimination

bool asks_for_multipliers(const OptimalTask& task) {
  const Exprs lambda = multipliers(task.problem.system);
  const OptimizeSettings& s = task.settings;
  const auto contains = [&](const Limit& limit) { return depends(limit.formula, lambda); };
  const auto costs = [&](const std::optional<Expr>& cost) { return cost && depends(*cost, lambda); };
  return std::ranges::any_of(s.bounds, contains) || std::ranges::any_of(s.final, contains) || costs(s.cost) ||
         costs(s.end_cost);
}

// Steps in directors keep momenta that nothing changes, steps in joint coordinates need not.
bool keeps_momenta(const OptimalTask& task) {
  State end = task.start;
  end.t = task.settings.horizon;
  end.q = task.goal.q;
  return kept_momenta_at(task.system, task.start, end).rows.rows() > 0;
}

bool coordinates_are_open(const OptimalTask& task) {
  return task.problem.formulation == Formulation::director && task.settings.scheme == "auto" &&
         task.settings.method == OptimalMethod::direct && task.joints && !asks_for_multipliers(task) &&
         !keeps_momenta(task);
}

// A motion in joint coordinates, as its table has it.
class JointTable {
 public:
  JointTable(const System& system, const Optimum& found) : found_(found) {
    const Trajectory& rows = found.trajectory;
    for (const Variable& x : system.coordinates) {
      places_.push_back(rows.index(x.name()));
      rates_.push_back(rows.index(x.name() + "'"));
    }
  }

  std::size_t intervals() const { return found_.inputs.rows(); }
  State node(std::size_t k) const {
    const std::span<const double> row = found_.trajectory.row(k);
    State state{.t = row[0], .q = {}, .v = {}, .a = {}, .lambda = {}};
    for (const std::size_t c : places_) state.q.push_back(row[c]);
    for (const std::size_t c : rates_) state.v.push_back(row[c]);
    return state;
  }
  State middle(std::size_t k) const {
    State state = node(k);
    const State next = node(k + 1);
    const auto mean = [](double a, double b) { return 0.5 * (a + b); };
    state.t = mean(state.t, next.t);
    std::ranges::transform(state.q, next.q, state.q.begin(), mean);
    std::ranges::transform(state.v, next.v, state.v.begin(), mean);
    return state;
  }
  std::span<const double> inputs(std::size_t k) const { return found_.inputs.row(k).subspan(1); }

 private:
  const Optimum& found_;
  std::vector<std::size_t> places_, rates_;
};

// Multipliers that balance the equations of motion best, r + C λ + s = 0 with the smallest s: Cᵀ s = 0. What is left
// over, s, are forces along what the constraints allow, and vanishes if the motion is right.
class Balance {
 public:
  Balance(const OptimalTask& task, const Equations& e)
      : multiplier_(jacobian(e.reaction, e.lambda)),
        numbers_(task.system, joined(e.dynamics, multiplier_.value), task.problem.signals),
        solver_(augmented(multiplier_.pattern)),
        right_(e.dynamics.size() + e.lambda.size()) {}

  // False if they are not determined.
  bool solve(const State& moving, std::span<const double> u) {
    const std::vector<double> numbers = numbers_(moving, u);
    const std::size_t n = static_cast<std::size_t>(multiplier_.pattern.rows);
    const std::span<const double> entries = std::span(numbers).subspan(n);
    values_.assign(n, 1.0);
    values_.insert(values_.end(), entries.begin(), entries.end());
    values_.insert(values_.end(), entries.begin(), entries.end());
    ordered_.resize(values_.size());
    for (std::size_t k = 0; k < values_.size(); ++k) ordered_[place_[k]] = values_[k];
    if (!solver_.factor(ordered_)) return false;
    std::fill(right_.begin(), right_.end(), 0.0);
    std::transform(numbers.begin(), numbers.begin() + std::ssize(numbers) - std::ssize(entries), right_.begin(),
                   std::negate());
    for (const double r : std::span(right_).first(n)) force_ = std::max(force_, std::abs(r));
    solver_.solve(right_);
    for (const double s : std::span(right_).first(n))
      left_over_ = std::isfinite(s) ? std::max(left_over_, std::abs(s)) : s;
    return true;
  }
  std::vector<double> lambda() const { return {right_.begin() + multiplier_.pattern.rows, right_.end()}; }
  // The largest that was left over in all calls, relative to the largest force.
  double left_over() const { return force_ > 0.0 ? left_over_ / force_ : left_over_; }

 private:
  // [1 C; Cᵀ 0], and where its entries stand: those of the diagonal, of C and of Cᵀ.
  Pattern augmented(const Pattern& c) {
    struct Entry {
      int row, col;
    };
    std::vector<Entry> all;
    for (int i = 0; i < c.rows; ++i) all.push_back({i, i});
    for (const bool transposed : {false, true})
      for (int j = 0; j < c.cols; ++j)
        for (int k = c.start[static_cast<std::size_t>(j)]; k < c.start[static_cast<std::size_t>(j) + 1]; ++k) {
          const int i = c.row[static_cast<std::size_t>(k)];
          all.push_back(transposed ? Entry{c.rows + j, i} : Entry{i, c.rows + j});
        }
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&](std::size_t k) { return std::pair(all[k].col, all[k].row); });
    const int size = c.rows + c.cols;
    Pattern pattern{size, size, std::vector<int>(static_cast<std::size_t>(size) + 1, 0), {}};
    place_.resize(all.size());
    for (std::size_t k = 0; k < order.size(); ++k) {
      place_[order[k]] = k;
      pattern.row.push_back(all[order[k]].row);
      ++pattern.start[static_cast<std::size_t>(all[order[k]].col) + 1];
    }
    std::partial_sum(pattern.start.begin(), pattern.start.end(), pattern.start.begin());
    return pattern;
  }

  SparseExprs multiplier_;  // C
  StateFunction numbers_;   // r, then the entries of C
  std::vector<std::size_t> place_;
  LinearSolver solver_;
  std::vector<double> values_, ordered_, right_;
  double force_ = 0.0, left_over_ = 0.0;
};

// Of every interval, in directors.
struct Reactions {
  std::vector<std::vector<double>> lambda;
  double left_over = 0.0;  // relative, see Balance
};

std::optional<Reactions> reactions(const OptimalTask& task, JointForm& form, const ProblemStart& joints,
                                   const JointTable& table) {
  Balance balance(task, equations(task.system));
  Reactions result;
  for (std::size_t k = 0; k < table.intervals(); ++k) {
    const State moving = form.state(joints.consistent(table.middle(k), table.inputs(k)));
    if (!balance.solve(moving, table.inputs(k))) return std::nullopt;
    result.lambda.push_back(balance.lambda());
  }
  result.left_over = balance.left_over();
  return result;
}

// Multipliers belong to the interval before a node, inputs to the one after it.
Trajectory in_directors(const OptimalTask& task, JointForm& form, const JointTable& table, const Reactions& reactions) {
  Observer observer(task.system, task.problem.signals);
  const std::vector<double> parameters = parameter_values(task.system);
  Trajectory rows;
  rows.columns = observer.columns();
  const std::size_t last = table.intervals() - 1;
  for (std::size_t k = 0; k <= last + 1; ++k) {
    const State joints = table.node(k), node = form.state(joints);
    observer.observe(joints.t, node.q, node.v, reactions.lambda[k == 0 ? 0 : k - 1], table.inputs(std::min(k, last)),
                     parameters, rows.append());
  }
  return rows;
}

// What joint coordinates have found, said of the problem as it was asked.
Summary as_asked(const OptimalTask& task, Summary found, const Trajectory& rows) {
  Summary summary;
  describe_start(task.problem, task.start_report, summary);
  summary.task = found.task;
  summary.method = found.method;
  summary.until = found.until;
  summary.step = found.step;
  summary.steps = found.steps;
  summary.status = found.status;
  summary.message = found.message;
  summary.machine_code = std::move(found.machine_code);
  summary.parts = std::move(found.parts);
  summary.accuracy = measure_accuracy(rows, conserved_quantities(task.system));
  const auto add = [&](const std::vector<std::string>& more) {
    for (const std::string& words : more)
      if (std::ranges::find(summary.warnings, words) == summary.warnings.end()) summary.warnings.push_back(words);
  };
  add(found.warnings);
  add(watch(task.system, {}, rows));
  return summary;
}

}  // namespace

std::optional<Optimum> optimum_in_joints(const OptimalTask& task,
                                         const std::function<Optimum(const Prepared&)>& optimize) {
  if (!coordinates_are_open(task)) return std::nullopt;
  try {
    std::optional<JointForm> form = JointForm::of(task.problem, {task.system, task.start, task.goal});
    if (!form || !form->problem().system.constraints.empty()) return std::nullopt;
    const Prepared joints(form->problem());
    Optimum found = optimize(joints);
    if (found.summary.status == RunStatus::failed || found.inputs.rows() == 0) return std::nullopt;
    const JointTable table(joints.problem().system, found);
    const std::optional<Reactions> reactions = invar::reactions(task, *form, joints.part<OpenStart>(), table);
    if (!reactions || !(reactions->left_over < balanced)) return std::nullopt;
    found.trajectory = in_directors(task, *form, table, *reactions);
    found.summary = as_asked(task, std::move(found.summary), found.trajectory);
    found.summary.part<OptimizationSummary>()->joints = {joints.problem().system.coordinates.size(),
                                                         reactions->left_over};
    return found;
  } catch (const InputError&) {  // directors say what is wrong
    return std::nullopt;
  }
}

}  // namespace invar

// See load_path.h.
#include "invar/statics/load_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/interrupt.h"
#include "invar/expr/lists.h"
#include "invar/math/newton.h"
#include "invar/system/equations.h"

namespace invar {
namespace {

constexpr double first_step = 0.1, longest_part_of_path = 0.25, shortest_step = 1e-7;  // of the way in p
constexpr int most_steps = 4000;
constexpr int few_iterations = 4, many_iterations = 8;

class PathFollower {
 public:
  PathFollower(const System& system, const State& start, const std::optional<FollowedParameter>& parameter)
      : n_(system.coordinates.size()), m_(system.constraints.size()), followed_(parameter) {
    const Equations e = equations(system);
    const Expr p = system.graph.parameter("part of the load path");
    Exprs held;
    for (std::size_t i = 0; i < n_; ++i) held.push_back(system.graph.parameter(fmt::format("force held {}", i)));
    Exprs rows = resting(e, e.dynamics);
    const Exprs load = resting(e, loads(system, e));
    for (std::size_t i = 0; i < n_ && !followed_; ++i) rows[i] = rows[i] - (1.0 - p) * (load[i] + held[i]);
    append(rows, resting(e, e.constraint));
    Exprs symbols = parameters(system);
    if (followed_) {
      const auto place = std::ranges::find(system.parameters, followed_->name, &Parameter::name);
      rows = substitute(rows, Exprs{place->symbol}, Exprs{followed_->from + p * (followed_->to - followed_->from)});
    }
    const Exprs unknowns = joined(joined(e.q, e.lambda), Exprs{p});
    const SparseExprs slope = jacobian(rows, unknowns);
    set_pattern(slope.pattern);
    function_.emplace(joined(joined(unknowns, held), symbols), joined(rows, slope.value));
    in_.resize(function_->input_count());
    out_.resize(function_->output_count());
    std::ranges::copy(parameter_values(system), in_.end() - std::ssize(symbols));
    set_weights(system, e, start);
    begin(system, e, start);
  }

  LoadPath follow(const PathVisitor& visit) {
    LoadPath path;
    if (!settle_start(path)) return path;
    tell(visit);
    Newton newton(pattern_, {.tolerance = 1e-11, .max_iterations = 12});
    LinearSolver linear(pattern_, LinearSolver::Kind::sparse);
    std::vector<double> tangent(z_.size(), 0.0), next(z_.size());
    tangent.back() = 1.0;
    double step = first_step;
    for (; path.steps < most_steps; ++path.steps) {
      poll_interrupt();
      if (!turn_tangent(linear, tangent)) return fail(path, "the equations of the path are singular");
      const double before = z_.back();
      if (const auto turn = turn_since(before, tangent.back())) path.turns.push_back(value(*turn));
      for (;; step *= 0.5) {
        if (step < shortest_step) return fail(path, "no further step along the path succeeds");
        const bool last = before + step * tangent.back() >= 1.0;
        const double part = last ? (1.0 - before) / tangent.back() : step;
        for (std::size_t i = 0; i < next.size(); ++i) next[i] = z_[i] + part * tangent[i];
        set_arc(last, next, tangent);
        const NewtonResult r = newton.solve([this](auto x, auto f, auto j) { evaluate(x, f, j); }, next);
        if (r.status != NewtonStatus::converged || r.iterations > many_iterations || !is_near(next, part)) continue;
        last_ = {before, tangent.back(), part};
        z_ = next;
        tell(visit);
        if (last) return finish(path);
        if (r.iterations <= few_iterations) step = std::min(1.5 * step, longest_part_of_path);
        break;
      }
    }
    return fail(path, "the path is longer than is followed");
  }

 private:
  Exprs resting(const Equations& e, const Exprs& f) const {
    const Exprs zero(n_, 0.0);
    return at(e, f, {e.t, e.q, zero, zero, e.lambda, {}});
  }

  // What the dynamics hold of weight and applied forces.
  static Exprs loads(const System& system, const Equations& e) {
    Exprs list = gradient(system.weight, e.q);
    for (std::size_t i = 0; i < list.size(); ++i) list[i] -= e.applied[i];
    return list;
  }

  // The rows of the equations, and the one of arc length.
  void set_pattern(const Pattern& rows) {
    const int all = static_cast<int>(n_ + m_);
    pattern_.rows = pattern_.cols = all + 1;
    for (int j = 0; j <= all; ++j) {
      for (int e = rows.start[static_cast<std::size_t>(j)]; e < rows.start[static_cast<std::size_t>(j) + 1]; ++e) {
        pattern_.row.push_back(rows.row[static_cast<std::size_t>(e)]);
        from_.push_back(e);
      }
      if (j < static_cast<int>(n_) || j == all) {
        pattern_.row.push_back(all);
        from_.push_back(-1);
      }
      pattern_.start.push_back(static_cast<int>(pattern_.row.size()));
    }
  }

  // Displacements by their masses, as parts of the size of the system.
  void set_weights(const System& system, const Equations& e, const State& start) {
    Exprs diagonal;
    for (std::size_t i = 0; i < n_; ++i) diagonal.push_back(e.mass().at(static_cast<int>(i), static_cast<int>(i)));
    const std::vector<double> mass = StateFunction(system, diagonal)(start);
    double size = 0.0;
    for (std::size_t i = 0; i < n_; ++i) size += mass[i] * start.q[i] * start.q[i];
    weight_.assign(n_, size > 0.0 ? 0.0 : 1.0);
    for (std::size_t i = 0; size > 0.0 && i < n_; ++i) weight_[i] = mass[i] / size;
    weight_.resize(n_ + m_, 0.0);
    weight_.push_back(1.0);
  }

  void begin(const System& system, const Equations& e, const State& start) {
    z_ = start.q;
    z_.resize(n_ + m_ + 1, 0.0);
    if (followed_) return;
    State rest = start;
    rest.v.assign(n_, 0.0), rest.a.assign(n_, 0.0), rest.lambda.assign(m_, 0.0);
    Exprs within = e.dynamics;
    const Exprs load = loads(system, e);
    for (std::size_t i = 0; i < n_; ++i) within[i] -= load[i];
    const std::vector<double> force = StateFunction(system, within)(rest);
    std::ranges::copy(force, in_.begin() + std::ssize(z_));
  }

  // The path of a parameter begins at an equilibrium, which the start may be near to.
  bool settle_start(LoadPath& path) {
    std::vector<double> tangent(z_.size(), 0.0);
    at_part_ = 0.0;
    fixed_ = true;
    tangent_ = tangent;
    near_ = z_;
    Newton newton(pattern_, {.tolerance = 1e-11, .max_iterations = 30});
    const NewtonResult r = newton.solve([this](auto x, auto f, auto j) { evaluate(x, f, j); }, z_);
    if (r.status != NewtonStatus::converged) path.reason = "no equilibrium was found where the path begins";
    return r.status == NewtonStatus::converged;
  }

  void set_arc(bool last, const std::vector<double>& near, const std::vector<double>& tangent) {
    fixed_ = last;
    at_part_ = 1.0;
    near_ = near;
    tangent_ = tangent;
  }

  void evaluate(std::span<const double> x, std::span<double> f, std::span<double> j) {
    std::ranges::copy(x, in_.begin());
    (*function_)(in_, out_, scratch_);
    const std::size_t rows = n_ + m_;
    std::copy_n(out_.begin(), rows, f.begin());
    double arc = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) arc += weight_[i] * tangent_[i] * (x[i] - near_[i]);
    f[rows] = fixed_ ? x.back() - at_part_ : arc;
    for (std::size_t c = 0; c < x.size(); ++c)
      for (int e = pattern_.start[c]; e < pattern_.start[c + 1]; ++e) {
        const int source = from_[static_cast<std::size_t>(e)];
        const double own = fixed_ ? (c + 1 == x.size() ? 1.0 : 0.0) : weight_[c] * tangent_[c];
        j[static_cast<std::size_t>(e)] = source < 0 ? own : out_[rows + static_cast<std::size_t>(source)];
      }
  }

  // Along the path at z_, in the sense of the tangent before, of length one.
  bool turn_tangent(LinearSolver& linear, std::vector<double>& tangent) {
    std::vector<double> f(z_.size()), j(pattern_.size());
    set_arc(false, z_, tangent);
    evaluate(z_, f, j);
    if (!linear.factor(j)) return false;
    std::ranges::fill(tangent, 0.0);
    tangent.back() = 1.0;  // the last equation
    linear.solve(tangent);
    double length = 0.0;
    for (std::size_t i = 0; i < tangent.size(); ++i) length += weight_[i] * tangent[i] * tangent[i];
    for (double& t : tangent) t /= std::sqrt(length);
    return std::isfinite(length) && length > 0.0;
  }

  // A corrector that goes much farther than the predictor has left the path.
  bool is_near(const std::vector<double>& next, double part) const {
    double off = 0.0;
    for (std::size_t i = 0; i < next.size(); ++i) off += weight_[i] * (next[i] - near_[i]) * (next[i] - near_[i]);
    return std::sqrt(off) <= 0.5 * std::abs(part);
  }

  // Where p was largest or smallest since the point before, if its slope changed its sign: on the cubic with the values
  // and slopes of both.
  std::optional<double> turn_since(double p, double rate) const {
    if (!(last_.rate * rate < 0.0)) return std::nullopt;
    const double rise = (p - last_.p) / last_.length;
    const double cubic = rate + last_.rate - 2.0 * rise, square = 3.0 * rise - 2.0 * last_.rate - rate;
    // slope(x) = rate₀ + 2 square x + 3 cubic x² on 0 … 1; of different signs at its ends
    const double root = std::sqrt(square * square - 3.0 * cubic * last_.rate);
    const double x = last_.rate / (last_.rate > 0.0 ? root - square : -root - square);
    return last_.p + last_.length * x * (last_.rate + x * (square + x * cubic));
  }

  double value(double part) const {
    return followed_ ? followed_->from + part * (followed_->to - followed_->from) : part;
  }
  State state() const {
    State s;
    s.q.assign(z_.begin(), z_.begin() + static_cast<std::ptrdiff_t>(n_));
    s.v.assign(n_, 0.0);
    s.a.assign(n_, 0.0);
    s.lambda.assign(z_.begin() + static_cast<std::ptrdiff_t>(n_), z_.end() - 1);
    return s;
  }
  void tell(const PathVisitor& visit) const {
    if (visit) visit(value(z_.back()), state());
  }
  LoadPath finish(LoadPath& path) const {
    path.complete = true;
    path.end = state();
    ++path.steps;
    return std::move(path);
  }
  LoadPath fail(LoadPath& path, const std::string& why) const {
    path.end = state();
    path.reason = fmt::format("{}, at {:.4g} of the way", why, z_.back());
    return std::move(path);
  }

  std::size_t n_, m_;
  std::optional<FollowedParameter> followed_;
  Pattern pattern_;
  std::vector<int> from_;  // entries of the equations, -1: of the row of arc length
  std::optional<Function> function_;
  Scratch scratch_;
  std::vector<double> in_, out_;  // q, λ, p | forces held | parameters
  std::vector<double> weight_, z_, near_, tangent_;
  bool fixed_ = false;  // the last row fixes p
  double at_part_ = 0.0;
  struct {
    double p = 0.0, rate = 0.0, length = 1.0;
  } last_;  // the point before, and how far it is along the path
};

}  // namespace

std::optional<LoadPath> follow_load_path(const System& system, const State& start,
                                         const std::optional<FollowedParameter>& parameter, const PathVisitor& visit) {
  const auto at_positions = [](const Constraint& c) { return c.level == Level::position; };
  if (!std::ranges::all_of(system.constraints, at_positions)) return std::nullopt;
  return PathFollower(system, start, parameter).follow(visit);
}

}  // namespace invar

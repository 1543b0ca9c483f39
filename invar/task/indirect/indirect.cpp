// See indirect.h. Where Newton's method does not find the way at once, it is led there: the residual r(z₀) of the guess
// is taken away in portions, r(z) = (1-s) r(z₀) with s from 0 to 1 [P. Deuflhard, Newton Methods for Nonlinear
// Problems, chapter 5].
#include "invar/task/indirect/indirect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/base/error.h"
#include "invar/math/newton.h"
#include "invar/task/indirect/indirect_mesh.h"

namespace invar {

namespace {

using Values = std::vector<std::vector<double>>;

std::vector<double> evaluated(const Exprs& formulas, const Exprs& symbols, const std::vector<double>& values) {
  std::vector<double> out(formulas.size());
  Scratch scratch;
  Function(symbols, formulas)(values, out, scratch);
  return out;
}

class Search {
 public:
  explicit Search(const IndirectTask& task)
      : task_(task),
        equations_(indirect_equations(task.system, task.scheme == IndirectScheme::energy_momentum, task.ranges)),
        mesh_(equations_, task.horizon, task.intervals, parameter_values(task.system)),
        list_(mesh_.list_size(), 0.0),
        h_(task.horizon / static_cast<double>(task.intervals)) {
    for (const Exprs& direction : equations_.directions)
      directions_.push_back(evaluated(direction, equations_.given, mesh_.given(list_)));
  }

  Extremal run() {
    set_guess();
    const std::size_t n = mesh_.state_size();
    const auto unknowns = std::span(list_).subspan(n, list_.size() - 2 * n);
    std::vector<double> z(unknowns.begin(), unknowns.end());
    const NewtonResult found = search(z);
    std::copy(z.begin(), z.end(), unknowns.begin());
    Extremal result = read();
    tell(found, result);
    return result;
  }

 private:
  // Between start and end the cubic that has their velocities, or the motion that is given.
  void set_guess() {
    const std::size_t n = equations_.n, N = task_.intervals;
    Exprs symbols = equations_.q;
    symbols.insert(symbols.end(), equations_.v.begin(), equations_.v.end());
    ListFunction momenta(symbols, equations_.given, equations_.momenta, N + 1, 2 * n);
    std::vector<double> motion;  // q, v of all nodes
    for (std::size_t k = 0; k <= N; ++k) {
      const auto [q, v] = guessed(k);
      motion.insert(motion.end(), q.begin(), q.end());
      motion.insert(motion.end(), v.begin(), v.end());
    }
    const std::vector<double>& p = momenta(motion, mesh_.given(list_));
    for (std::size_t k = 0; k <= N; ++k)
      for (std::size_t i = 0; i < n; ++i) {
        list_[mesh_.state(k) + i] = motion[k * 2 * n + i];
        list_[mesh_.state(k) + n + i] = p[i * (N + 1) + k];
      }
    extent_ = extent();
    if (task_.guess && !task_.guess->u.empty()) mesh_.fit_costates(list_, task_.guess->u, directions_);
  }

  std::pair<std::vector<double>, std::vector<double>> guessed(std::size_t k) const {
    const std::size_t N = task_.intervals;
    if (k == 0) return {task_.q0, task_.v0};
    if (k == N) return {task_.q1, task_.v1};
    if (task_.guess) return {task_.guess->q[k], task_.guess->v[k]};
    const double s = static_cast<double>(k) / static_cast<double>(N), T = task_.horizon;
    std::vector<double> q, v;
    for (std::size_t i = 0; i < equations_.n; ++i) {
      const double way = task_.q1[i] - task_.q0[i], v0 = T * task_.v0[i], v1 = T * task_.v1[i];
      const double c2 = 3.0 * way - 2.0 * v0 - v1, c3 = v0 + v1 - 2.0 * way;
      q.push_back(task_.q0[i] + s * (v0 + s * (c2 + s * c3)));
      v.push_back((v0 + s * (2.0 * c2 + s * 3.0 * c3)) / T);
    }
    return {q, v};
  }

  // From the guess z to the solution; the last iterate if there is none. A motion that is given is near, and is not led
  // in portions unless that turns out to be wrong.
  NewtonResult search(std::vector<double>& z) {
    const std::vector<double> start = z;
    std::vector<double> first(z.size()), jacobian(mesh_.pattern().size());
    evaluate(z, first, jacobian);
    NewtonResult found{NewtonStatus::stalled, 0, 0.0, -1, -1};
    for (const bool in_portions : {!task_.guess, task_.guess.has_value()}) {
      if (stopped_ || iterations_ >= task_.max_iterations) break;
      constexpr int patience = 60;
      z = start;
      found = in_portions ? follow(first, z) : attempt(first, 1.0, patience, z);
      strayed_ = found.status == NewtonStatus::converged && is_another_motion(z);
      if (found.status == NewtonStatus::converged && !strayed_) break;
    }
    return found;
  }

  // On a coarse mesh the equations may have solutions that have nothing to do with the motion that is given.
  bool is_another_motion(const std::vector<double>& z) {
    if (!task_.guess || task_.guess->u.empty()) return false;
    constexpr double same_cost = 2.0, same_place = 0.1;  // both coarse: an extremal on the same mesh is far nearer
    double guessed_cost = 0.0, distance = 0.0;
    for (const std::vector<double>& u : task_.guess->u)
      for (const double value : u) guessed_cost += 0.5 * h_ * value * value;
    std::copy(z.begin(), z.end(), list_.begin() + static_cast<std::ptrdiff_t>(mesh_.state_size()));
    for (std::size_t k = 1; k < task_.intervals; ++k)
      for (std::size_t i = 0; i < equations_.n; ++i)
        distance = std::max(distance, std::abs(list_[mesh_.state(k) + i] - task_.guess->q[k][i]));
    return distance > same_place * extent_ && (cost() > same_cost * guessed_cost || guessed_cost > same_cost * cost());
  }

  NewtonResult follow(const std::vector<double>& first, std::vector<double>& z) {
    constexpr int patience = 8;  // more iterations would mean that the way is lost
    constexpr double first_portion = 0.25, least_portion = 1e-3;
    double done = 0.0, portion = first_portion;
    NewtonResult found{NewtonStatus::stalled, 0, 0.0, -1, -1};
    while (done < 1.0 && portion >= least_portion && iterations_ < task_.max_iterations && !stopped_) {
      const double next = std::min(1.0, done + portion);
      std::vector<double> trial = z;
      found = attempt(first, next, patience, trial);
      const bool good = found.status == NewtonStatus::converged;
      portion *= good ? 2.0 : 0.5;
      if (!good) continue;
      z = trial;
      done = next;
    }
    if (done < 1.0 && found.status == NewtonStatus::converged) found.status = NewtonStatus::stalled;
    return found;
  }

  // r(z) = (1-s) r(z₀) from z on.
  NewtonResult attempt(const std::vector<double>& first, double s, int patience, std::vector<double>& z) {
    const NewtonOptions options{task_.tolerance, std::min(patience, task_.max_iterations - iterations_)};
    Newton newton(mesh_.pattern(), options, mesh_.kinds(), LinearSolver::Kind::sparse);
    const NewtonResult found = newton.solve(
        [&](std::span<const double> x, std::span<double> residual, std::span<double> jacobian) {
          evaluate(x, residual, jacobian);
          for (std::size_t i = 0; i < residual.size(); ++i) residual[i] -= (1.0 - s) * first[i];
        },
        z);
    iterations_ += found.iterations;
    return found;
  }

  // Once stopped, no place has a value any more: that ends Newton's method. Nor has a place far off, where sizes are
  // such that anything would count as a solution.
  void evaluate(std::span<const double> z, std::span<double> residual, std::span<double> jacobian) {
    std::copy(z.begin(), z.end(), list_.begin() + static_cast<std::ptrdiff_t>(mesh_.state_size()));
    mesh_.evaluate(list_, residual, jacobian);
    if (task_.keep_going && !stopped_) {
      double worst = 0.0;
      for (const double r : residual) worst = std::max(worst, std::abs(r));
      stopped_ = !task_.keep_going(evaluations_++, cost(), worst);
    }
    constexpr double far = 1e3;  // times the largest coordinate of the guess
    if (stopped_ || (extent_ > 0.0 && extent() > far * extent_))
      std::fill(residual.begin(), residual.end(), std::numeric_limits<double>::quiet_NaN());
  }

  double extent() const {
    double most = 0.0;
    for (std::size_t k = 0; k <= task_.intervals; ++k)
      for (std::size_t i = 0; i < equations_.n; ++i) most = std::max(most, std::abs(list_[mesh_.state(k) + i]));
    return most;
  }

  double input(std::size_t k, std::size_t j) const {
    double u = 0.0;
    for (std::size_t i = 0; i < equations_.n; ++i) u += directions_[j][i] * list_[mesh_.costate(k) + equations_.n + i];
    return task_.ranges.empty() ? u : std::clamp(u, task_.ranges[j].lower, task_.ranges[j].upper);
  }

  double cost() const {
    double sum = 0.0;
    for (std::size_t k = 0; k < task_.intervals; ++k)
      for (std::size_t j = 0; j < directions_.size(); ++j) sum += 0.5 * h_ * std::pow(input(k, j), 2);
    return sum;
  }

  Extremal read() {
    const std::size_t n = equations_.n, N = task_.intervals;
    Extremal result;
    const auto part = [&](std::size_t first) {
      return std::vector<double>(list_.begin() + static_cast<std::ptrdiff_t>(first),
                                 list_.begin() + static_cast<std::ptrdiff_t>(first + n));
    };
    ListFunction velocities(equations_.x, equations_.given, equations_.velocities, N + 1, 4 * n);
    const std::vector<double>& given = mesh_.given(list_);
    const std::vector<double>& v = velocities(list_, given);
    for (std::size_t k = 0; k <= N; ++k) {
      result.q.push_back(part(mesh_.state(k)));
      result.p.push_back(part(mesh_.state(k) + n));
      result.v.emplace_back();
      for (std::size_t i = 0; i < n; ++i) result.v.back().push_back(v[i * (N + 1) + k]);
      if (k == N) break;
      result.lambda_q.push_back(part(mesh_.costate(k)));
      result.lambda_p.push_back(part(mesh_.costate(k) + n));
      result.u.emplace_back();
      for (std::size_t j = 0; j < directions_.size(); ++j) result.u.back().push_back(input(k, j));
    }
    ListFunction figures(equations_.interval, equations_.given, {equations_.hamiltonian, equations_.energy_balance}, N,
                         4 * n);
    const std::vector<double>& of_intervals = figures(list_, given);
    const auto middle = of_intervals.begin() + static_cast<std::ptrdiff_t>(N);
    result.hamiltonian.assign(of_intervals.begin(), middle);
    result.energy_balance.assign(middle, of_intervals.end());
    result.cost = cost();
    return result;
  }

  void tell(const NewtonResult& found, Extremal& result) const {
    result.iterations = iterations_;
    result.residual = found.error;
    if (strayed_) {
      result.reason =
          fmt::format("the extremal that was found, of cost {:.6g}, is not near the first guess", result.cost);
    } else if (found.status == NewtonStatus::converged) {
      result.status = SolverStatus::solved;
      result.reason = "conditions of optimality satisfied";
    } else if (stopped_) {
      result.status = SolverStatus::interrupted;
      result.reason = "interrupted";
    } else if (found.status == NewtonStatus::singular) {
      result.reason =
          "the conditions of optimality do not determine all costates; can the inputs move every coordinate?";
    } else if (iterations_ >= task_.max_iterations) {
      result.status = SolverStatus::out_of_iterations;
      result.reason = "iteration limit reached";
    } else {
      result.reason = fmt::format("no convergence of Newton's method after {} steps", iterations_);
    }
  }

  const IndirectTask& task_;
  IndirectEquations equations_;
  IndirectMesh mesh_;
  std::vector<double> list_;
  double h_;
  Values directions_;
  double extent_ = 0.0;  // largest coordinate of the guess
  int iterations_ = 0, evaluations_ = 0;
  bool stopped_ = false;
  bool strayed_ = false;  // to a solution that is not near the guess
};

}  // namespace

Extremal find_extremal(const IndirectTask& task) {
  const std::size_t n = task.system.coordinates.size();
  expects(task.q0.size() == n && task.v0.size() == n && task.q1.size() == n && task.v1.size() == n,
          "a start and an end for every coordinate");
  expects(task.intervals >= 2, "at least two intervals");
  if (task.guess)
    expects(task.guess->q.size() == task.intervals + 1 && task.guess->v.size() == task.intervals + 1 &&
                (task.guess->u.empty() || task.guess->u.size() == task.intervals),
            "a guess on the same mesh");
  return Search(task).run();
}

}  // namespace invar

// See ipopt_solver.h; the only file that knows IPOPT [A. Wächter, L. T. Biegler, Math. Program. 106 (2006) 25].
#include "invar/task/ipopt_solver.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <limits>

#include "invar/task/equilibration.h"
#include "invar/task/symmetric_factors.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wpedantic"
#include <IpIpoptApplication.hpp>
#include <IpTNLP.hpp>
#pragma GCC diagnostic pop

namespace invar {

namespace {

bool all_finite(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

// An exception must not pass through foreign code; to IPOPT it is a point where nothing can be evaluated.
template <class Evaluate>
bool guarded(const Evaluate& evaluate) {
  try {
    return evaluate();
  } catch (const std::exception&) {
    return false;
  }
}

constexpr int long_enough = 5;           // iterates, to see that the cost has no least value
constexpr double steepest_cost = 100.0;  // the largest slope of the cost where the solver starts, after scaling

class Adaptor : public Ipopt::TNLP {
 public:
  using Index = Ipopt::Index;
  using Number = Ipopt::Number;

  Adaptor(const NonlinearProgram& program, std::span<const double> start, const SolverOptions& options,
          Solution& solution)
      : program_(program), start_(start), options_(options), solution_(solution) {}

  bool get_nlp_info(Index& n, Index& m, Index& jacobian, Index& hessian, IndexStyleEnum& style) override {
    n = static_cast<Index>(program_.lower.size());
    m = static_cast<Index>(program_.row_lower.size());
    jacobian = static_cast<Index>(program_.jacobian.size());
    hessian = static_cast<Index>(program_.hessian.size());
    style = C_STYLE;
    return true;
  }

  bool get_bounds_info(Index, Number* lower, Number* upper, Index, Number* row_lower, Number* row_upper) override {
    std::copy(program_.lower.begin(), program_.lower.end(), lower);
    std::copy(program_.upper.begin(), program_.upper.end(), upper);
    std::copy(program_.row_lower.begin(), program_.row_lower.end(), row_lower);
    std::copy(program_.row_upper.begin(), program_.row_upper.end(), row_upper);
    return true;
  }

  bool get_scaling_parameters(Number& cost, bool& scale_x, Index n, Number* x, bool& scale_g, Index m,
                              Number* g) override {
    const auto size = static_cast<std::size_t>(n);
    std::fill_n(x, n, 1.0);
    std::fill_n(g, m, 1.0);
    cost = 1.0;
    scale_x = scale_g = true;
    // Where nothing can be evaluated the solver will say so itself.
    guarded([&] {
      const Equilibration natural = equilibrate(program_, start_);
      std::transform(natural.column.begin(), natural.column.end(), x, [](double c) { return 1.0 / c; });
      std::copy(natural.row.begin(), natural.row.end(), g);
      std::vector<double> slope(size);
      program_.cost_gradient(start_, slope);
      double steepest = 0.0;
      for (std::size_t i = 0; i < size; ++i) steepest = std::max(steepest, std::abs(slope[i] * natural.column[i]));
      if (steepest > steepest_cost && std::isfinite(steepest)) cost = steepest_cost / steepest;
      return true;
    });
    return true;
  }

  bool get_starting_point(Index, bool, Number* x, bool, Number*, Number*, Index, bool, Number*) override {
    std::copy(start_.begin(), start_.end(), x);
    return true;
  }

  bool eval_f(Index n, const Number* x, bool, Number& value) override {
    return guarded([&] {
      value = program_.cost({x, static_cast<std::size_t>(n)});
      return std::isfinite(value);
    });
  }

  bool eval_grad_f(Index n, const Number* x, bool, Number* gradient) override {
    const auto size = static_cast<std::size_t>(n);
    return guarded([&] {
      latest_.assign(x, x + size);
      program_.cost_gradient({x, size}, {gradient, size});
      return all_finite({gradient, size});
    });
  }

  bool eval_g(Index n, const Number* x, bool, Index m, Number* g) override {
    const std::span<double> rows(g, static_cast<std::size_t>(m));
    return guarded([&] {
      program_.rows({x, static_cast<std::size_t>(n)}, rows);
      return all_finite(rows);
    });
  }

  bool eval_jac_g(Index n, const Number* x, bool, Index, Index count, Index* row, Index* col, Number* values) override {
    if (values == nullptr) {
      for (std::size_t i = 0; i < program_.jacobian.size(); ++i)
        row[i] = program_.jacobian[i].row, col[i] = program_.jacobian[i].col;
      return true;
    }
    const std::span<double> entries(values, static_cast<std::size_t>(count));
    return guarded([&] {
      program_.jacobian_values({x, static_cast<std::size_t>(n)}, entries);
      return all_finite(entries);
    });
  }

  bool eval_h(Index n, const Number* x, bool, Number factor, Index m, const Number* weight, bool, Index count,
              Index* row, Index* col, Number* values) override {
    if (values == nullptr) {
      for (std::size_t i = 0; i < program_.hessian.size(); ++i)
        row[i] = program_.hessian[i].row, col[i] = program_.hessian[i].col;
      return true;
    }
    const std::span<double> entries(values, static_cast<std::size_t>(count));
    return guarded([&] {
      program_.hessian_values({x, static_cast<std::size_t>(n)}, factor, {weight, static_cast<std::size_t>(m)}, entries);
      return all_finite(entries);
    });
  }

  // The infeasibility that IPOPT passes here is the scaled one.
  bool intermediate_callback(Ipopt::AlgorithmMode mode, Index iteration, Number cost, Number infeasibility, Number,
                             Number, Number, Number, Number, Number, Index, const Ipopt::IpoptData*,
                             Ipopt::IpoptCalculatedQuantities*) override {
    solution_.iterations = iteration;
    return guarded([&] {
      if (mode == Ipopt::RegularMode && !latest_.empty()) {
        infeasibility = violation(latest_);
        if (near(infeasibility)) {
          least_ = std::min(least_, infeasibility);
          best_ = latest_;
        }
        away_ = runs_away(cost, infeasibility) ? away_ + 1 : 0;
        if (away_ > long_enough) {
          solution_.status = SolverStatus::unbounded;
          return false;
        }
      }
      return !options_.keep_going || options_.keep_going(iteration, cost, infeasibility);
    });
  }

  void finalize_solution(Ipopt::SolverReturn, Index n, const Number* x, const Number* below, const Number* above,
                         Index m, const Number*, const Number* weight, Number cost, const Ipopt::IpoptData*,
                         Ipopt::IpoptCalculatedQuantities*) override {
    const auto size = static_cast<std::size_t>(n), rows = static_cast<std::size_t>(m);
    solution_.x.assign(x, x + size);
    solution_.weight.assign(weight, weight + rows);
    solution_.cost = cost;
    guarded([&] {
      solution_.infeasibility = violation(solution_.x);
      if (!near(solution_.infeasibility)) return_to_best();
      measure({below, size}, {above, size});
      return true;
    });
  }

 private:
  // The latest iterate is the best, unless it violates the rows far more than an earlier one: the solver goes astray
  // for some iterations when it tries to get over a hill.
  bool near(double infeasibility) const { return infeasibility <= 10.0 * least_ + 1e-6; }

  // Motions that keep the rows, ever larger and cheaper: there is no least cost.
  bool runs_away(double cost, double infeasibility) const {
    constexpr double absurd = 1e8, low = 1e4,
                     kept = 1e-9;  // growth of variables, of the cost; violation, of their size
    const auto size = [](std::span<const double> x) {
      double most = 0.0;
      for (const double value : x) most = std::max(most, std::abs(value));
      return most;
    };
    const double now = size(latest_), begin = size(start_);
    return cost < 0.0 && now > absurd * (begin > 0.0 ? begin : 1.0) && infeasibility < kept * now &&
           cost < -low * std::abs(program_.cost(start_));
  }

  void return_to_best() {
    if (best_.empty()) return;
    solution_.x = best_;
    solution_.cost = program_.cost(best_);
    solution_.infeasibility = violation(best_);
  }

  // Of the rows.
  double violation(std::span<const double> x) const {
    std::vector<double> g(program_.row_lower.size());
    program_.rows(x, g);
    if (!all_finite(g)) return std::numeric_limits<double>::infinity();
    double most = 0.0;
    for (std::size_t i = 0; i < g.size(); ++i)
      most = std::max({most, program_.row_lower[i] - g[i], g[i] - program_.row_upper[i]});
    return most;
  }

  // ∂L/∂x where x is free.
  void measure(std::span<const double> below, std::span<const double> above) {
    std::vector<double> slope(solution_.x.size()), entries(program_.jacobian.size());
    program_.cost_gradient(solution_.x, slope);
    program_.jacobian_values(solution_.x, entries);
    for (std::size_t i = 0; i < entries.size(); ++i)
      slope[static_cast<std::size_t>(program_.jacobian[i].col)] +=
          entries[i] * solution_.weight[static_cast<std::size_t>(program_.jacobian[i].row)];
    for (std::size_t i = 0; i < slope.size(); ++i)
      if (program_.lower[i] < program_.upper[i])
        solution_.kkt = std::max(solution_.kkt, std::abs(slope[i] - below[i] + above[i]));
  }

  const NonlinearProgram& program_;
  std::span<const double> start_;
  const SolverOptions& options_;
  Solution& solution_;
  std::vector<double> latest_;  // where the slope of the cost was asked for last, which happens at iterates only
  std::vector<double> best_;
  int away_ = 0;                                            // iterates that ran away
  double least_ = std::numeric_limits<double>::infinity();  // infeasibility of an iterate
};

void tell(Ipopt::ApplicationReturnStatus status, Solution& solution) {
  using enum SolverStatus;
  const auto say = [&](SolverStatus s, const char* reason) {
    solution.status = s;
    solution.reason = reason;
  };
  switch (status) {
    case Ipopt::Solve_Succeeded: return say(solved, "solved");
    case Ipopt::Solved_To_Acceptable_Level: return say(solved, "solved to an acceptable level");
    case Ipopt::Infeasible_Problem_Detected: return say(infeasible, "converged to a point of local infeasibility");
    case Ipopt::Not_Enough_Degrees_Of_Freedom: return say(too_many_equations, "more equations than free variables");
    case Ipopt::Maximum_Iterations_Exceeded: return say(out_of_iterations, "did not converge");
    case Ipopt::User_Requested_Stop:
      return solution.status == unbounded
                 ? say(unbounded, "the cost is unbounded: it falls without limit as the variables grow")
                 : say(interrupted, "interrupted");
    case Ipopt::Restoration_Failed: return say(failed, "could not find a feasible point");
    case Ipopt::Diverging_Iterates: return say(failed, "the variables grow without bound");
    case Ipopt::Invalid_Number_Detected: return say(failed, "a formula has no finite value");
    case Ipopt::Search_Direction_Becomes_Too_Small: return say(failed, "no further progress");
    default: return say(failed, "the solver failed");
  }
}

// SCOTCH, which finds the nested dissection, works in threads and then gives another order each time, and with it other roundings. MUMPS has no
// other way to ask it for one thread than this variable, and sets it itself in its parallel versions. Orders that need no such help
// (AMD, AMF, PORD) cost up to ten times as much on a chain of bodies.
void keep_to_one_thread() {
  static std::once_flag done;
  std::call_once(done, [] { ::setenv("SCOTCH_PTHREAD_NUMBER", "1", 1); });
}

}  // namespace

Solution solve(const NonlinearProgram& program, std::span<const double> start, const SolverOptions& options) {
  const std::scoped_lock lock(mumps_in_use());
  keep_to_one_thread();
  Solution solution;
  const Ipopt::SmartPtr<Ipopt::IpoptApplication> solver = new Ipopt::IpoptApplication(false);
  const Ipopt::SmartPtr<Ipopt::TNLP> adaptor = new Adaptor(program, start, options, solution);
  const auto set = solver->Options();
  set->SetIntegerValue("print_level", 0);
  set->SetStringValue("sb", "yes");
  set->SetStringValue("linear_solver", "mumps");
  // A matching of rows and columns would be found once, from the numbers of the first matrix, which has nothing in common with later
  // ones; pivots that are small by its measure then falsify the inertia. Nested dissection suits a chain of intervals.
  set->SetIntegerValue("mumps_permuting_scaling", 0);
  set->SetIntegerValue("mumps_pivot_order", 3);
  set->SetNumericValue("mumps_pivtol", 1e-3);
  set->SetStringValue("nlp_scaling_method", "user-scaling");
  // Few variables of a motion meet their bounds: the barrier need not be lowered step by step.
  set->SetStringValue("mu_strategy", "adaptive");
  set->SetStringValue("option_file_name", "");
  set->SetNumericValue("tol", options.tolerance);
  set->SetNumericValue("constr_viol_tol", options.tolerance);
  set->SetNumericValue("bound_relax_factor", 0.0);
  set->SetIntegerValue("max_iter", options.max_iterations);
  tell(solver->Initialize() == Ipopt::Solve_Succeeded ? solver->OptimizeTNLP(adaptor) : Ipopt::Internal_Error,
       solution);
  return solution;
}

}  // namespace invar

// See ipopt_solver.h; the only file that knows IPOPT [A. Wächter, L. T. Biegler, Math. Program. 106 (2006) 25].
#include "invar/task/ipopt_solver.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <mutex>

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

  bool intermediate_callback(Ipopt::AlgorithmMode, Index iteration, Number cost, Number infeasibility, Number, Number,
                             Number, Number, Number, Number, Index, const Ipopt::IpoptData*,
                             Ipopt::IpoptCalculatedQuantities*) override {
    solution_.iterations = iteration;
    return guarded([&] { return !options_.keep_going || options_.keep_going(iteration, cost, infeasibility); });
  }

  void finalize_solution(Ipopt::SolverReturn, Index n, const Number* x, const Number* below, const Number* above,
                         Index m, const Number* g, const Number* weight, Number cost, const Ipopt::IpoptData*,
                         Ipopt::IpoptCalculatedQuantities*) override {
    const auto size = static_cast<std::size_t>(n), rows = static_cast<std::size_t>(m);
    solution_.x.assign(x, x + size);
    solution_.weight.assign(weight, weight + rows);
    solution_.cost = cost;
    for (std::size_t i = 0; i < rows; ++i)
      solution_.infeasibility =
          std::max({solution_.infeasibility, program_.row_lower[i] - g[i], g[i] - program_.row_upper[i]});
    guarded([&] {
      measure({below, size}, {above, size});
      return true;
    });
  }

 private:
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
    case Ipopt::User_Requested_Stop: return say(interrupted, "interrupted");
    case Ipopt::Restoration_Failed: return say(failed, "could not find a feasible point");
    case Ipopt::Diverging_Iterates: return say(failed, "the variables grow without bound");
    case Ipopt::Invalid_Number_Detected: return say(failed, "a formula has no finite value");
    case Ipopt::Search_Direction_Becomes_Too_Small: return say(failed, "no further progress");
    default: return say(failed, "the solver failed");
  }
}

}  // namespace

Solution solve(const NonlinearProgram& program, std::span<const double> start, const SolverOptions& options) {
  static std::mutex one_at_a_time;
  const std::scoped_lock lock(one_at_a_time);
  Solution solution;
  const Ipopt::SmartPtr<Ipopt::IpoptApplication> solver = new Ipopt::IpoptApplication(false);
  const Ipopt::SmartPtr<Ipopt::TNLP> adaptor = new Adaptor(program, start, options, solution);
  const auto set = solver->Options();
  set->SetIntegerValue("print_level", 0);
  set->SetStringValue("sb", "yes");
  set->SetStringValue("linear_solver", "mumps");
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

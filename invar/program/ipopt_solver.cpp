// See ipopt_solver.h; the only file that knows IPOPT [A. Wächter, L. T. Biegler, Math. Program. 106 (2006) 25].
#include "invar/program/ipopt_solver.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <limits>
#include <utility>

#include "invar/base/interrupt.h"
#include "invar/program/equilibration.h"
#include "invar/program/ipopt_factors.h"
#include "invar/program/symmetric_factors.h"

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

// What IPOPT asks for. After an interruption nothing can be evaluated any more, and so it soon ends.
template <class Evaluate>
bool attempted(const Evaluate& evaluate) {
  return guarded([&] {
    poll_interrupt();
    return !is_interrupted() && evaluate();
  });
}

constexpr int long_enough = 5;  // iterates, to see that the cost has no least value

// Sizes in which the solver sees a program, whose tolerances are absolute.
struct ProgramScale {
  static constexpr double steepest = 100.0;  // the largest slope of the cost where the solver starts, after scaling
  static constexpr double flattest = 1e-2;   // and where it ends: below, its tolerance would end the search too early

  Equilibration natural;
  double size = 1.0;  // of the variables in natural units
  double cost = 1.0;

  ProgramScale(const NonlinearProgram& program, std::span<const double> start)
      : natural{std::vector<double>(program.row_lower.size(), 1.0), std::vector<double>(start.size(), 1.0)} {
    // Where nothing can be evaluated the solver will say so itself.
    guarded([&] {
      natural = equilibrate(program, start);
      const double slope = largest_slope(program, start);
      if (slope > steepest && std::isfinite(slope)) cost = steepest / slope;
      constexpr double tiny = 1e-6, small = 1e-2, large = 1e4;  // of what moves, and of costs, in usual units
      const double moves = largest_variable(program, start);
      const double change = std::max(slope, largest_curvature(program, start));
      const bool usual = (moves == 0.0 || (moves > small && moves < large)) && (change == 0.0 || change > tiny);
      if (!usual)
        use_own_units(program, start);
      else if (change > 0.0 && change < small)
        cost = 1.0 / change;
      return true;
    });
  }

  double largest_slope(const NonlinearProgram& program, std::span<const double> x) const {
    std::vector<double> slope(x.size());
    program.cost_gradient(x, slope);
    double most = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(slope[i] * natural.column[i]));
    return most;
  }

  // Second derivatives of the cost: its slope one natural unit away from where it is flat.
  double largest_curvature(const NonlinearProgram& program, std::span<const double> x) const {
    std::vector<double> values(program.hessian.size()), diagonal(x.size(), 0.0);
    program.hessian_values(x, 1.0, std::vector<double>(program.row_lower.size(), 0.0), values);
    for (std::size_t k = 0; k < values.size(); ++k)
      if (const auto [i, j] = program.hessian[k]; i == j) diagonal[static_cast<std::size_t>(i)] += values[k];
    double most = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i)
      most = std::max(most, std::abs(diagonal[i]) * natural.column[i] * natural.column[i]);
    return most;
  }

  // The Jacobian does not tell metres from micrometres: all columns may be multiplied and all rows divided by one
  // factor. It is the size of what moves. The cost changes by one.
  void use_own_units(const NonlinearProgram& program, std::span<const double> start) {
    natural = balance(program, start);
    if (const double moves = largest_variable(program, start); moves > 0.0) size = moves;
    for (double& c : natural.column) c *= size;
    for (double& r : natural.row) r /= size;
    const double change = std::max(largest_slope(program, start), largest_curvature(program, start));
    if (change > 0.0 && std::isfinite(change)) cost = 1.0 / change;
  }

 private:
  double largest_variable(const NonlinearProgram& program, std::span<const double> x) const {
    double most = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (program.lower[i] < program.upper[i]) most = std::max(most, std::abs(x[i]) / natural.column[i]);
    return most;
  }
};

class Adaptor : public Ipopt::TNLP {
 public:
  using Index = Ipopt::Index;
  using Number = Ipopt::Number;

  Adaptor(const NonlinearProgram& program, std::span<const double> start, const ProgramScale& scale,
          const SolverOptions& options, Solution& solution)
      : program_(program), start_(start), scale_(scale), options_(options), solution_(solution) {}

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

  bool get_scaling_parameters(Number& cost, bool& scale_x, Index, Number* x, bool& scale_g, Index, Number* g) override {
    cost = scale_.cost;
    std::transform(scale_.natural.column.begin(), scale_.natural.column.end(), x, [](double c) { return 1.0 / c; });
    std::copy(scale_.natural.row.begin(), scale_.natural.row.end(), g);
    scale_x = scale_g = true;
    return true;
  }

  bool get_starting_point(Index, bool, Number* x, bool multipliers, Number* below, Number* above, Index, bool weights,
                          Number* weight) override {
    std::copy(start_.begin(), start_.end(), x);
    if (multipliers) {
      std::copy(options_.near->below.begin(), options_.near->below.end(), below);
      std::copy(options_.near->above.begin(), options_.near->above.end(), above);
    }
    if (weights) std::copy(options_.near->weight.begin(), options_.near->weight.end(), weight);
    return true;
  }

  bool eval_f(Index n, const Number* x, bool, Number& value) override {
    return attempted([&] {
      value = program_.cost({x, static_cast<std::size_t>(n)});
      return std::isfinite(value);
    });
  }

  bool eval_grad_f(Index n, const Number* x, bool, Number* gradient) override {
    const auto size = static_cast<std::size_t>(n);
    return attempted([&] {
      latest_.assign(x, x + size);
      program_.cost_gradient({x, size}, {gradient, size});
      return all_finite({gradient, size});
    });
  }

  bool eval_g(Index n, const Number* x, bool, Index m, Number* g) override {
    const std::span<double> rows(g, static_cast<std::size_t>(m));
    return attempted([&] {
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
    return attempted([&] {
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
    return attempted([&] {
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
    solution_.below.assign(below, below + size);
    solution_.above.assign(above, above + size);
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
  const ProgramScale& scale_;
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

// Rows at the start, in natural sizes, so nearly satisfied that weights which fit there fit the solution.
bool starts_near(const NonlinearProgram& program, std::span<const double> start, const ProgramScale& scale) {
  constexpr double near = 1e-2;
  return guarded([&] {
    std::vector<double> g(program.row_lower.size());
    program.rows(start, g);
    for (std::size_t i = 0; i < g.size(); ++i)
      if (!(scale.natural.row[i] * std::max(program.row_lower[i] - g[i], g[i] - program.row_upper[i]) <= near))
        return false;
    return true;
  });
}

constexpr double pivot_threshold_at_first = 1e-3, highest_pivot_threshold = 0.1;

// An IPOPT that has no place for our factors has MUMPS, here in an order that is the same in every run.
void choose_linear_solver(Ipopt::OptionsList& set) {
  if (!IpoptFactors::possible()) {
    set.SetStringValue("linear_solver", "mumps");
    set.SetIntegerValue("mumps_permuting_scaling", 0);
    set.SetIntegerValue("mumps_pivot_order", 0);
    set.SetNumericValue("mumps_pivtol", pivot_threshold_at_first);
    return;
  }
  set.SetStringValue("linear_solver", IpoptFactors::solver_name);
  set.SetStringValue("linear_system_scaling", "none");
  set.SetNumericValue("ma27_pivtol", pivot_threshold_at_first);
  set.SetNumericValue("ma27_pivtolmax", highest_pivot_threshold);
}

// Hardly moved off the bounds that hold there.
void begin_with_multipliers(Ipopt::OptionsList& set) {
  constexpr double hardly = 1e-5;
  set.SetStringValue("warm_start_init_point", "yes");
  for (const char* what : {"bound_push", "bound_frac", "slack_bound_push", "slack_bound_frac", "mult_bound_push"})
    set.SetNumericValue(std::string("warm_start_") + what, hardly);
}

Solution solve_scaled(const NonlinearProgram& program, std::span<const double> start, const ProgramScale& scale,
                      const SolverOptions& options) {
  Solution solution;
  const Ipopt::SmartPtr<Ipopt::IpoptApplication> solver = new Ipopt::IpoptApplication(false);
  const Ipopt::SmartPtr<Ipopt::TNLP> adaptor = new Adaptor(program, start, scale, options, solution);
  const auto set = solver->Options();
  set->SetIntegerValue("print_level", 0);
  set->SetStringValue("sb", "yes");
  const IpoptFactors factors;
  choose_linear_solver(*set);
  set->SetStringValue("nlp_scaling_method", "user-scaling");
  // Few variables of a motion meet their bounds: the barrier need not be lowered step by step.
  set->SetStringValue("mu_strategy", "adaptive");
  set->SetStringValue("option_file_name", "");
  set->SetNumericValue("tol", options.tolerance);
  set->SetNumericValue("constr_viol_tol", options.tolerance * scale.size);  // not scaled by the solver
  set->SetNumericValue("bound_relax_factor", 0.0);
  set->SetIntegerValue("max_iter", options.max_iterations);
  // Least squares give first weights of the rows. The solver does not trust those above a thousand, but begins at zero:
  // from a motion that is nearly the right one it then goes far away. Steps of many stages have larger ones.
  constexpr double any = 1e12;
  if (starts_near(program, start, scale)) set->SetNumericValue("constr_mult_init_max", any);
  if (options.near != nullptr) begin_with_multipliers(*set);
  tell(solver->Initialize() == Ipopt::Solve_Succeeded ? solver->OptimizeTNLP(adaptor) : Ipopt::Internal_Error,
       solution);
  if (is_interrupted() && solution.status != SolverStatus::solved)
    solution.status = SolverStatus::interrupted, solution.reason = "interrupted";
  return solution;
}

}  // namespace

Solution solve(const NonlinearProgram& program, std::span<const double> start, const SolverOptions& given) {
  const auto lock = lock_mumps();
  SolverOptions options = given;
  ProgramScale scale(program, start);
  Solution solution = solve_scaled(program, start, scale, options);
  if (std::exchange(options.near, nullptr) != nullptr && solution.status != SolverStatus::solved &&
      solution.status != SolverStatus::interrupted) {
    const int iterations = solution.iterations;
    solution = solve_scaled(program, start, scale, options);
    solution.iterations += iterations;
  }
  // A cost that is flat even where the search has ended may be far from its least value: again, magnified, or in other
  // units.
  const double slope = solution.status == SolverStatus::solved ? scale.largest_slope(program, solution.x) : 0.0;
  if (!(slope > 0.0) || slope * scale.cost > ProgramScale::flattest) return solution;
  scale.cost = 1.0 / slope;
  ProgramScale other = scale;
  other.use_own_units(program, solution.x);
  for (const ProgramScale& magnified : {scale, other}) {
    Solution again = solve_scaled(program, solution.x, magnified, options);
    again.iterations += solution.iterations;
    if (again.status == SolverStatus::solved && again.cost <= solution.cost) return again;
  }
  return solution;
}

}  // namespace invar

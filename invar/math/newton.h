// Damped Newton iteration for r(x) = 0 with a convergence test that needs no units
// [P. Deuflhard, Newton Methods for Nonlinear Problems, sec. 2.1, 3.3].
//
// With the correction J Δx = −r every equation gets its natural size from the Jacobian,
//   s_i = Σ_j |J_ij| (|x_j| + |c_j|),    t_i = Σ_j |J_ij| max_k (|x_k| + |c_k|), k in the group of j,
// where c is the simplified correction J c = −r(x + Δx) with the factors at hand: it is also the error of x + Δx.
//   Small:     |r_i| ≤ tolerance · s_i for all i. Then c is added as a last improvement, so that x is mostly exact to
//              round-off, well below the tolerance.
//   Round-off: a full step no longer halves the residual, and |r_i| ≤ tolerance · t_i for all i: what remains are
//              rows made up of noise, for example the multiplier of a rod that carries nothing. Or, when no step helps:
//              steps too short to matter throw the residual about, as where constants cancel that neither s nor t
//              can see.
// Linear equations also end where what remains is no more than the round-off of all equations, ε s, does to each one
// by way of the unknowns: accelerations of what hangs at rest are noise, whatever equations of their own say.
//
// A start is accepted without a step only if it is at round-off, |r_i| ≤ 8 ε s_i.
//
// A step of length α = 1, 1/2, … 2⁻¹⁰ is accepted if it shortens the residual, measured by row sizes, or the
// correction, measured by the sizes of the unknowns; the second is the natural test, which ill-conditioned problems
// need.
//
// If asked for, factors are kept from one solution to the next: x ← x + c with the residual alone, as long as each step
// leaves at most half of the one before [Deuflhard, sec. 2.2, 2.3]. The end is where |r_i| ≤ tolerance · s_i and the
// rate promises next to nothing after the last step, or no step reduces it further, so that the digits are the same.
// Where that is not to be, or new factors would be cheaper, they are made anew, and if these do not serve, the damped
// iteration begins at the start. Steps with coupled stages may be solved stage by stage in the same way
// (stage_solver.h). Which way takes the fewest operations is found by doing (cheapest_way.h).
//
// Where the equations are a function, whole iterations may come from one piece of code (newton_line.h): x ← x + c with
// the correction c of x itself, as long as each is at most half as long as the one before. The end is the same: |r_i| ≤
// tolerance · s_i, or round-off, and c as a last improvement. Otherwise everything begins anew at the start.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "invar/base/pattern.h"
#include "invar/math/cheapest_way.h"
#include "invar/math/linear_solver.h"
#include "invar/math/newton_line.h"
#include "invar/math/stage_solver.h"

namespace invar {

struct NewtonOptions {
  double tolerance = 1e-12;
  int max_iterations = 30;
  bool keep_factors = false;  // where the residual can be had alone
  // Solutions after which whole iterations come from one function, or never. By then the general way has taken about
  // the time of the C compiler, whatever the size.
  static constexpr int never = -1;
  int in_line_after = 100'000;

  void check() const;  // InputError that names the bad field
};

enum class NewtonStatus {
  converged,
  stalled,   // no decrease along the Newton direction, iteration limit, or no finite value at the start
  singular,  // the Jacobian does not determine all unknowns
};

struct NewtonResult {
  NewtonStatus status;
  int iterations;        // Newton steps
  double error;          // max_i |r_i| / s_i at the last residual evaluated (before the last improvement)
  int worst_equation;    // where that maximum is; -1 if there are no equations
  int singular_unknown;  // an unknown that the Jacobian leaves undetermined; -1 if the status is not singular
  int factorisations = 0;
  bool contracted = false;  // with factors that were kept or made a few times, by half at least in each step
};

class Newton {
 public:
  // Writes the residual and the values of the Jacobian (parallel to pattern.row) at x.
  using Evaluate =
      std::function<void(std::span<const double> x, std::span<double> residual, std::span<double> jacobian)>;

  // `group` gives each unknown a number; unknowns of one number are of one kind (all positions, all multipliers) and
  // share a typical size, the largest value among them. Without groups each unknown stands alone.
  explicit Newton(const Pattern& pattern, NewtonOptions options = {}, std::vector<int> group = {},
                  LinearSolver::Kind kind = LinearSolver::Kind::automatic);

  // Writes the residual alone.
  using Residual = std::function<void(std::span<const double> x, std::span<double> residual)>;

  // The unknowns and equations are those of coupled stages.
  void couple(const CoupledStages& stages);

  // The Jacobian is the same everywhere: what a step leaves of the residual follows without another evaluation.
  void set_linear() { linear_ = true; }

  // Operations that the residual takes alone and with the Jacobian, which is taken for dear otherwise.
  void set_work(double residual, double jacobian);

  // For the same equations, with numbers of its own; shares the analysis of the pattern.
  Newton another() const;

  // From the start x to the solution x. On failure x is the best iterate. Allocates nothing once the pivot order is
  // found.
  NewtonResult solve(const Evaluate& evaluate, std::span<double> x);
  // The same, with factors that are kept first, if they are.
  NewtonResult solve(const Evaluate& evaluate, const Residual& residual, std::span<double> x);

  // The equations are this function, whose inputs from `first` on are the unknowns.
  void learn_from(const Function& residual_and_jacobian, std::size_t first);
  void compile(const Compiler& compiler);
  // The same, with whole iterations by one function once solutions have shown its pivots. `in` are the arguments of
  // that function; x becomes part of them.
  NewtonResult solve(const Evaluate& evaluate, std::span<double> in, std::span<double> x);
  bool has_line() const { return line_ && line_->is_known(); }
  void forget_line() {
    if (line_) line_->forget();
  }

  // Factors that were kept belong to another problem from now on.
  void forget_factors() {
    solver_.forget_factors();
    for (Kept& factors : kept_) factors.known = false;
  }
  // The same, and whatever else was learned from solutions.
  void forget() {
    forget_factors();
    forget_line();
    ways_.forget();
    by_turns_ = 0;
    kept_ = {};
  }

 private:
  static constexpr double epsilon = std::numeric_limits<double>::epsilon(), tiny = std::numeric_limits<double>::min();
  static bool all_finite(std::span<const double> v);

  Newton(const Pattern& pattern, NewtonOptions options, std::vector<int> group, LinearSolver solver);

  // A place with its residual and Jacobian.
  struct Iterate {
    std::vector<double> x, residual, jacobian;
    bool finite = false;
    double error = 0;  // max_i |r_i| / s_i
    int worst = -1;
  };
  enum class Step { accepted, converged, failed };

  NewtonResult solve_anew(const Evaluate& evaluate, std::span<double> x);
  bool solve_linear();  // from the present place; it stays if that fails
  bool is_elimination_noise(const Iterate& at);
  // With factors of stages that are kept, or of all unknowns, or with such that are made at every start, or with none.
  enum class Way { stages, whole, renewed, anew };
  // Factors that are kept: of stages, or of all unknowns.
  struct Kept {
    bool known = false;
    double step_work = 0, renewal_work = 0;
    double spent = 0;  // since they were made, for so many solutions
    int solutions = 0, last_steps = 0;
    double fresh_rate = 0.05;

    // Did the last solution take more than the average of all?
    bool is_worn() const { return solutions > 0 && step_work * last_steps * solutions > spent; }
  };
  Way next_way();
  void note_work(double work);
  Kept& factors() { return kept_[by_stages_ ? 0 : 1]; }
  const Kept& factors() const { return kept_[by_stages_ ? 0 : 1]; }
  enum class Contraction { found, nearer, lost };  // as far as the factors at hand lead
  bool serve(const Evaluate& evaluate, const Residual& residual, std::span<const double> x);
  bool renew_factors(const Evaluate& evaluate);
  void note_factors();
  Contraction contract(const Residual& residual);
  Contraction contract_rows(const Residual& residual);
  Contraction contract_stages(const Residual& residual);
  bool gives_up(double rate, double to_go) const;
  void note_rate(double length, double first, int steps);
  bool leaves_round_off(double rate);
  std::optional<int> solve_in_line(const Evaluate& evaluate, std::span<double> in, std::span<const double> x);
  bool ends_at_floor(const Evaluate& evaluate);
  void begin(const Evaluate& evaluate, std::span<const double> x);
  bool factor();
  void visit(const Evaluate& evaluate, Iterate& at) const;
  void set_typical(const Iterate& at, std::span<const double> c);
  void set_natural();
  // s_i or, if asked for, t_i
  void measure_rows(const Iterate& at, std::span<const double> c, bool typical);
  void measure_error(Iterate& at) const;
  bool is_small(Iterate& at);
  bool is_at_floor(const Iterate& at, std::span<const double> c);
  double residual_norm(const Iterate& at, std::span<const double> size) const;
  double unknown_norm(std::span<const double> v) const;
  static double weighted_norm(std::span<const double> v, std::span<const double> weight);
  double relative_norm(std::span<const double> v, std::span<const double> size) const;
  void correction(const Iterate& at, std::vector<double>& c);
  Step advance(const Evaluate& evaluate);
  void try_step(const Evaluate& evaluate, double alpha);
  bool is_erratic(const Evaluate& evaluate);
  NewtonResult result(NewtonStatus status, int iterations, std::span<double> x) const;

  Pattern pattern_;
  NewtonOptions options_;
  std::vector<int> group_;
  LinearSolver solver_;
  std::optional<StageSolver> stages_;
  std::unique_ptr<LearnedLine> line_;
  bool linear_ = false;
  bool by_stages_ = false;  // are the factors at hand those of stages?
  int factorisations_ = 0;  // of this solution
  Iterate current_, trial_;
  CheapestWay ways_{2};  // whole and renewed, or with stages all of them
  int by_turns_ = 0;     // first solutions, of both kinds of factors
  std::array<Kept, 2> kept_;
  bool fresh_ = false;                            // were they made for this solution?
  int kept_steps_ = 0;                            // of this solution, with factors that are kept
  double work_ = 0;                               // likewise, operations
  double residual_work_ = 0, jacobian_work_ = 0;  // of an evaluation
  std::vector<double> step_;                      // Δx
  std::vector<double> simplified_;                // c
  std::vector<double> typical_;                   // by unknown
  std::vector<double> natural_, fine_;            // likewise, of stages: see set_natural
  std::vector<double> group_size_;                // by group
  std::vector<double> row_size_;                  // s_i or t_i, as last measured
  std::vector<double> step_size_;                 // row sizes that the lengths of a step are compared by
  std::vector<double> row_weight_;                // their reciprocals
  std::vector<double> curvature_;                 // |(J(trial) − J(current)) α Δx|_i
};

}  // namespace invar

// Direct transcription: the steps of a scheme over all intervals of a motion as rows of one nonlinear program.
//
//   min Σ h L(m_k, u_k) + E(x_N),   R(x_k, x_{k+1}, λ_k, u_k, h) = 0,   x_0 given,   limits on x, u, formulas
//
// [J. T. Betts, Practical Methods for Optimal Control, 2010; with structure-preserving schemes:
// R. Siebert, Mechanical integrators for the optimal control in multibody dynamics, 2012]. Inputs are constant in an
// interval. Variables: x_0, c_0, w_0, x_1, c_1, w_1, …, x_N, c_N, μ, a_0, λ_0 and, if it is free, the horizon;
// x = (q, v), w = (λ, further unknowns of the step, u). Where joint coordinates of the nodes are given and the scheme
// allows it, x are these and their speeds, and w = u, after the same of stages inside the step, see reduced_interval.h;
// motions are the same.
//
// c is what a scheme carries from node to node besides q and v, as the accelerations of generalized-α or the node
// before of two-step formulas. At the first node it follows from a_0 and λ_0, those of the equations of motion with the
// inputs of the first interval. Most schemes carry nothing.
//
// Rest at the end means that no velocity is left that the constraints allow: p_N = Gᵀ(q_N) μ with any μ, since a scheme
// that keeps constraints at position level leaves small velocities across them, which no input can change. Without
// constraints v_N = 0.
//
// Limits of formulas hold at the nodes; where a formula contains inputs or multipliers, which belong to the intervals,
// in the middle of these, so that its error is of second order in h. Further places inside intervals can be asked for
// one by one.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "invar/model/problem/problem.h"
#include "invar/program/nonlinear_program.h"
#include "invar/scheme/scheme.h"
#include "invar/task/transcription/block.h"
#include "invar/task/transcription/joint_nodes.h"
#include "invar/task/transcription/optimize_settings.h"

namespace invar {

// Limits of one number.
struct Range {
  double lower, upper;
};
inline constexpr Range unbounded{-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
inline Range both(const Range& a, const Range& b) { return {std::max(a.lower, b.lower), std::min(a.upper, b.upper)}; }

// Where a formula that is one of these symbols stands among them.
std::optional<std::size_t> place(const Exprs& symbols, const Expr& f);

struct IntervalSymbols;
struct ReducedInterval;

// What is known of the further unknowns of the steps.
enum class Unknowns { open, of_another_mesh, known };

// A motion on a mesh of equal intervals.
struct MeshMotion {
  double horizon = 0.0;
  std::vector<std::vector<double>> x;             // q, v at the nodes
  std::vector<std::vector<double>> w;             // multipliers, further unknowns, inputs of the intervals
  std::vector<std::vector<double>> carried = {};  // at the nodes, by schemes that carry something
  std::vector<double> start = {};                 // a and λ there, with such schemes
  Unknowns unknowns = Unknowns::open;

  std::size_t intervals() const { return w.size(); }
};

// A place inside an interval where a limit shall hold too, on the cubic through the nodes.
struct InnerPlace {
  std::size_t limit;     // in OptimizeSettings::bounds
  std::size_t interval;  // of a mesh that is known to whoever asks
  double fraction;       // of the interval, from its start
};

class Transcription {
 public:
  // InputError if the scheme or the settings do not fit the system. `references` are the given functions of time in the
  // formulas. With `places` it serves one mesh only. `joints` describe the nodes, if they can.
  Transcription(const System& system, const Scheme& scheme, const OptimizeSettings& settings,
                std::span<const Reference> references = {}, std::span<const InnerPlace> places = {},
                const std::optional<JointNodes>& joints = {});

  std::size_t coordinate_count() const { return n_; }
  std::size_t multiplier_count() const { return m_; }  // zero if the scheme needs none
  std::size_t input_count() const { return inputs_; }
  std::size_t first_input() const { return w_ - inputs_; }   // in w of a motion
  std::size_t interval_size() const { return w_; }           // of w there
  bool in_joints() const { return joints_.has_value(); }     // nodes are joint coordinates and speeds …
  bool in_joint_rates() const { return joints_ && rates_; }  // … which are their rates
  // Variables from one node to the next, of which the last ones are the inputs.
  std::size_t stride() const { return node_ + inside_; }
  std::size_t variable_count(std::size_t intervals) const;

  // The program for a motion from `start` (q, v) to an end whose entries q, v lie in `goal`.
  NonlinearProgram program(std::size_t intervals, std::span<const double> start, std::span<const Range> goal);

  std::vector<double> pack(const MeshMotion& motion) const;
  MeshMotion unpack(std::span<const double> x, std::size_t intervals);

  // Sets what is not known of the further unknowns of the steps to what the scheme guesses, and what nodes carry to
  // what x suggests. Of another mesh all but the positions within steps can stay.
  void guess_unknowns(MeshMotion& motion);
  // Sets what stands inside the intervals to what steps from their first nodes with their inputs have, where these can
  // be taken. The nodes stay.
  void solve_steps(MeshMotion& motion);

  // Weights of the rows of such a program with fewer places inside the intervals; none on what is added.
  std::vector<double> with_further_places(std::span<const double> weight, std::size_t intervals) const;

  // What row i of a program is about, and the interval it belongs to.
  std::string row_name(std::size_t row, std::size_t intervals) const;
  std::size_t interval_of(std::size_t row, std::size_t intervals) const;  // as many as there are, for rows of the end
  // The equations of an interval. In a program the rows of each stand together: row r of interval k is r·intervals + k.
  std::span<const std::string> equation_names() const {
    return std::span(names_).first(names_.size() - path_ranges_.size() - inner_.size());
  }

  // Of every interval: energy gained less work of inputs and forces.
  std::vector<double> energy_balance(const MeshMotion& motion);
  std::vector<double> energy(const MeshMotion& motion);  // at the nodes
  // Weights of the equations of the scheme in every interval, those of row r at r·intervals, and what the rows are.
  std::vector<double> costates(const MeshMotion& motion, std::span<const double> weight);
  std::span<const std::string> costate_names() const { return joints_ ? costate_names_ : equation_names(); }
  // Of every interval: -∂(cost + weight·rows)/∂h, the discrete Hamiltonian of optimal control.
  std::vector<double> hamiltonian(const MeshMotion& motion, std::span<const double> weight);

 private:
  // A given function of time as the equations of an interval need it.
  struct Given {
    std::shared_ptr<const TimeFunction> function;
    std::size_t order;
  };
  enum class Part { values, derivatives };
  // A row for places inside the intervals, at most one in each.
  struct InnerRow {
    std::size_t limit;
    Expr symbol;  // of the fraction
    Range range;
    std::vector<std::pair<std::size_t, double>> fractions;  // interval, fraction
    std::vector<double> per_interval(std::size_t intervals) const;
  };

  struct Formulas;  // of an interval, of the start and of the end

  std::optional<ReducedInterval> reduce(const IntervalSymbols& s, const System& system,
                                        const OptimizeSettings& settings, const std::optional<JointNodes>& joints);
  void put_reduced(const IntervalSymbols& s, const ReducedInterval& r, Formulas& f);
  std::optional<std::size_t> node_place(const IntervalSymbols& s, const Expr& formula) const;
  void limit_interval(const IntervalSymbols& s, const std::vector<Limit>& bounds, Exprs& rows);
  void limit_inside(const IntervalSymbols& s, const std::vector<Limit>& bounds, std::span<const InnerPlace> places,
                    Exprs& rows);
  void limit_end(const IntervalSymbols& s, const OptimizeSettings& settings, Formulas& f);
  void end_at_rest(const IntervalSymbols& s, Formulas& f);
  Exprs set_given(const IntervalSymbols& s, std::span<const Reference> references);
  void set_measures(const IntervalSymbols& s, const Formulas& f, const ReducedInterval* r, const Exprs& inputs);
  std::vector<double> interval_variables(std::span<const double> w, std::vector<double> near) const;
  void set_recovery(const ReducedInterval& r, const Exprs& inputs, const Exprs& weighted);

  void limit_variables(NonlinearProgram& p, std::size_t N, std::span<const double> start,
                       std::span<const Range> goal) const;
  void limit_rows(NonlinearProgram& p, std::size_t N, std::span<const Range> goal) const;
  void place_entries(NonlinearProgram& p, std::size_t N) const;
  // Variables, by their places in interval k, at the start and at the end.
  std::size_t at_interval(std::size_t i, std::size_t k, std::size_t N) const;
  std::size_t at_start(std::size_t i, std::size_t N) const;
  std::size_t at_end(std::size_t i, std::size_t N) const;

  void guess_carried(MeshMotion& motion);
  std::vector<double> node_variables(std::span<const double> x, std::vector<double>& near) const;
  void recover_multipliers(std::span<const double> x, MeshMotion& motion);
  void gather(std::span<const double> x, std::size_t N);
  void gather_given(std::size_t N, std::size_t first);
  void gather_ends(std::span<const double> x, std::size_t N, std::size_t first_given);
  void evaluate(Part part, std::span<const double> x, std::size_t N);
  double total_cost(std::size_t N) const;
  void cost_slope(std::size_t N, std::span<double> slope) const;
  void curvature(std::span<const double> x, double factor, std::span<const double> weight, std::size_t N,
                 std::span<double> h);
  std::vector<double> per_interval(const Function& f, std::size_t N) const;
  std::vector<double> weighted(const Function& f, const MeshMotion& motion, std::span<const double> weight);

  std::size_t n_, m_ = 0, further_ = 0, inputs_, w_ = 0, carried_ = 0;
  std::size_t node_ = 0, inside_ = 0;              // variables of the program at a node and in an interval
  std::optional<JointNodes> joints_;               // if they are the variables at the nodes …
  bool rates_ = false;                             // … and their rates the speeds there
  std::vector<std::optional<std::size_t>> plain_;  // where entries of (q, v) stand among the variables of a node
  // Reactions of an interval, of which the multipliers follow: places in w, entries in lanes.
  struct Reactions {
    std::size_t first;
    Pattern pattern;
  };
  std::vector<Reactions> reactions_;
  std::vector<std::size_t> stages_;  // nodes inside an interval that joints describe: places of their q, v in w
  std::vector<std::string> costate_names_;
  std::optional<Function> node_values_, reaction_values_, costate_values_;
  std::size_t impulses_ = 0;  // that bring a system with constraints to rest, at the end
  std::size_t starts_ = 0;    // a_0, λ_0
  bool free_horizon_;
  double fixed_horizon_;
  Range horizon_range_;
  std::vector<double> parameters_;
  std::vector<std::string> names_, end_names_, start_names_;  // of rows of an interval, of the end and of the start
  std::vector<Range> path_ranges_, end_ranges_;  // of rows of an interval after its equations, and of the end
  std::vector<std::pair<std::size_t, std::size_t>> goal_rows_;  // rows of the end that are entries of (q, v)
  std::vector<InnerRow> inner_;                                 // the last rows of an interval
  std::vector<Range> node_ranges_, w_ranges_;
  std::vector<bool> position_;  // which further unknowns are positions
  std::vector<Given> given_;
  std::optional<Block> interval_, end_, start_;
  std::optional<Function> unknowns_guess_, carried_guess_, balance_, energy_, hamiltonian_, instants_;
  // Lanes of the blocks, filled by gather(), and what evaluate() made of them last.
  std::vector<double> x_, in_, end_in_, start_in_;
  struct Numbers {
    bool known = false;
    std::vector<double> inside, end, start;
  };
  Numbers values_, derivatives_, curvature_;
};

}  // namespace invar

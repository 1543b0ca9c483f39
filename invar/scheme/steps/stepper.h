// A scheme applied to a system, ready to run: one tape for residual and Jacobian, Newton's method, no allocation in a
// step.
//
// Where a scheme says that its equations can be solved in groups, one after the other, they are: the stages of explicit
// methods. Where accelerations are formulas, as those of open trees of bodies, explicit methods solve nothing at all
// (tree_steps.h).
//
// The equations of a large step may have several solutions (rotations by angles that differ by a turn), of which the
// one that small steps lead to is meant. Where Newton's method comes from far, the step is approached: solved for h/32,
// h/16, … h, each begun from those before.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "invar/math/extrapolation.h"
#include "invar/math/newton.h"
#include "invar/scheme/servo.h"
#include "invar/scheme/steps/step_formulas.h"
#include "invar/scheme/steps/tree_steps.h"
#include "invar/system/reference.h"
#include "invar/system/state_function.h"
#include "invar/tape/function.h"

namespace invar {

struct StepperOptions {
  SchemeOptions scheme;
  NewtonOptions newton;
  bool as_stated = false;  // by the scheme's own equations, also where others lead to the same motion more quickly
};

// A copy shares the formulas and has its own numbers: for another thread, or other values of the parameters.
class Stepper {
 public:
  // Writes u(t).
  using Inputs = TreeSteps::Inputs;

  // `references` are the given functions of time that the system contains. With `servo` the inputs are unknowns of each
  // step.
  Stepper(const System& system, const Scheme& scheme, const StepperOptions& options = {},
          std::span<const Reference> references = {}, const Servo& servo = {});
  ~Stepper();
  Stepper(const Stepper& other);
  Stepper& operator=(const Stepper&) = delete;

  // In place of those of the system; before start().
  void set_parameters(std::span<const double> values);

  // Sets the first node. The state has consistent a and λ, see start.h; h is the size of the steps to come. Inputs that
  // are sought begin with u.
  void start(const State& state, double h, std::span<const double> u = {});

  // From the present node to the one h later. If Newton's method fails the present node stays.
  NewtonResult advance(double h, const Inputs& inputs);

  // Of schemes that know the inside of a step, for the last one: how far its end is off, by an embedded method, and the
  // motion at a part of it from 0 to 1.
  bool knows_inside() const;
  void error_of_step(std::span<double> q, std::span<double> v);
  void inside(double part, const Inputs& inputs, std::span<double> q, std::span<double> v, std::span<double> lambda);

  // Baumgarte's terms that follow the step take this time where it is longer.
  void keep_pace(double pace) { pace_ = pace; }

  // Matrices factored so far. Factors are kept over steps if StepperOptions::newton says so.
  std::uint64_t factorisations() const { return factorisations_; }
  // Steps in which Newton's method alone went to another solution.
  std::uint64_t mended() const { return mended_; }

  double t() const { return t_; }
  void set_t(double t) { t_ = t; }  // removes the rounding of many small steps
  std::span<const double> q() const { return part(0, n_); }
  std::span<const double> v() const { return part(n_, n_); }
  std::span<const double> lambda();  // found when asked for, where steps do without
  // What was sought: the inputs of the last step, on average.
  std::span<const double> u() const { return part(2 * n_ + m_ + carried_, sought_inputs_); }
  double inputs_at() const { return inputs_at_; }  // the part of a step to which they belong

  const std::string& equation(int row) const;
  const std::string& unknown(int column) const;
  std::size_t unknown_count() const;

  // Is a step nothing but formulas, without unknowns?
  bool is_explicit() const { return explicit_.has_value(); }

  // The tape of residual and Jacobian (of the first group; none if a step is explicit): itself (arguments as in in_
  // below, results: residual, then the Jacobian in the places of pattern()), its length, and its replacement by machine
  // code where that can be had.
  const Function& residual_function() const;
  const Pattern& pattern() const;
  std::span<const double> arguments() const { return in_; }
  std::size_t instruction_count() const;
  // What a step is made of, for whoever takes steps in another way; nothing if a step is explicit, if its equations are
  // solved in groups, or if its unknowns may belong to another turn (see above).
  std::optional<StepFormulas> formulas() const;
  void compile(const Compiler& compiler);
  bool is_compiled() const;
  // Do whole iterations of Newton's method come from one function by now, in all groups?
  bool is_in_line() const;

  // A copy of the present node, to return to if a longer way fails.
  struct Memory {
    double t = 0.0;
    bool has_lambda = true;
    std::vector<double> node = {};

    template <class Archive>
    void store(Archive& archive) {
      archive(t, has_lambda, node);
    }
  };
  void save(Memory& memory) const;
  void restore(const Memory& memory);

 private:
  struct Programs;  // what never changes
  struct Group;     // equations that are solved together
  struct Given;     // a function of time at one instant of a step

  void make_newton();
  void make_evaluations();
  void prepare(double h, const Inputs& inputs);
  void evaluate_given();
  NewtonResult solve_groups(std::span<double> x);
  NewtonResult solve(double h, const Inputs& inputs, std::span<double> x);
  NewtonResult advance_explicitly(double h, const Inputs& inputs);
  NewtonResult approach(double h, const Inputs& inputs, std::span<double> x);
  NewtonResult solve_from_guess(double h, std::span<double> x);
  bool is_doubtful(const NewtonResult& result, double h, std::span<const double> x) const;

  std::span<const double> part(std::size_t offset, std::size_t size) const {
    return {in_.data() + node0_ + offset, size};
  }

  std::size_t node_size() const { return 2 * n_ + m_ + carried_ + sought_inputs_; }

  std::size_t n_ = 0, m_ = 0, carried_ = 0, sought_inputs_ = 0;
  std::size_t node0_ = 0;  // place in in_
  double inputs_at_ = 1.0;
  std::shared_ptr<const Programs> programs_;  // none if a step is explicit
  std::optional<TreeSteps> explicit_;
  std::vector<Newton> newton_;  // by group
  std::vector<Newton::Evaluate> evaluate_;
  std::vector<Newton::Residual> evaluate_alone_;
  std::vector<Scratch> residual_scratch_, alone_scratch_;
  Scratch guess_scratch_, carry_scratch_, instants_scratch_, inside_scratch_, error_scratch_;
  // Arguments of all tapes: unknowns | t0, h | q0, v0, λ0, carried, u sought | u at each fraction | parameters | pace,
  // part of the step | given functions
  std::vector<double> in_, out_, next_;
  std::vector<double> done_, inside_;  // arguments of the last step, and what is inside it
  double pace_ = 0.0;
  double factored_for_ = 0.0;                           // the step to which kept factors belong
  std::vector<double> instant_, series_;                // of given functions
  bool by_increments_ = false;                          // unknowns are speeds of the step: the last ones are a guess
  bool remembered_ = false;                             // is there a last step?
  std::vector<double> last_, approached_, near_, far_;  // unknowns
  Extrapolation ahead_;                                 // of the unknowns of steps of one size
  StagePolynomial onward_;                              // of coupled stages, of steps of any size
  int abandoned_ = 0;                                   // iterations from where those led, if to nothing
  std::uint64_t mended_ = 0, factorisations_ = 0;
  bool has_lambda_ = true;  // does that of the present node stand in in_?
  double t_ = 0.0;
};

}  // namespace invar

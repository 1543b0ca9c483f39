// Steps of an explicit Runge–Kutta method where accelerations are formulas: every stage is one evaluation of a tape,
// and nothing is solved. The first stage of a step is not evaluated where its numbers are known: those of the last
// stage of the step before, or of the first one of a step that was rejected.
//
// Balls turn by Euler parameters, which are numbers like others: stages and ends of steps are moved onto their
// conditions, |p| = 1 and p·p' = 0, which is the method on a vector field with the same motion. Or they are stepped on
// the rotation group, with three rates and accelerations (ball_turns.h). See runge_kutta.h for the method,
// articulated.h for the formulas.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "invar/scheme/runge_kutta.h"
#include "invar/scheme/steps/ball_turns.h"
#include "invar/system/reference_values.h"
#include "invar/tape/function.h"

namespace invar {

// A copy shares the formulas and has its own numbers.
class ExplicitSteps {
 public:
  // Writes u(t).
  using Inputs = std::function<void(double t, std::span<double> u)>;

  // `acceleration` in the symbols t, q, v and u of the equations. With a map balls are stepped on the rotation group.
  ExplicitSteps(const System& system, const Equations& e, const Exprs& acceleration, const RungeKutta& method,
                std::span<const Reference> references, std::vector<Ball> balls = {},
                std::optional<RotationMap> map = {});

  void set_parameters(std::span<const double> values);

  // From t to t + h; false, and nothing is changed, if an acceleration is not finite.
  bool advance(double t, double h, std::span<double> q, std::span<double> v, const Inputs& inputs);

  // Of the last step, if the method knows them: by how much its end is off, and the motion at a part of it.
  bool knows_inside() const { return !method_->inside.empty(); }
  void error_of_step(std::span<double> q, std::span<double> v) const;
  void inside(double part_of_step, std::span<double> q, std::span<double> v) const;
  std::span<const double> begin() const { return begin_q_; }  // of the last step, its positions

  std::size_t instruction_count() const;                         // of a step
  std::size_t evaluation_count() const { return evaluations_; }  // of the accelerations, so far
  void compile(const Compiler& compiler) { acceleration_ = acceleration_.compiled(compiler); }
  bool is_compiled() const { return acceleration_.is_compiled(); }

 private:
  std::span<double> part(std::size_t first, std::size_t size) { return {in_.data() + first, size}; }
  void set_instant(double t, Side at_knots, const Inputs& inputs);
  bool know_first_stage();  // its accelerations, of the arguments in in_
  void accelerate(std::span<double> a);
  // sum += h Σ_i weight_i y_i
  void add(std::span<const double> weight, const std::vector<double>& y, std::span<double> sum) const;
  // q and v get the increments and speeds with these weights, from the start of the step.
  void set_off(std::span<const double> weight, std::span<double> q, std::span<double> v) const;

  const RungeKutta* method_;
  std::size_t n_, inputs_, parameters_;
  BallTurns balls_;
  bool timed_;  // accelerations depend on t itself
  ReferenceValues given_;
  Function acceleration_;
  Scratch scratch_;
  std::vector<double> in_;                 // t | q | v | u | parameters | given functions of time
  std::vector<double> rate_, change_;      // of the stages, one after the other: v and a, or k and ν'
  std::vector<double> begin_q_, begin_v_;  // of the last step: q and v, or q and ν
  std::vector<double> begun_, ended_;      // in_ of the first stage and of the last, whose numbers are in change_
  double h_ = 0.0;
  std::size_t evaluations_ = 0;
};

}  // namespace invar

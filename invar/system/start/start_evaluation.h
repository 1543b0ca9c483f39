// Numbers for mass matrix, constraints and their gradients at a state, as dense matrices.
#pragma once

#include <memory>
#include <span>

#include "invar/math/matrix.h"
#include "invar/system/equations.h"
#include "invar/system/state_function.h"

namespace invar {

// A copy shares the formulas and has its own numbers.
class StartEvaluation {
 public:
  StartEvaluation(const System& system, std::span<const Reference> references);

  void set_parameters(std::span<const double> values);

  Matrix mass(const State& s) { return matrix(mass_(s), n_); }
  Matrix gradient(const State& s) { return matrix(gradient_(s), m_); }
  Vector value(const State& s) { return vector(value_(s)); }
  Vector rate(const State& s) { return vector(rate_(s)); }
  // The sums of the sizes of their terms.
  Vector value_size(const State& s) { return vector(value_size_(s)); }
  Vector rate_size(const State& s) { return vector(rate_size_(s)); }
  // Equations of motion and constraints at acceleration level.
  Vector motion(const State& s, std::span<const double> u) { return vector(motion_(s, u)); }
  bool is_finite(const State& s) { return mass(s).allFinite() && value(s).allFinite() && gradient(s).allFinite(); }

  const Equations& formulas() const { return *e_; }
  bool has_constant_mass() const { return constant_mass_; }
  Level level(int c) const { return e_->level[static_cast<std::size_t>(c)]; }
  int coordinates() const { return n_; }
  int constraints() const { return m_; }

 private:
  static Vector vector(std::span<const double> x);
  Matrix matrix(const std::vector<double>& by_rows, int rows) const;

  int n_, m_;
  std::shared_ptr<const Equations> e_;
  bool constant_mass_;
  StateFunction mass_, gradient_, value_, rate_, value_size_, rate_size_, motion_;
};

bool has_constant_mass(const Equations& e);

}  // namespace invar

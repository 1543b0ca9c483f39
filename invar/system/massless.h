// What coordinates without mass owe at the start. Along directions Z that neither the mass matrix nor the constraints
// see,
//
//   M Z = 0,   G Z = 0:      Zᵀ F(t,q,v) = Zᵀ (∂V/∂q − f − Bᵀu + …) = 0        (F: the equations of motion)
//
// the equations of motion hold no acceleration. Where they hold a velocity (damping, D = Zᵀ ∂F/∂v Z ≠ 0) they are
// differential equations of first order: they tell that velocity, and any position will do. The rest, Lᵀ Zᵀ F = 0 with
// Lᵀ D = 0, are hidden constraints on the positions and, differentiated in time, on the velocities. A scheme without
// numerical damping started off them zigzags about them for ever.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "invar/math/matrix.h"
#include "invar/system/equations.h"
#include "invar/system/state_function.h"

namespace invar {

// A copy shares the formulas and has its own numbers.
class MasslessBalance {
 public:
  MasslessBalance(const System& system, const Equations& e, std::span<const Reference> references);

  void set_parameters(std::span<const double> values);

  // Z at a state; no columns if every motion moves mass or is held.
  static Matrix directions(const Matrix& mass, const Matrix& gradient);

  // How far the hidden constraints are from holding, relative to their terms, and the coordinate most concerned.
  struct Imbalance {
    double relative = 0.0;
    std::string coordinate;
  };
  Imbalance imbalance(const State& s, std::span<const double> u, const Matrix& Z);

  struct Inputs {
    std::span<const double> u, rate;  // none: what inputs act on they will balance
  };
  // Moves positions and velocities along Z until everything above holds. `complete` brings a changed state back onto
  // the constraints and gives it accelerations and multipliers; `find_directions` tells Z there. Returns what is left.
  Imbalance settle(State& s, const Inputs& inputs, const std::function<Matrix(const State&)>& find_directions,
                   const std::function<void(State&)>& complete);

 private:
  struct Split;
  Split split(const State& s, std::span<const double> u, const Matrix& Z, bool open_inputs);
  Imbalance worst(const Split& p, const Vector& along) const;
  void settle_velocities(State& s, const Inputs& inputs, const Split& p, const std::function<void(State&)>& complete);

  std::vector<std::string> names_;
  StateFunction forces_, sizes_, stiffness_, damping_, rate_, directions_;  // F, its terms, ∂F/∂q, ∂F/∂v, dF/dt, Bᵀ
  std::size_t inputs_;
};

}  // namespace invar

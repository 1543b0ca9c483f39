// Energy of a motion against the work done on it. Energy that no force has supplied is a sign of divergence:
//
//   T + V - (T + V)₀ ≤ ∫ max(P, 0) dt,    P = v·(f + Bᵀu)
#pragma once

#include "invar/task/simulate/motion.h"
#include "invar/task/simulate/motion_rows.h"

namespace invar {

struct EnergyChange {
  bool is_conserved = false;
  double scale = 0.0;        // largest kinetic energy or difference of potential energies met
  double largest = 0.0;      // |E - E₀|, zero if it is round-off
  double unexplained = 0.0;  // largest gain beyond the work; zero where T, V or constraints depend on time
  double t = 0.0;            // when
};
EnergyChange measure_energy(const Motion& motion, const MotionRows& rows);

// Of a quantity that is to be constant, relative to its terms.
double largest_change(const Motion& motion, const MotionRows& rows, const Conserved& quantity);

}  // namespace invar

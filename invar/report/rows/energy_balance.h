// Where the energy of a motion comes from: the work of inputs and other forces that have no potential.
#pragma once

#include <optional>
#include <vector>

#include "invar/model/problem/problem.h"
#include "invar/record/summary.h"
#include "invar/record/trajectory.h"

namespace invar {

struct EnergyBalance {
  std::vector<double> work;    // until each row, ∫ (f + Bᵀu)·dq; empty if there are no such forces
  std::vector<double> change;  // of the energy since the first row, less the work: what the numerics add
};

// Forces are the means of both ends of a step, which is exact to second order. `held` inputs keep their values until
// the next row; where their directions are constant the sum is then that of the discrete equations. Nothing if the
// energy also changes otherwise (by motions given in time), or if the table lacks a column.
std::optional<EnergyBalance> energy_balance(const Problem& problem, const Trajectory& motion, bool held);

// Whether the inputs of a run keep their values from row to row.
bool holds_inputs(const Summary& summary);

// The table with the columns energy.work and energy.balance, where there are such (of the plant, if the problem has
// one), and with the Hamiltonian of optimal control: that of interval k from node k on.
Trajectory report_table(const Problem& problem, const Summary& summary, const Trajectory& motion,
                        const Trajectory* costates);

}  // namespace invar

// An Observer turns a state of a System into a full row of the results: state, inputs, outputs, energies, invariants,
// drift.
//
//   t | q | v as name' | lambda.NAME | u | y | energy.kinetic energy.potential energy.total | momentum.NAME of cyclic
//   coordinates | declared invariants | drift.position = max |Φ| | drift.velocity = max |Φ̇|
//
// drift.position covers the constraints at position level, drift.velocity those and the ones at velocity level.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "invar/system/conserved.h"
#include "invar/system/reference_values.h"
#include "invar/system/system.h"
#include "invar/tape/function.h"

namespace invar {

class Observer {
 public:
  // InputError if two columns would have the same name, or a formula contains what a state does not tell.
  explicit Observer(const System& system, std::span<const Reference> signals = {});

  const std::vector<std::string>& columns() const { return columns_; }
  // Which of the columns ought to be constant.
  const std::vector<Conserved>& conserved() const { return conserved_; }

  // Fills `row`, one number per column. Allocates nothing after the first call.
  void observe(double t, std::span<const double> q, std::span<const double> v, std::span<const double> lambda,
               std::span<const double> u, std::span<const double> parameters, std::span<double> row);

 private:
  friend class ObservedRows;
  struct Formulas;
  explicit Observer(const Formulas& formulas);

  std::vector<std::string> columns_;
  std::vector<Conserved> conserved_;
  std::vector<std::size_t> sizes_;  // of q, v, λ, u, parameters
  std::size_t position_count_;      // constraint residuals follow the derived columns: positions, then velocities
  ReferenceValues signals_;         // the last arguments of the function
  Function function_;
  Scratch scratch_;
  std::vector<double> in_, out_;
};

}  // namespace invar

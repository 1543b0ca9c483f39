// How well a motion satisfies all equations of a Dae.
#pragma once

#include <span>

#include "invar/dae/jet.h"

namespace invar {

// The largest residual of each equation over the whole motion, relative to the largest sum of its terms.
class EquationResidual {
 public:
  EquationResidual(const Dae& dae, JetEvaluator& evaluator);
  void add(std::span<const Jet* const> jets);
  void add(const Jet& jet);
  double worst() const;

 private:
  const Dae& dae_;
  JetEvaluator& evaluator_;
  Vector residual_, size_;  // by equation
  Matrix terms_;            // by jet and equation
};

double equation_residual(const Dae& dae, JetEvaluator& evaluator, std::span<const Jet> jets);

}  // namespace invar

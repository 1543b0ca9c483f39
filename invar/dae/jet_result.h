// How the solution of a jet at one instant ended.
#pragma once

namespace invar {

struct JetResult {
  enum class Status {
    converged,
    stalled,   // Newton's method found no solution from this predictor
    singular,  // the equations leave open what they should determine
  };
  Status status = Status::stalled;
  int iterations = 0;
  double error = 0.0;       // last change of the jet, relative to the size of the unknowns
  int worst_equation = -1;  // the one with the largest residual, if not converged
};

}  // namespace invar

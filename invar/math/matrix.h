// The dense matrices and vectors of the linear algebra that runs outside the time loop.
#pragma once

#include <Eigen/Core>

namespace invar {

using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

}  // namespace invar

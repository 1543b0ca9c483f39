// Eigen's decompositions of dense matrices, compiled once in decompositions.cpp: their templates take long to compile.
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/LU>
#include <Eigen/QR>

#include "invar/math/matrix.h"

extern template class Eigen::PartialPivLU<invar::Matrix>;
extern template class Eigen::ColPivHouseholderQR<invar::Matrix>;
extern template class Eigen::CompleteOrthogonalDecomposition<invar::Matrix>;
extern template class Eigen::LLT<invar::Matrix, Eigen::Lower>;
extern template Eigen::LLT<invar::Matrix, Eigen::Lower>& Eigen::LLT<invar::Matrix, Eigen::Lower>::compute(
    const Eigen::EigenBase<invar::Matrix>&);
extern template class Eigen::LDLT<invar::Matrix, Eigen::Lower>;
extern template Eigen::LDLT<invar::Matrix, Eigen::Lower>& Eigen::LDLT<invar::Matrix, Eigen::Lower>::compute(
    const Eigen::EigenBase<invar::Matrix>&);

// See decompositions.h.
#include "invar/math/decompositions.h"

template class Eigen::PartialPivLU<invar::Matrix>;
template class Eigen::ColPivHouseholderQR<invar::Matrix>;
template class Eigen::CompleteOrthogonalDecomposition<invar::Matrix>;
template class Eigen::LLT<invar::Matrix, Eigen::Lower>;
template Eigen::LLT<invar::Matrix, Eigen::Lower>& Eigen::LLT<invar::Matrix, Eigen::Lower>::compute(
    const Eigen::EigenBase<invar::Matrix>&);
template class Eigen::LDLT<invar::Matrix, Eigen::Lower>;
template Eigen::LDLT<invar::Matrix, Eigen::Lower>& Eigen::LDLT<invar::Matrix, Eigen::Lower>::compute(
    const Eigen::EigenBase<invar::Matrix>&);

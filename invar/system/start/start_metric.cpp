// See start_metric.h.
#include "invar/system/start/start_metric.h"

#include <algorithm>

#include "invar/math/decompositions.h"
#include "invar/math/eigen_pairs.h"
#include "invar/math/rank.h"

namespace invar {

std::vector<std::string> negative_masses(const System& system, const std::vector<double>& diagonal) {
  std::vector<bool> of_body(system.coordinates.size(), false);
  for (const RigidBody& b : system.bodies)
    std::fill_n(of_body.begin() + static_cast<std::ptrdiff_t>(b.first), b.size(), true);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < of_body.size(); ++i)
    if (!of_body[i] && diagonal[i] < 0.0) names.push_back(system.coordinates[i].name());
  return names;
}

Matrix metric(Matrix mass) {
  const Vector diagonal = mass.diagonal();
  const double largest = diagonal.size() > 0 ? diagonal.maxCoeff() : 0.0;
  const double filler = largest > 0.0 ? 1e-3 * largest : 1.0;
  for (Eigen::Index i = 0; i < mass.rows(); ++i) mass(i, i) = diagonal[i] > 0.0 ? diagonal[i] * (1.0 + 1e-9) : filler;
  if (Eigen::LLT<Matrix>(mass).info() == Eigen::Success) return mass;
  constexpr double smallest = 1e-6;  // weight of a direction, once every coordinate weighs one
  const Vector unit = mass.diagonal().cwiseSqrt();
  const SymmetricEigen parts =
      symmetric_eigen(unit.cwiseInverse().asDiagonal() * mass * unit.cwiseInverse().asDiagonal());
  const Matrix V = unit.asDiagonal() * parts.vectors;
  return V * parts.values.cwiseAbs().cwiseMax(smallest).asDiagonal() * V.transpose();
}

std::vector<std::string> negative_masses(const System& system, const Matrix& mass, const Matrix& gradient) {
  const Vector diagonal = mass.diagonal();
  std::vector<std::string> names = negative_masses(system, {diagonal.begin(), diagonal.end()});
  if (!names.empty() || mass.size() == 0) return names;
  constexpr double indefinite = 1e-9;  // of the largest eigenvalue
  Vector unit = mass.diagonal().cwiseAbs().cwiseSqrt();
  unit = (unit.array() > 0.0).select(unit, 1.0);
  const Matrix free = unit.cwiseInverse().asDiagonal() * null_space(gradient * unit.cwiseInverse().asDiagonal());
  const Matrix seen = free.transpose() * mass * free;
  if (seen.size() == 0) return names;
  const SymmetricEigen parts = symmetric_eigen(seen);
  if (parts.values[0] >= -indefinite * parts.values.cwiseAbs().maxCoeff()) return names;
  Eigen::Index most = 0;
  unit.cwiseProduct(free * parts.vectors.col(0)).cwiseAbs().maxCoeff(&most);
  names.push_back(system.coordinates[static_cast<std::size_t>(most)].name());
  return names;
}

}  // namespace invar

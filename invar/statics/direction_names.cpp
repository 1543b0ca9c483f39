// See direction_names.h.
#include "invar/statics/direction_names.h"

#include <algorithm>

#include "invar/math/decompositions.h"

namespace invar {

namespace {

// `rotation of "ball"` for a coordinate of a director.
std::string name_of(const System& system, std::size_t i) {
  for (const RigidBody& body : system.bodies)
    if (i >= body.first + static_cast<std::size_t>(body.dimension) && i < body.first + body.size())
      return "rotation of " + body.name;
  return system.coordinates[i].name();
}

}  // namespace

std::vector<std::string> direction_names(const System& system, const StaticPoint& p, const Matrix& directions) {
  std::vector<std::string> names;
  if (directions.cols() == 0) return names;
  // Coordinates in the unit of y, which is the same for all of them; pivots are those that move most and independently.
  Matrix moved(directions.rows(), directions.cols());
  for (Eigen::Index k = 0; k < directions.cols(); ++k)
    moved.col(k) = p.L.rowwise().norm().cwiseProduct(p.displacement(directions.col(k)));
  const Eigen::ColPivHouseholderQR<Matrix> qr(moved.transpose());
  for (Eigen::Index k = 0; k < std::min(qr.rank(), directions.cols()); ++k) {
    std::string name = name_of(system, static_cast<std::size_t>(qr.colsPermutation().indices()[k]));
    if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

std::string in_a_list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

}  // namespace invar

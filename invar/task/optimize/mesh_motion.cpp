// See mesh_motion.h.
#include "invar/task/optimize/mesh_motion.h"

#include <algorithm>
#include <cmath>

#include "invar/task/optimize/first_guess.h"

namespace invar {

bool move_alike(const MeshMotion& a, const MeshMotion& b) {
  const MeshMotion& coarse = a.intervals() < b.intervals() ? a : b;
  const MeshMotion& fine = a.intervals() < b.intervals() ? b : a;
  constexpr double alike = 0.1, hardly = 0.01;  // of the way of a coordinate; of the longest way
  const std::size_t n = fine.x.front().size() / 2;
  if (std::abs(coarse.horizon - fine.horizon) > alike * fine.horizon) return false;
  const MeshMotion same = remeshed(fine, coarse.intervals());
  std::vector<double> way(n), difference(n);
  for (std::size_t i = 0; i < n; ++i) {
    double least = fine.x[0][i], most = least;
    for (const std::vector<double>& x : fine.x) {
      least = std::min(least, x[i]);
      most = std::max(most, x[i]);
    }
    way[i] = most - least;
    for (std::size_t k = 0; k <= coarse.intervals(); ++k)
      difference[i] = std::max(difference[i], std::abs(coarse.x[k][i] - same.x[k][i]));
  }
  const double longest = *std::max_element(way.begin(), way.end());
  for (std::size_t i = 0; i < n; ++i)
    if (difference[i] > alike * std::max(way[i], hardly * longest)) return false;
  return true;
}

}  // namespace invar

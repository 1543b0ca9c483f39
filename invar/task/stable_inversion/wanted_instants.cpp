// See wanted_instants.h.
#include "invar/task/stable_inversion/wanted_instants.h"

#include <algorithm>

namespace invar {

namespace {

// The jet at t from its neighbours on the mesh, by the polynomial through six of them.
Jet interpolated(const std::vector<Jet>& jets, double t) {
  constexpr std::size_t neighbours = 6;
  const auto after =
      std::lower_bound(jets.begin(), jets.end(), t, [](const Jet& jet, double at) { return jet.t < at; });
  const std::size_t place = static_cast<std::size_t>(after - jets.begin());
  const std::size_t first = std::clamp<std::size_t>(place, 3, jets.size() - 3) - 3;
  Jet result = jets[first];
  result.t = t;
  for (std::size_t j = 0; j < result.x.size(); ++j)
    for (std::size_t r = 0; r < result.x[j].size(); ++r) {
      double sum = 0.0;
      for (std::size_t a = first; a < first + neighbours; ++a) {
        double term = jets[a].x[j][r];
        for (std::size_t b = first; b < first + neighbours; ++b)
          if (b != a) term *= (t - jets[b].t) / (jets[a].t - jets[b].t);
        sum += term;
      }
      result.x[j][r] = sum;
    }
  return result;
}

}  // namespace

std::vector<Jet> with_wanted(const std::vector<Jet>& jets, const std::vector<double>& wanted) {
  const double same = 1e-6 * (jets[1].t - jets[0].t);
  std::vector<Jet> all = jets;
  for (const double t : wanted) {
    const auto near =
        std::lower_bound(jets.begin(), jets.end(), t - same, [](const Jet& jet, double at) { return jet.t < at; });
    if (near != jets.end() && near->t <= t + same)
      all[static_cast<std::size_t>(near - jets.begin())].t = t;
    else
      all.push_back(interpolated(jets, t));
  }
  std::sort(all.begin(), all.end(), [](const Jet& a, const Jet& b) { return a.t < b.t; });
  return all;
}

}  // namespace invar

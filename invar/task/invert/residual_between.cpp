// See residual_between.h.
#include "invar/task/invert/residual_between.h"

#include <algorithm>

#include "invar/dae/equation_residual.h"

namespace invar {

namespace {

// Value, first and second derivative in the middle of an interval h, from those at its ends: the quintic polynomial, or
// the cubic one if there are no second derivatives.
Derivatives middle(const Derivatives& x, const Derivatives& y, double h) {
  const double step = y[0] - x[0], rise = y[1] - x[1], sum = x[1] + y[1];
  if (x.size() < 3 || y.size() < 3)
    return {0.5 * (x[0] + y[0]) - h / 8.0 * rise, 1.5 * step / h - 0.25 * sum, rise / h};
  const double bend = x[2] + y[2], twist = y[2] - x[2];
  return {0.5 * (x[0] + y[0]) - 5.0 / 32.0 * h * rise + h * h / 64.0 * bend,
          15.0 / 8.0 * step / h - 7.0 / 16.0 * sum + h / 32.0 * twist, 1.5 * rise / h - 0.25 * bend};
}

}  // namespace

double residual_between(const InverseStructure& s, const std::vector<Jet>& jets, const JetInterpolation& interpolation,
                        std::span<const double> singular) {
  std::vector<Jet> between;
  for (std::size_t k = 0; k + 1 < jets.size(); ++k) {
    const Jet &a = jets[k], &b = jets[k + 1];
    const double h = b.t - a.t;
    if (std::any_of(singular.begin(), singular.end(), [&](double t) { return t > a.t - 2.0 * h && t < b.t + 2.0 * h; }))
      continue;
    Jet m;
    m.t = a.t + 0.5 * h;
    for (std::size_t j = 0; j < a.x.size(); ++j) {
      const bool moves = s.dae.unknowns[j].kind == UnknownKind::coordinate && a.x[j].size() > 1 && b.x[j].size() > 1;
      m.x.push_back(moves ? middle(a.x[j], b.x[j], h) : Derivatives{interpolation.value(k, j, m.t)});
    }
    between.push_back(std::move(m));
  }
  return equation_residual(s.dae, *s.evaluator, between);
}

}  // namespace invar

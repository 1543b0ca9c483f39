// See equation_residual.h.
#include "invar/task/equation_residual.h"

#include <algorithm>
#include <cmath>

namespace invar {

double equation_residual(const Dae& dae, JetEvaluator& evaluator, std::span<const Jet> jets) {
  const auto n = static_cast<Eigen::Index>(dae.equations.size());
  Vector residual = Vector::Zero(n), size = Vector::Zero(n);
  Matrix f, p;
  for (const Jet& jet : jets) {
    evaluator.residuals(jet, 0, f);
    evaluator.partials(jet, 0, p);
    residual = residual.cwiseMax(f.col(0).cwiseAbs());
    Vector terms = Vector::Zero(n);
    for (std::size_t k = 0; k < evaluator.partial_list().size(); ++k) {
      const Partial& partial = evaluator.partial_list()[k];
      const std::vector<double>& x = jet.x[static_cast<std::size_t>(partial.unknown)];
      if (static_cast<std::size_t>(partial.order) < x.size())
        terms[partial.equation] +=
            std::abs(p(static_cast<Eigen::Index>(k), 0) * x[static_cast<std::size_t>(partial.order)]);
    }
    size = size.cwiseMax(terms);
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    residual[i] *= dae.units.equation(static_cast<std::size_t>(i));
    size[i] *= dae.units.equation(static_cast<std::size_t>(i));
  }
  // An equation whose terms are all noise is measured by the others of its kind.
  constexpr double noise = 1e-6;
  double worst = 0.0;
  for (Eigen::Index i = 0; i < n; ++i) {
    double scale = size[i];
    for (Eigen::Index k = 0; k < n; ++k)
      if (dae.equations[static_cast<std::size_t>(k)].kind == dae.equations[static_cast<std::size_t>(i)].kind)
        scale = std::max(scale, noise * size[k]);
    if (scale > 0.0) worst = std::max(worst, residual[i] / scale);
  }
  return worst;
}

namespace {

// Value, first and second derivative in the middle of an interval h, from those at its ends: the quintic polynomial, or the cubic one if
// there are no second derivatives.
std::vector<double> middle(const std::vector<double>& x, const std::vector<double>& y, double h) {
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
      m.x.push_back(moves ? middle(a.x[j], b.x[j], h) : std::vector<double>{interpolation.value(k, j, m.t)});
    }
    between.push_back(std::move(m));
  }
  return equation_residual(s.dae, *s.evaluator, between);
}

}  // namespace invar

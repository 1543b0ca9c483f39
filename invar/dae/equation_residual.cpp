// See equation_residual.h.
#include "invar/dae/equation_residual.h"

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

}  // namespace invar

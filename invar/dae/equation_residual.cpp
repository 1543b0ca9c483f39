// See equation_residual.h.
#include "invar/dae/equation_residual.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace invar {

EquationResidual::EquationResidual(const Dae& dae, JetEvaluator& evaluator)
    : dae_(dae),
      evaluator_(evaluator),
      residual_(Vector::Zero(std::ssize(dae.equations))),
      size_(residual_),
      terms_(residual_) {}

void EquationResidual::add(const Jet& jet) {
  const std::span<const double> f = evaluator_.series(jet, 0);
  residual_ = residual_.cwiseMax(Eigen::Map<const Vector>(f.data(), residual_.size()).cwiseAbs());
  const std::span<const double> varying = evaluator_.varying_series();
  const std::vector<Partial>& list = evaluator_.partial_list();
  terms_.setZero();
  for (std::size_t k = 0; k < list.size(); ++k) {
    const std::vector<double>& x = jet.x[static_cast<std::size_t>(list[k].unknown)];
    if (static_cast<std::size_t>(list[k].order) >= x.size()) continue;
    const int place = evaluator_.varying_place(k);
    const double slope = place == JetEvaluator::constant_partial ? evaluator_.constant_value(k)
                                                                 : varying[static_cast<std::size_t>(place)];
    terms_[list[k].equation] += std::abs(slope * x[static_cast<std::size_t>(list[k].order)]);
  }
  size_ = size_.cwiseMax(terms_);
}

double EquationResidual::worst() const {
  // An equation whose terms are all noise is measured by the others of its kind.
  constexpr double noise = 1e-6;
  std::array<double, 3> largest = {};
  const auto kind = [&](std::size_t i) { return static_cast<std::size_t>(dae_.equations[i].kind); };
  const auto in_units = [&](const Vector& of, std::size_t i) {
    return of[static_cast<Eigen::Index>(i)] * dae_.units.equation(i);
  };
  for (std::size_t i = 0; i < dae_.equations.size(); ++i)
    largest[kind(i)] = std::max(largest[kind(i)], in_units(size_, i));
  double worst = 0.0;
  for (std::size_t i = 0; i < dae_.equations.size(); ++i) {
    const double scale = std::max(in_units(size_, i), noise * largest[kind(i)]);
    if (scale > 0.0) worst = std::max(worst, in_units(residual_, i) / scale);
  }
  return worst;
}

double equation_residual(const Dae& dae, JetEvaluator& evaluator, std::span<const Jet> jets) {
  EquationResidual all(dae, evaluator);
  for (const Jet& jet : jets) all.add(jet);
  return all.worst();
}

}  // namespace invar

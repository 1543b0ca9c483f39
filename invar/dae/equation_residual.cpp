// See equation_residual.h.
#include "invar/dae/equation_residual.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace invar {

EquationResidual::EquationResidual(const Dae& dae, JetEvaluator& evaluator)
    : dae_(dae), evaluator_(evaluator), residual_(Vector::Zero(std::ssize(dae.equations))), size_(residual_) {}

void EquationResidual::add(std::span<const Jet* const> jets) {
  const Eigen::Index count = std::ssize(jets);
  const auto all = [&](std::span<const double> numbers) {
    return Eigen::Map<const Matrix>(numbers.data(), count, std::ssize(numbers) / count);
  };
  const auto f = all(evaluator_.values_at(jets));
  const auto varying = all(evaluator_.varying_at());
  residual_ = residual_.cwiseMax(f.cwiseAbs().colwise().maxCoeff().transpose());
  const std::vector<Partial>& list = evaluator_.partial_list();
  terms_.setZero(count, residual_.size());
  for (std::size_t k = 0; k < list.size(); ++k) {
    const auto x = all(evaluator_.unknown_at(static_cast<std::size_t>(list[k].unknown), list[k].order));
    const int place = evaluator_.varying_place(k);
    if (place == JetEvaluator::constant_partial)
      terms_.col(list[k].equation) += std::abs(evaluator_.constant_value(k)) * x.cwiseAbs();
    else
      terms_.col(list[k].equation) += varying.col(place).cwiseProduct(x).cwiseAbs();
  }
  size_ = size_.cwiseMax(terms_.colwise().maxCoeff().transpose());
}

void EquationResidual::add(const Jet& jet) {
  const Jet* const one = &jet;
  add({&one, 1});
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
  for_portions(jets, [&](std::span<const Jet* const> some) { all.add(some); });
  return all.worst();
}

}  // namespace invar

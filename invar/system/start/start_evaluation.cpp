// See start_evaluation.h.
#include "invar/system/start/start_evaluation.h"

#include <algorithm>

#include "invar/expr/symbol_places.h"
#include "invar/tape/term_size.h"

namespace invar {

namespace {

Exprs joined(std::initializer_list<Exprs> lists) {
  Exprs all;
  for (const Exprs& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

}  // namespace

bool has_constant_mass(const Equations& e) {
  const SymbolPlaces places(e.q);
  const Exprs found = symbols(e.mass().value);
  return std::ranges::none_of(
      found, [&](const Expr& s) { return s == e.t || s.kind() == SymbolKind::reference || places.contains(s); });
}

StartEvaluation::StartEvaluation(const System& system, std::span<const Reference> references)
    : n_(static_cast<int>(system.coordinates.size())),
      m_(static_cast<int>(system.constraints.size())),
      e_(std::make_shared<const Equations>(equations(system))),
      constant_mass_(invar::has_constant_mass(*e_)),
      mass_(system, dense(e_->mass()), references),
      gradient_(system, dense(e_->gradient), references),
      value_(system, e_->constraint, references),
      rate_(system, e_->constraint_rate, references),
      value_size_(system, term_sizes(e_->constraint), references),
      rate_size_(system, term_sizes(e_->constraint_rate), references),
      motion_(system, joined({e_->dynamics, e_->constraint_acceleration}), references) {}

void StartEvaluation::set_parameters(std::span<const double> values) {
  for (StateFunction* f : {&mass_, &gradient_, &value_, &rate_, &value_size_, &rate_size_, &motion_})
    f->set_parameters(values);
}

Vector StartEvaluation::vector(std::span<const double> x) {
  return Eigen::Map<const Vector>(x.data(), static_cast<Eigen::Index>(x.size()));
}

Matrix StartEvaluation::matrix(const std::vector<double>& by_rows, int rows) const {
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(by_rows.data(), rows,
                                                                                                  n_);
}

}  // namespace invar

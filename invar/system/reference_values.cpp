// See reference_values.h.
#include "invar/system/reference_values.h"

#include <algorithm>

#include "invar/expr/derivative.h"

namespace invar {

ReferenceValues::ReferenceValues(std::span<const Expr> formulas, std::span<const Reference> references) {
  if (references.empty()) return;
  for (const Expr& symbol : invar::symbols(formulas)) {
    if (symbol.kind() != SymbolKind::reference) continue;
    for (const Reference& r : references)
      if (at(r.value) == symbol.derivative(0)) {
        symbols_.push_back(symbol);
        given_.push_back({r.function, static_cast<std::size_t>(symbol.order())});
        series_.resize(std::max(series_.size(), given_.back().order + 1));
      }
  }
}

void ReferenceValues::operator()(double t, std::span<double> values, Side at_knots) {
  for (std::size_t i = 0; i < given_.size(); ++i) {
    const std::size_t order = given_[i].order;
    given_[i].function->series(t, at_knots, {series_.data(), order + 1});
    values[i] = series_[order];
    for (std::size_t k = 2; k <= order; ++k) values[i] *= static_cast<double>(k);
  }
}

}  // namespace invar

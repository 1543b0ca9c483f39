// Values of the references that some formulas contain, as further arguments of their Function.
#pragma once

#include <span>
#include <vector>

#include "invar/system/reference.h"

namespace invar {

class ReferenceValues {
 public:
  // References that are not listed are left out, and so stay unknown symbols.
  ReferenceValues(std::span<const Expr> formulas, std::span<const Reference> references);

  const Exprs& symbols() const { return symbols_; }
  // Writes the value of each symbol at t. Allocates nothing.
  void operator()(double t, std::span<double> values, Side at_knots = Side::right);

 private:
  struct Given {
    std::shared_ptr<const TimeFunction> function;
    std::size_t order;
  };

  Exprs symbols_;
  std::vector<Given> given_;  // by symbol
  std::vector<double> series_;
};

}  // namespace invar

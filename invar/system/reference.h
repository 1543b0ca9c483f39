// Given functions of time: what an output shall follow, or a signal in a formula. Smooth between knots, with every
// derivative.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "invar/expr/expr.h"

namespace invar {

// At a knot a derivative may jump; which of the two smooth pieces is meant?
enum class Side { left, right };

class TimeFunction {
 public:
  static constexpr int analytic = 1000;

  virtual ~TimeFunction() = default;
  // Taylor coefficients f^(k)(t)/k! for k = 0 … out.size()-1, of the smooth piece on this side of t.
  virtual void series(double t, Side side, std::span<double> out) const = 0;
  // Ascending times at which some derivative jumps.
  virtual std::vector<double> knots() const = 0;
  // The derivatives 0 … smoothness are continuous for all times; `analytic` if there are no knots.
  virtual int smoothness() const = 0;
  // A few words for messages, e.g. "5-6-7-8-9 polynomial".
  virtual std::string describe() const = 0;
};

struct Reference {
  std::string name;
  Variable value;  // at(value, k) is the symbol of the k-th derivative
  std::shared_ptr<const TimeFunction> function;
};

}  // namespace invar

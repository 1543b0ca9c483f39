// The scale of one axis of a plot: a range with ticks at 1, 2 or 5 times a power of ten.
#pragma once

#include <string>
#include <vector>

namespace invar {

struct Axis {
  double low = 0.0;
  double high = 1.0;
  std::vector<double> ticks;
  std::vector<std::string> labels;  // of the ticks, over 10^exponent
  int exponent = 0;

  double fraction(double value) const { return (value - low) / (high - low); }
};

// An axis over [low, high] with about `count` ticks. Data that change by less than a millionth of their size get a
// range of that size, so that rounding does not look like motion. An empty or infinite range gives [0, 1].
Axis nice_axis(double low, double high, int count);

// A logarithmic axis over 10^low … 10^high: ticks at powers of ten, at most about `count`. Its places are exponents.
Axis decades_axis(double low, double high, int count);

// "×10⁻¹⁴", or nothing for exponent 0.
std::string power_of_ten(int exponent);

}  // namespace invar

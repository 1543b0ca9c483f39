// Nice numbers for the ticks of an axis.
#include "invar/report/plot/axis.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace invar {

namespace {

constexpr double constant = 1e-6;    // relative change below which data count as constant
constexpr double smallest = 1e-290;  // keeps the arithmetic of steps clear of subnormal numbers
constexpr double largest = 1e290;

double power10(int exponent) { return std::pow(10.0, exponent); }
int decade(double value) { return static_cast<int>(std::floor(std::log10(value))); }

void widen_if_constant(double& low, double& high) {
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low > std::max(constant * size, smallest)) return;
  const double margin = size > smallest ? 0.5 * size : 1.0;
  low -= margin;
  high += margin;
}

double nice_step(double range, int count) {
  const double raw = range / count;
  const double unit = power10(decade(raw));
  for (double factor : {1.0, 2.0, 5.0})
    if (factor * unit >= raw * (1.0 - constant)) return factor * unit;
  return 10.0 * unit;
}

std::string label(double value, int decimals) {
  char buffer[64];
  const auto end =
      std::to_chars(buffer, buffer + sizeof buffer, std::abs(value), std::chars_format::fixed, decimals).ptr;
  return (value < 0.0 ? "−" : "") + std::string(buffer, end);
}

std::string raised(int exponent) {
  static constexpr const char* digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = exponent < 0 ? "⁻" : "";
  for (char digit : std::to_string(std::abs(exponent))) text += digits[digit - '0'];
  return text;
}

}  // namespace

Axis nice_axis(double low, double high, int count) {
  Axis axis;
  if (std::isfinite(low) && std::isfinite(high) && low <= high) {
    axis.low = std::clamp(low, -largest, largest);
    axis.high = std::clamp(high, -largest, largest);
  }
  widen_if_constant(axis.low, axis.high);
  const double step = nice_step(axis.high - axis.low, count);
  const double first = std::ceil(axis.low / step - constant), last = std::floor(axis.high / step + constant);
  for (double k = first; k <= last; ++k) axis.ticks.push_back(k * step);

  double size = step;
  for (double tick : axis.ticks) size = std::max(size, std::abs(tick));
  const int order = decade(size * (1.0 + constant));
  constexpr int plain_from = -2, plain_to = 3;  // 0.01 … 9999 are written out
  if (order < plain_from || order > plain_to) axis.exponent = order;
  const int decimals = std::max(0, axis.exponent - decade(step * (1.0 + constant)));
  for (double tick : axis.ticks) axis.labels.push_back(label(tick / power10(axis.exponent), decimals));
  return axis;
}

Axis decades_axis(double low, double high, int count) {
  Axis axis;
  if (std::isfinite(low) && std::isfinite(high) && low <= high) {
    axis.low = low;
    axis.high = high;
  }
  if (axis.high - axis.low < 1.0) {  // at least one power of ten lies inside
    axis.low = std::floor(axis.low);
    axis.high = axis.low + std::ceil(axis.high - axis.low + 1.0);
  }
  constexpr double slack = 1e-9;  // of a decade: logarithms of powers of ten are rounded
  const double first = std::ceil(axis.low - slack), last = std::floor(axis.high + slack);
  const double every = std::max(1.0, std::ceil((last - first) / count));
  for (double k = every * std::ceil(first / every); k <= last; k += every) {
    axis.ticks.push_back(k);
    axis.labels.push_back("10" + raised(static_cast<int>(k)));
  }
  return axis;
}

std::string power_of_ten(int exponent) { return exponent == 0 ? "" : "×10" + raised(exponent); }

}  // namespace invar

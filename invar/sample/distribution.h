// Distributions by the inverse of their distribution function: from a number of the unit interval to a value. What they
// need of elementary functions is computed here, in operations that every machine rounds alike.
#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace invar {

struct Distribution {
  std::string_view name;
  std::array<std::string_view, 2> parameters;
  // What is wrong with them, or nothing.
  std::string_view (*complaint)(double a, double b);
  // 0 < u < 1
  double (*quantile)(double u, double a, double b);
};

// uniform normal lognormal loguniform
std::span<const Distribution> distributions();

// Of the normal distribution of mean 0 and deviation 1, to full accuracy [M. Wichura, Applied Statistics 37 (1988)
// 477-484, algorithm AS 241].
double normal_quantile(double u);

}  // namespace invar

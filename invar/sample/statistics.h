// What many numbers have in common. Those that are not finite, as of runs that failed, are left out.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace invar {

struct Moments {
  std::size_t count = 0;
  double mean = 0.0, deviation = 0.0;  // of a sample: divided by count - 1
  double least = 0.0, largest = 0.0;
};

Moments moments(std::span<const double> values);

// At probabilities between 0 and 1, linear between the ordered values [R. Hyndman, Y. Fan, American Statistician 50
// (1996) 361-365, definition 7]; NaN without values.
std::vector<double> quantiles(std::span<const double> values, std::span<const double> probabilities);

struct Histogram {
  double from = 0.0, to = 0.0;
  std::vector<std::size_t> counts;  // of equal parts of this interval
};

// With as many parts as D. Freedman and P. Diaconis advise [Z. Wahrscheinlichkeitstheorie 57 (1981) 453-476], 60 at
// most, unless their number is given.
Histogram histogram(std::span<const double> values, std::size_t parts = 0);

// Of pairs: of their values, and of their ranks, where equal values share the mean of theirs. NaN where one side does
// not vary.
double pearson_correlation(std::span<const double> x, std::span<const double> y);
double spearman_correlation(std::span<const double> x, std::span<const double> y);

}  // namespace invar

// How much of the variance of a result is due to each of the quantities that were drawn: Sobol indices from the design
// `saltelli`. With f at the points A, B and A_i, which is A with the i-th coordinate of B,
//
//   first order   S_i = mean f(B)(f(A_i) - f(A)) / V      the part that i explains by itself [Saltelli et al. 2010]
//   total         T_i = mean (f(A) - f(A_i))² / 2V        and with all that it acts together with [M. Jansen, Computer
//                                                         Physics Communications 117 (1999) 35-43]
//
// Confidence by bootstrap: base samples are drawn again with replacement, and the middle of what comes out is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace invar {

struct SensitivityIndex {
  double value = 0.0, low = 0.0, high = 0.0;
};

struct Sensitivity {
  SensitivityIndex first_order, total;
};

struct SensitivityOptions {
  double confidence = 0.95;
  std::size_t resamples = 1000;
  std::uint64_t seed = 1;
};

struct SensitivityResult {
  std::vector<Sensitivity> of;   // by drawn quantity; all NaN if there are fewer than two complete base samples
  std::size_t base_samples = 0;  // that counted: those in which every run has a finite result
};

// Results in the order of the design: n·(drawn + 2).
SensitivityResult sobol_indices(std::span<const double> results, std::size_t drawn,
                                const SensitivityOptions& options = {});

}  // namespace invar

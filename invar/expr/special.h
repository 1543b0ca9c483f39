// Stumpff functions c_k and the family a_k: smooth functions of a squared argument, with no singular point at zero.
//
//   c_k(s) = Σ_j (-s)^j/(2j+k)!      c_0(x²) = cos x, c_1(x²) = sin x/x, c_1(-x²) = sinh x/x
//   a_k(s) = Σ_j s^j/(2j+k), s < 1   a_1(x²) = artanh x/x, a_1(-x²) = arctan x/x, a_2(s) = -log(1 - s)/(2s)
#pragma once

#include <span>

namespace invar::special {

// k ≥ 0, any s.
double stumpff(int k, double s);
// k ≥ 1, s ≤ 1; the branch below -1 is the analytic continuation of the sum. NaN beyond the pole at s = 1.
double lerch(int k, double s);

// Taylor coefficients f_m of c_k(s + t) = Σ_m f_m t^m, as many as f holds; work has the size of f.
void stumpff_coefficients(int k, double s, std::span<double> f, std::span<double> work);
// Taylor coefficients of a_k(s + t).
void lerch_coefficients(int k, double s, std::span<double> f);

}  // namespace invar::special

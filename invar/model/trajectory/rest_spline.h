// Splines at rest at both ends, in B-spline form, and those nearest to samples.
//
// With the end knots repeated 2k+2 times, k derivatives vanish at an end exactly if the first k+1 control points are
// equal: they are one unknown. Derivatives are B-splines of the differences of the control points [C. de Boor, A
// Practical Guide to Splines, 1978, ch. X and XIII]. The unknowns are found by least squares, one equation Σ_j B_j(t_i)
// c_j = y_i for each sample, with plane rotations that keep the band
// [C. L. Lawson, R. J. Hanson, Solving Least Squares Problems, 1974, ch. 27]; if every sample is a knot the spline goes
// through all.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "invar/system/reference.h"

namespace invar {

class RestSpline {
 public:
  // Piecewise of degree 2k+1 on the ascending knots, of class C^2k inside and C^k at the ends; a control point for each
  // knot and 2k more.
  RestSpline(std::vector<double> knots, std::size_t k, std::vector<double> control);

  // As TimeFunction::series.
  void series(double t, Side side, std::span<double> out) const;
  const std::vector<double>& knots() const { return times_; }
  std::size_t degree() const { return 2 * k_ + 1; }
  const std::vector<double>& control() const { return control_; }

 private:
  void inside(std::size_t interval, double t, std::span<double> out) const;

  std::size_t k_;
  std::vector<double> times_, knots_, control_;
};

// The spline on the given knots nearest to each column of values. The knots are among the times, the first and the last
// one too. InputError if the times are too uneven for finite numbers.
std::vector<RestSpline> nearest_splines(const std::vector<double>& knots, std::size_t k, std::span<const double> times,
                                        const std::vector<std::vector<double>>& columns);

}  // namespace invar

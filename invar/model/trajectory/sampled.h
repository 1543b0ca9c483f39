// Functions of time through samples that have an error, if only that of their digits.
//
// A derivative of order k of a spline through samples of distance h turns an error ε into one of order ε/h^k. So if
// this matters, a spline with fewer knots is taken that is nearest to the samples: the one with the fewest knots whose
// k-th derivative still agrees with those of all finer ones within what the error of the samples does to them (the
// balancing principle, [O. Lepski, Theory Probab. Appl. 35 (1990) 454]).
//
// The error is what splines of rather different fineness all leave over, the rounding of the digits in the file, or
// that of the numbers in the computer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "invar/system/reference.h"

namespace invar {

class SampledFunction : public TimeFunction {
 public:
  // Of one sample: the standard deviation.
  virtual double sample_error() const = 0;
  virtual const std::string& source() const = 0;
  // Functions that the samples allow as well: one from samples that are off by twice that, up or down, and for samples
  // of an unknown curve the spline with three quarters of the knots.
  virtual std::vector<std::shared_ptr<const TimeFunction>> others() const = 0;
};

struct Samples {
  std::vector<double> times, values;  // ascending, at least two
  double rounding = 0.0;              // half a unit of their last digit, if that is known
  bool complete = true;               // do they say all, or are they taken from a curve?
  std::string source;                 // of them, for messages
};

// At rest at both ends, with `smoothness` derivatives. InputError if the times are too uneven for finite numbers.
std::shared_ptr<const SampledFunction> sampled(const Samples& samples, int smoothness);

}  // namespace invar

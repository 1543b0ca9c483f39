// Steps of the size that an error asks for, with any one-step scheme.
//
// Every step is done once whole and once in two halves. Their difference, over 2^p - 1, is the error of the halves,
// which are kept; the next step follows from it [E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential
// Equations I, sec. II.4].
//
// Steps take no notice of the times at which results are wanted: the three nodes of a step, with their velocities,
// carry a polynomial of degree five, whose error h⁶ is below that of the schemes (dense output).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "invar/scheme/stepper.h"

namespace invar {

struct AdaptiveOptions {
  double tolerance = 1e-8;  // of one step: positions and velocities relative to one plus their largest values
  double first = 0.0;       // step to begin with; zero: a hundredth of the first interval
  double smallest = 1e-12;  // of the time to go: below that the run is given up
};

class Adaptive {
 public:
  // InputError if the scheme hands more than q, v, λ from step to step: its steps must not change.
  Adaptive(Stepper& stepper, const Scheme& scheme, const AdaptiveOptions& options);

  struct Result {
    bool done = false;
    NewtonResult last{};           // of the last step tried
    std::uint64_t iterations = 0;  // of Newton's method
  };
  // Until t lies within the last step, which does not go beyond `end`. If that fails it stays as far as it came.
  Result advance_past(double t, double end, const Stepper::Inputs& inputs);
  // A place within the last step.
  void at(double t, std::span<double> q, std::span<double> v, std::span<double> lambda) const;

  std::uint64_t accepted() const { return accepted_; }
  std::uint64_t rejected() const { return rejected_; }
  double step() const { return h_; }

 private:
  bool advance(double h, const Stepper::Inputs& inputs, Result& result);
  double error() const;

  Stepper& stepper_;
  AdaptiveOptions options_;
  int order_;
  double h_ = 0.0;
  std::uint64_t accepted_ = 0, rejected_ = 0;
  struct Node {
    double t = 0.0;
    std::vector<double> q, v, lambda;
  };
  void note(Node& node) const;

  Stepper::Memory before_;
  std::vector<double> whole_;
  std::array<Node, 3> tried_, last_;  // start, middle and end of a step
};

}  // namespace invar

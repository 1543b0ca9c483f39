// Steps of the size that an error asks for, with any one-step scheme.
//
// A scheme with an embedded method estimates its error itself. With any other, every step is done once whole and once
// in two halves: their difference, over 2^p - 1, is the error of the halves, which are kept. The next step follows from
// the error [E. Hairer, S. P. Nørsett, G. Wanner, Solving Ordinary Differential Equations I, sec. II.4].
//
// Steps take no notice of the times at which results are wanted (dense output): an embedded method knows the inside of
// its step; otherwise the three nodes of a step, with their velocities, carry a polynomial of degree five, whose error
// h⁶ is below that of the schemes. But they end at knots, where something given over time is not smooth.
//
// Baumgarte's terms that follow the step do so at once when it grows and by and by when it shrinks: otherwise a sudden
// small step would turn what is left of a large one into large accelerations.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "invar/scheme/steps/stepper.h"

namespace invar {

struct AdaptiveOptions {
  double tolerance = 1e-8;      // of one step: positions and velocities relative to their largest values …
  double absolute = 0.0;        // … and this much more; zero: as the tolerance
  double first = 0.0;           // step to begin with; zero: a hundredth of the first interval
  double largest = 0.0;         // step; zero: any
  std::vector<double> knots{};  // instants at which a step must end, ascending
  double smallest = 1e-12;      // of the time to go: below that the run is given up
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
  void at(double t, const Stepper::Inputs& inputs, std::span<double> q, std::span<double> v,
          std::span<double> lambda) const;

  // What the next steps follow from, beside the node of the stepper: all that is known of a run after so many steps.
  struct Progress {
    double step = 0.0, pace = 0.0;
    std::uint64_t accepted = 0, rejected = 0;

    template <class Archive>
    void store(Archive& archive) {
      archive(step, pace, accepted, rejected);
    }
  };
  Progress progress() const { return {h_, pace_, accepted_, rejected_}; }
  // In place of what was learned so far.
  void go_on(const Progress& progress);
  // Returns before the next step, as if done, when so many steps have been accepted.
  void pause_at(std::uint64_t accepted) { pause_at_ = accepted; }
  bool is_paused() const { return accepted_ == pause_at_; }

  std::uint64_t accepted() const { return accepted_; }
  std::uint64_t rejected() const { return rejected_; }
  double step() const { return h_; }

 private:
  bool advance(double h, const Stepper::Inputs& inputs, Result& result);
  std::optional<double> attempt(double h, const Stepper::Inputs& inputs, Result& result);
  std::optional<double> attempt_halves(double h, const Stepper::Inputs& inputs, Result& result);
  double relative(std::span<const double> deviation) const;
  double next_stop(double end) const;

  Stepper& stepper_;
  AdaptiveOptions options_;
  int order_;
  bool embedded_;
  double h_ = 0.0, pace_ = 0.0;
  std::uint64_t accepted_ = 0, rejected_ = 0, pause_at_ = std::numeric_limits<std::uint64_t>::max();
  struct Node {
    double t = 0.0;
    std::vector<double> q, v, lambda;
  };
  void note(Node& node) const;

  Stepper::Memory before_;
  std::vector<double> deviation_;     // of q and v
  std::array<Node, 3> tried_, last_;  // start, middle and end of a step
};

}  // namespace invar

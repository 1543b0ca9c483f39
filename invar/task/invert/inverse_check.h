// The judgement of an inversion by other means than those that found it; it decides whether a run has failed.
//
// (a) A simulation with the inputs, from where the motion begins, must reproduce the outputs (round_trip.h).
// (b) Where it departs, either the inputs are wrong or the plant is unstable in open loop, so that any rounding error
//     grows. Simulations that begin anew on the computed motion again and again tell which: over windows so short that
//     nothing can grow much, right inputs follow. An error of the acceleration δa gives ½ δa τ² after the time τ, so
//     the shorter a window, the less it may be off; the coordinates are compared as well, since outputs may feel an input
//     only through others.
// (c) Then, and where no simulation is possible, the equations of motion must hold between the instants too, with the
//     motion and inputs interpolated (residual_between.h).
//
// Errors are relative to the scales of the outputs (output_scale.h).
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar {

// What is judged, and how it was found.
struct FoundMotion {
  const Problem& problem;
  const InverseStructure& structure;
  const std::vector<Jet>& jets;
  InverseMethod method;
  std::function<std::vector<Jet>(std::size_t intervals)> finer =
      {};                             // the same on a finer grid, if it can be had; may be empty
  std::vector<double> singular = {};  // instants at which nothing is smooth
};

struct InverseJudgement {
  std::string failure;  // why the inputs must not be used, or nothing
  std::string words;    // how they were verified, in a sentence
  std::vector<std::string> warnings;
  std::optional<double> round_trip;  // largest error of an output in (a)
  double round_trip_from = 0.0;
  std::optional<double> growth;        // of errors in open loop, 1/s, where the plant is unstable
  double window = 0.0;                 // length of the simulations in (b), s
  std::optional<double> window_error;  // largest error of an output in them
};

InverseJudgement judge(const FoundMotion& found);

// `"F" is not finite at t = 0.3`: the first value that is not, or nothing.
std::string not_finite(const InverseStructure& structure, const std::vector<Jet>& jets);

}  // namespace invar

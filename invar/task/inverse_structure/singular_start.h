// A start at which the relative degree is singular: what holds there holds nowhere else, so that no verdict found there
// counts.
//
// An arm that is stretched, a car at standstill, a pendulum at the point where its drive loses its grip: the system
// Jacobian J of the formal structure (see structure.h) is singular there, though not in states nearby. Nearby states
// are found by moving configuration and velocities at random, within the constraints, letting the outputs be what they
// are there, and solving the equations for all the rest. Where J is regular in them and its condition falls to zero
// with the distance, the start is singular. Where J is singular in them too, structure is hidden, and the derivative
// array must find the same in them as at the start.
#pragma once

#include <optional>
#include <string>

#include "invar/dae/derivative_array.h"
#include "invar/dae/jet.h"
#include "invar/dae/structure.h"

namespace invar {

// Why a start is singular, in words, and what to do about it; empty if it is not.
struct SingularDegree {
  std::string why, nearby, what_to_do;
  bool undecided = false;  // several motions lead away from it, as an elbow may bend either way

  bool found() const { return !why.empty(); }
};
// `the relative degree is singular at the start, t = 0: …; nearby …; …`
std::string in_words(const SingularDegree& singular);

struct StartVerdict {
  SingularDegree singular;
  std::optional<Jet> solution;  // or a solved jet so near that it serves as a guess
};

// For a start at which J seems to be singular, or at which no solution was found.
StartVerdict judge_start(const Dae& dae, JetEvaluator& evaluator, const Offsets& offsets, const Jet& guess);

// Hidden structure as found at the start: does it differ from that nearby?
SingularDegree differs_nearby(const Dae& dae, JetEvaluator& evaluator, const Offsets& offsets, const Jet& start,
                              const ArrayVerdict& verdict);

}  // namespace invar

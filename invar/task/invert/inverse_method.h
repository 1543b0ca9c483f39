// Which methods of inversion `auto` tries, in which order and why.
#pragma once

#include <string>
#include <vector>

#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar {

struct InverseCandidate {
  InverseMethod method;
  std::string reason;  // why it comes at its place; nothing if the user asked for it
};

// The method that is asked for or, for "auto", those that can work, the most promising first:
//   flat                                                          taylor
//   internal dynamics that shall be periodic                      space-time
//   unstable internal dynamics, trajectories that begin at rest   stable-inversion, taylor
//   unstable internal dynamics otherwise                          taylor, stable-inversion, if little grows
//   other internal dynamics                                       taylor
// InputError if there is no such method.
std::vector<InverseCandidate> candidates(const Problem& problem, const InverseStructure& structure);

// What a user must know who follows unstable internal dynamics for long, or nothing.
std::string growth_in_words(const Problem& problem, const InverseStructure& structure);

// Which method was taken and which were given up, as a sentence without its full stop.
struct GivenUp {
  InverseMethod method;
  std::string message;
};
std::string choice_in_words(const InverseCandidate& taken, const std::vector<GivenUp>& given_up);

// The message of a run of which every method has failed.
std::string failures_in_words(const std::vector<GivenUp>& given_up);

}  // namespace invar

// Where a system would rest if its outputs stood still where they are wanted at each instant: first guesses of motions.
#pragma once

#include <vector>

#include "invar/dae/jet.h"

namespace invar {

// At rest with the outputs where they should be at each instant, or where they were last if there is no such rest.
// `start` is the rest to begin with.
std::vector<Jet> rests_along(JetEvaluator& evaluator, const Jet& start, const std::vector<double>& t);

// The same on a fine mesh, between the rests at some of its instants, with references that go only a part of their way.
std::vector<Jet> guess_along(JetEvaluator& evaluator, const Jet& start, const std::vector<double>& t,
                             double part = 1.0);

// The same steady state at another time.
Jet rest_at(JetEvaluator& evaluator, const Jet& rest, double t);

}  // namespace invar

// Where a servo-constrained system can stay as it is: points of rest, and steady motions along coordinates that the
// dynamics does not contain.
//
// At rest every unknown is constant, f(x, 0, 0, …) = 0. A coordinate z that no equation of motion and no constraint
// contains undifferentiated (the position of a cart, the angle of a hub) may also move steadily: z' is one more
// unknown, z'' = 0, and the outputs must go on to fit,
//
//   f(x, z', 0, …) = 0,   d/dt (output - reference) = 0
//
// so that a constant speed is a state of rest for everything else (a relative equilibrium).
#pragma once

#include "invar/dae/jet.h"
#include "invar/dae/jet_result.h"

namespace invar {

// The steady state nearest to the guess, with the references as they are at jet.t. A guess that is one already is kept.
// Where the references ask for more than steady motion: the point of rest with the references frozen. Newton's method
// with shortest steps, so that directions that the equations leave open stay as they are.
JetResult rest_point(JetEvaluator& evaluator, Jet& jet);
// The point of rest with the references frozen at once, as a first guess along a motion.
JetResult frozen_point(JetEvaluator& evaluator, Jet& jet);

// Whether everything goes on steadily from such a point: the differentiated equations hold there as well, compared with
// what the references do between the two times. False where a reference accelerates, or moves what cannot move
// steadily.
bool is_steady(JetEvaluator& evaluator, const Jet& rest, double from, double to);

}  // namespace invar

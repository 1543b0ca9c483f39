// First guesses of a motion from the start to a goal, for methods that improve one.
#pragma once

#include <optional>

#include "invar/task/optimize/optimal_task.h"

namespace invar {

// `hold` stays at the start; `line` goes straight in independent coordinates, on the constraints; `inverse` prescribes
// smooth outputs and takes the inputs of inverse dynamics: nothing if the problem is not flat in its outputs or the
// motion cannot be computed.
std::optional<MeshMotion> first_guess(const OptimalTask& task, const Transcription& form, std::size_t intervals,
                                      GuessKind kind);

// Where nodes between those of another mesh lie. Cubics are nearer to the motion if velocities at the nodes are exact,
// and lines where a scheme lets them swing about the motion.
enum class NewNodes { lines, cubics };

// The same motion on another mesh.
MeshMotion remeshed(const MeshMotion& coarse, std::size_t intervals, NewNodes on = NewNodes::lines);

}  // namespace invar

// How far the motion of a mesh is from what its inputs really do: the same inputs, held in every interval, in a
// simulation with steps of an eighth of the size, whose own error is 1/64 of that of the mesh.
//
// A plant that is unstable in open loop makes anything of a small error: the end of such a simulation says little about
// the mesh. Therefore every interval is simulated alone as well, from the node of the mesh, and what the steps leave
// out, δq_k and δv_k, is added up:
//
//   e_{k+1} = e_k + h ė_k + δq_k,   ė_{k+1} = ė_k + δv_k.
//
// This is the error of a plant that neither amplifies nor damps it. One whose error is many times as large is unstable
// in open loop.
#pragma once

#include <optional>

#include "invar/task/optimize/between_nodes.h"
#include "invar/task/optimize/mesh_quality.h"
#include "invar/task/optimize/optimal_task.h"

namespace invar {

struct FineSteps {
  MeshQuality::Error error;
  bool possible = true;         // can all intervals be simulated alone?
  std::optional<Breach> worst;  // of the limits, on the finer steps of the intervals
};

FineSteps on_finer_steps(const OptimalTask& task, const OptimalMotion& found, BetweenNodes& between);

}  // namespace invar

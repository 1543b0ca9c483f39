// The optimum of bodies in directors where no scheme is asked for: sought in joint coordinates, which have as few
// unknowns as freedoms, and written in directors. A formulation is only a way to write the same problem.
//
//   q = F(μ), q' = F_μ μ' at the nodes;   λ of an interval from M q'' + Gᵀλ = f(q, q', u) in its middle
//
// These have more rows than unknowns, and judge the motion: nothing may be left over.
#pragma once

#include <functional>
#include <optional>

#include "invar/task/optimize/optimal_task.h"
#include "invar/task/optimize/optimization_summary.h"
#include "invar/task/run/prepared.h"

namespace invar {

// Nothing where joint coordinates cannot describe what is asked, or have no optimum that passes its judgement.
// `optimize` finds that of a problem in joint coordinates.
std::optional<Optimum> optimum_in_joints(const OptimalTask& task,
                                         const std::function<Optimum(const Prepared&)>& optimize);

}  // namespace invar

// The warning that elements are too coarse for what a beam or string bears.
#pragma once

#include <string>

#include "invar/model/flexible/line_error.h"
#include "invar/model/flexible/member_mesh.h"
#include "invar/model/flexible/station.h"

namespace invar {

// What carries an end: nothing, if it is a node of the member itself.
LineEnd line_end(const Loads& loads, const Station& end, const std::string& member);

// `kind` is "beam" or "string"; `distance` is an estimate from the values of `needs`.
Estimated coarse_mesh(const std::string& kind, const std::string& name, const MemberMesh& mesh, Exprs needs,
                      std::function<double(std::span<const double>)> distance);

}  // namespace invar

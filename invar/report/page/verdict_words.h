// A run in one sentence, and its figures.
#pragma once

#include <string>
#include <vector>

#include "invar/record/summary.h"
#include "invar/record/trajectory.h"

namespace invar {

std::string verdict_sentence(const Summary& summary, const Trajectory& trajectory);
std::vector<KeyFigure> key_figures(const Summary& summary);

}  // namespace invar

// A run in one sentence, and its figures.
#pragma once

#include <string>
#include <vector>

#include "invar/record/summary.h"
#include "invar/record/trajectory.h"

namespace invar {

struct KeyFigure {
  std::string label;
  double value = 0.0;
  std::string unit = {};
};

std::string verdict_sentence(const Summary& summary, const Trajectory& trajectory);
std::vector<KeyFigure> key_figures(const Summary& summary);

}  // namespace invar

// What a simulation has to say. Its figures are those that all runs have.
#pragma once

#include "invar/record/summary.h"

namespace invar {

class SimulationSummary : public SummaryPart {
 public:
  std::unique_ptr<SummaryPart> copy() const override;
  std::vector<std::string> sentences(const Summary& summary) const override;
  std::string headline(const Summary& summary, const Trajectory& trajectory) const override;
  std::vector<KeyFigure> key_figures(const Summary& summary) const override;
};

}  // namespace invar

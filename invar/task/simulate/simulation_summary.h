// What a simulation has to say. Its other figures are those that all runs have.
#pragma once

#include "invar/record/summary.h"
#include "invar/system/system.h"

namespace invar {

class SimulationSummary : public SummaryPart {
 public:
  // Constraints that minimal extension keeps at further levels too; none without it.
  struct Extension {
    std::vector<std::string> velocity, acceleration;
  };
  std::optional<Extension> extension;
  std::uint64_t factorisations = 0;  // of matrices, in all steps

  std::unique_ptr<SummaryPart> copy() const override;
  std::string_view key() const override { return "simulation"; }
  JsonObject figures() const override;
  JsonObject structure() const override;
  std::vector<std::string> sentences(const Summary& summary) const override;
  std::string headline(const Summary& summary, const Trajectory& trajectory) const override;
  std::vector<KeyFigure> key_figures(const Summary& summary) const override;
};

SimulationSummary::Extension minimal_extension_of(const System& system);

}  // namespace invar

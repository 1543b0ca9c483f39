// A closed loop of plant and controller, and how well it followed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/record/summary.h"

namespace invar {

class ControlSummary : public SummaryPart {
 public:
  struct Error {
    std::string output;
    double largest = 0.0, rms = 0.0, last = 0.0;
  };
  struct Effort {
    std::string input;
    double largest = 0.0, rms = 0.0;
  };
  std::string controller;
  double period = 0.0;
  std::optional<double> spectral_radius;  // of the sampled loop around rest
  std::size_t samples = 0;
  std::vector<Error> errors;
  std::vector<Effort> efforts;
  double saturated = 0.0;                     // share of the samples
  double constraint_violation = 0.0;          // largest, at position level
  double worst_time = 0.0, usual_time = 0.0;  // of computing a sample, in periods: worst, and that of 99 %

  std::unique_ptr<SummaryPart> copy() const override;
  std::string_view key() const override { return "control"; }
  JsonObject figures() const override;
  std::vector<std::string> sentences(const Summary& summary) const override;
  std::string headline(const Summary& summary, const Trajectory& trajectory) const override;
  std::vector<KeyFigure> key_figures(const Summary& summary) const override;
  bool holds_inputs() const override { return true; }
};

}  // namespace invar

// What an inverse problem is and how well it was solved.
#pragma once

#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "invar/record/summary.h"

namespace invar {

struct InverseStructure;

class InversionSummary : public SummaryPart {
 public:
  struct Needed {
    std::string output;
    int order = 0, given = 0;
  };
  struct Singular {
    double t = 0.0;
    std::vector<std::string> open, vanishing;  // unknowns that are not determined there, multipliers that are zero
  };
  std::size_t unknowns = 0;
  int index = 0, formal_index = 0;
  int degrees_of_freedom = 0;  // states of the internal dynamics
  bool flat = false, hidden_structure = false;
  std::string realisation;
  std::vector<Needed> needed_derivatives;
  std::vector<std::complex<double>> zero_dynamics;
  double equation_residual = 0.0;      // largest, relative to the terms of the equation
  double servo_error = 0.0;            // largest |y - γ|
  std::optional<double> step_error;    // of the inputs, relative to the largest, estimated by halving the step
  std::optional<double> round_trip;    // the same in a simulation with the computed inputs
  double round_trip_from = 0.0;        // where this simulation begins
  std::optional<double> growth;        // of errors without feedback, 1/s, where the plant is unstable
  std::optional<double> window_error;  // as round_trip, in short simulations that begin on the computed motion
  double window = 0.0;                 // their length, s
  std::string verification;            // how the inputs were verified, in words
  std::string sample_error;            // what the error of samples of the trajectories does to the inputs
  std::string method_reason;           // why `auto` took this method and gave up others
  std::vector<Singular> singular_times;
  std::optional<double> conditioning;  // least reciprocal condition of the augmented matrix along the motion
  double conditioning_at = 0.0;        // when
  std::string verdict;

  std::unique_ptr<SummaryPart> copy() const override;
  std::string_view key() const override { return "inversion"; }
  JsonObject figures() const override;
  JsonObject structure() const override;
  std::vector<std::string> sentences(const Summary& summary) const override;
  std::string headline(const Summary& summary, const Trajectory& trajectory) const override;
  std::vector<KeyFigure> key_figures(const Summary& summary) const override;
  std::vector<std::string> outputs() const;
  std::vector<double> marked_times() const override;
  std::optional<Chapter> chapter() const override;
};

// What the structure tells.
InversionSummary inversion_summary(const InverseStructure& structure);

}  // namespace invar

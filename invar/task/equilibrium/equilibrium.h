// Static and relative equilibria: from a problem to a place where it rests, or goes on steadily.
//
// Time, signals and inputs are held as they are at t = 0. What is found is judged by the residual of the full
// equations, by the eigenvalues of the linearised ones, and by a simulation from it, which must stay there.
#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "invar/base/kind_names.h"
#include "invar/model/problem/setting_error.h"
#include "invar/statics/load_path.h"
#include "invar/statics/rest_kinds.h"
#include "invar/task/run/prepared.h"
#include "invar/task/run/task.h"

namespace invar {

inline constexpr KindName<RestMethod> rest_methods[] = {
    {RestMethod::automatic, "auto"},
    {RestMethod::newton, "newton"},
    {RestMethod::path, "path"},
    {RestMethod::minimum, "minimum"},
};

struct EquilibriumSettings {
  RestMethod method = RestMethod::automatic;
  double tolerance = 1e-10;  // of forces and constraints, relative to their terms
  std::optional<FollowedParameter> follow = {};
};

// The first setting that breaks a rule; check() throws it as an InputError.
std::optional<SettingError> find_error(const EquilibriumSettings& settings);
void check(const EquilibriumSettings& settings);

// What was found, for summary.json, terminal and report.
class EquilibriumSummary : public SummaryPart {
 public:
  using Named = std::vector<std::pair<std::string, double>>;
  bool found = false;
  int iterations = 0, steps = 0;                           // of Newton's method, downhill or along the path
  std::string followed;                                    // the parameter along the path
  std::vector<double> turns;                               // its values where the path turns back
  double force_residual = 0.0, constraint_residual = 0.0;  // relative to their terms
  StabilityKind stability = StabilityKind::first_order;
  std::vector<std::complex<double>> eigenvalues;
  double growth = 0.0, lowest_frequency = 0.0;
  std::vector<std::string> free, flat;  // see statics/rest.h
  Named steady;                         // rates of coordinates that go on
  Named lower;                          // what is elsewhere in a stable one downhill, most changed first
  std::optional<double> stays;          // how far a simulation gets away, relative to the size of the system
  double stays_for = 0.0;               // s

  std::unique_ptr<SummaryPart> copy() const override;
  std::string_view key() const override { return "equilibrium"; }
  JsonObject figures() const override;
  std::vector<std::string> sentences(const Summary& summary) const override;
  std::string headline(const Summary& summary, const Trajectory& trajectory) const override;
  std::vector<KeyFigure> key_figures(const Summary& summary) const override;
};

// One row, those of the path as the table "path" and, as `initial.toml`, the same in the form that [initial]
// reads. Throws InputError if the problem is wrong; that there is no equilibrium is a status.
Outcome find_equilibrium(const Problem& problem, const RunOptions& options = {});
Outcome find_equilibrium(const Prepared& prepared, const Overrides& parameters = {}, const RunOptions& options = {});

extern const Task equilibrium_task;

}  // namespace invar

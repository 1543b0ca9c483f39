// See simulation_summary.h.
#include "invar/task/simulate/simulation_summary.h"

#include "invar/record/sentences.h"

namespace invar {

namespace {

std::string to(double residual) { return residual == 0.0 ? "exactly" : fmt::format("to {:.1e}", residual); }

std::string counted_constraints(std::size_t count) {
  return fmt::format("{} constraint{}", count, count == 1 ? "" : "s");
}

}  // namespace

SimulationSummary::Extension minimal_extension_of(const System& system) {
  SimulationSummary::Extension e;
  for (const Constraint& c : system.constraints) {
    if (c.level == Level::position) e.velocity.push_back(c.name);
    if (c.level != Level::acceleration) e.acceleration.push_back(c.name);
  }
  return e;
}

JsonObject SimulationSummary::structure() const {
  if (!extension) return {};
  return {{"minimal_extension",
           JsonObject{{"velocity_level", extension->velocity}, {"acceleration_level", extension->acceleration}}}};
}

std::unique_ptr<SummaryPart> SimulationSummary::copy() const { return std::make_unique<SimulationSummary>(*this); }

JsonObject SimulationSummary::figures() const { return {{"factorisations", factorisations}}; }

std::vector<std::string> SimulationSummary::sentences(const Summary& s) const {
  Sentences say;
  const std::string size = s.adaptive > 0.0
                               ? fmt::format("for an error of {:.1e} each ({} rejected)", s.adaptive, s.rejected_steps)
                               : fmt::format("of {:.6g} s", s.step);
  const std::string solved = s.newton_iterations.total > 0
                                 ? fmt::format(", {:.1f} Newton iterations per step", s.newton_iterations.per_step)
                                 : "";
  say("{}: {} steps {} with {}{}, {}", s.name, s.steps, size, s.method, solved, duration(s.wall_seconds));
  if (extension)
    say("minimal extension: index 1, {} at velocity level too, {} at acceleration level",
        counted_constraints(extension->velocity.size()), extension->acceleration.size());
  const Accuracy& a = s.accuracy;
  say("energy: largest change {:.2e} J, {:.1e} of the largest energy{}", a.energy.drift, a.energy_relative,
      a.energy.expected ? "" : fmt::format(" ({})", a.energy.why_not));
  for (const InvariantDrift& i : a.invariants)
    if (i.expected) say("{}: largest change {:.2e}{}", i.name, i.drift, s.unit_behind(i.name));
  say_constraints(s, say);
  for (const Summary::Change& c : s.initial_changes)
    say("start made consistent: {} = {:.9g}{} instead of {:.9g}", c.name, c.used, s.unit_behind(c.name), c.given);
  return std::move(say).list();
}

std::string SimulationSummary::headline(const Summary& s, const Trajectory&) const {
  const Accuracy& a = s.accuracy;
  std::string text = fmt::format("{} steps with {}", s.steps, s.method);
  if (a.energy.expected) text += fmt::format(": energy kept to {:.1e} of its largest value", a.energy_relative);
  if (s.counts.constraints > 0)
    text += fmt::format("{} constraints hold {} at position level, {} at velocity level", a.energy.expected ? "," : ":",
                        to(a.drift_position), to(a.drift_velocity));
  return text + ".";
}

std::vector<KeyFigure> SimulationSummary::key_figures(const Summary& s) const {
  std::vector<KeyFigure> f = {
      {s.accuracy.energy.expected ? "largest energy change" : "largest energy change, by inputs and forces",
       s.accuracy.energy.drift, "J"}};
  if (s.newton_iterations.total > 0) f.push_back({"Newton iterations per step", s.newton_iterations.per_step});
  if (s.counts.constraints > 0) {
    f.push_back({"constraint residual, position level", s.accuracy.drift_position, s.unit_of("drift.position")});
    f.push_back({"constraint residual, velocity level", s.accuracy.drift_velocity, s.unit_of("drift.velocity")});
  }
  return f;
}

}  // namespace invar

// See control_summary.h.
#include "invar/task/control/control_summary.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "invar/record/sentences.h"

namespace invar {

std::unique_ptr<SummaryPart> ControlSummary::copy() const { return std::make_unique<ControlSummary>(*this); }

JsonObject ControlSummary::figures() const {
  JsonObject object = {{"controller", controller}, {"period", period}};
  if (spectral_radius) object.push_back({"spectral_radius", *spectral_radius});
  object.push_back({"samples", samples});
  JsonList of_outputs, of_inputs;
  for (const Error& e : errors)
    of_outputs.push_back(JsonObject{{"output", e.output}, {"max", e.largest}, {"rms", e.rms}, {"last", e.last}});
  for (const Effort& e : efforts)
    of_inputs.push_back(JsonObject{{"input", e.input}, {"max", e.largest}, {"rms", e.rms}});
  object.push_back({"errors", of_outputs});
  object.push_back({"inputs", of_inputs});
  object.push_back({"saturated_share", saturated});
  object.push_back({"constraint_violation", constraint_violation});
  object.push_back({"computing_time", JsonObject{{"worst_per_period", worst_time}, {"p99_per_period", usual_time}}});
  return object;
}

std::vector<std::string> ControlSummary::sentences(const Summary& s) const {
  Sentences say;
  say("{}: {} samples of {:.6g} s with {}, {}", s.name, samples, period, controller, duration(s.wall_seconds));
  if (spectral_radius) say("spectral radius of the sampled loop at rest: {:.6g}", *spectral_radius);
  for (const Error& e : errors)
    say("error of {}: largest {:.4g}, RMS {:.4g}, at the end {:.4g}{}", e.output, e.largest, e.rms, e.last,
        s.unit_behind(e.output));
  for (const Effort& e : efforts)
    say("input {}: largest {:.4g}, RMS {:.4g}{}", e.input, e.largest, e.rms, s.unit_behind(e.input));
  say_constraints(s, say);
  if (saturated > 0.0) say("inputs at their limits in {:.1f} % of the samples", 100.0 * saturated);
  say("computing a sample takes at most {:.2g} periods, {:.2g} in 99 % of them", worst_time, usual_time);
  return std::move(say).list();
}

std::string ControlSummary::headline(const Summary& s, const Trajectory&) const {
  struct Worst {
    double rms = 0.0, last = 0.0;
  };
  std::map<std::string, Worst> worst;  // by unit: metres and radians have no common largest
  for (const Error& e : errors) {
    Worst& w = worst[s.unit_behind(e.output)];
    w.rms = std::max(w.rms, e.rms);
    w.last = std::max(w.last, std::abs(e.last));
  }
  std::vector<std::string> all, at_end;
  for (const auto& [unit, w] : worst) {
    all.push_back(fmt::format("{:.2g}{}", w.rms, unit));
    at_end.push_back(fmt::format("{:.2g}{}", w.last, unit));
  }
  std::string text = fmt::format("{} every {:.4g} s: RMS error of the outputs at most {}, {} at the end", controller,
                                 period, fmt::join(all, " and "), fmt::join(at_end, " and "));
  if (spectral_radius)
    text += fmt::format("; the loop is {} at rest (spectral radius {:.4g})",
                        *spectral_radius <= 1.0 + 1e-6 ? "stable" : "unstable", *spectral_radius);
  return text + ".";
}

std::vector<KeyFigure> ControlSummary::key_figures(const Summary& s) const {
  std::vector<KeyFigure> f;
  for (const Error& e : errors) f.push_back({"RMS error of " + e.output, e.rms, s.unit_of(e.output)});
  f.push_back({"samples with limited inputs", 100.0 * saturated, "%"});
  f.push_back({"computing time, 99 %", 100.0 * usual_time, "% of the period"});
  return f;
}

}  // namespace invar

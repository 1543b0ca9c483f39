// See control_summary.h.
#include "invar/task/control/control_summary.h"

#include <algorithm>
#include <cmath>

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
    say("error of {}: largest {:.3e}, RMS {:.3e}, at the end {:.3e}", e.output, e.largest, e.rms, e.last);
  for (const Effort& e : efforts) say("input {}: largest {:.4g}, RMS {:.4g}", e.input, e.largest, e.rms);
  say_constraints(s, say);
  if (saturated > 0.0) say("inputs at their limits in {:.1f} % of the samples", 100.0 * saturated);
  say("computing a sample takes at most {:.2g} periods, {:.2g} in 99 % of them", worst_time, usual_time);
  return std::move(say).list();
}

std::string ControlSummary::headline(const Summary&, const Trajectory&) const {
  double worst = 0.0, last = 0.0;
  for (const Error& e : errors) {
    worst = std::max(worst, e.rms);
    last = std::max(last, std::abs(e.last));
  }
  std::string text = fmt::format("{} every {:.4g} s: RMS error of the outputs at most {:.2g}, {:.2g} at the end",
                                 controller, period, worst, last);
  if (spectral_radius)
    text += fmt::format("; the loop is {} at rest (spectral radius {:.4g})",
                        *spectral_radius <= 1.0 + 1e-6 ? "stable" : "unstable", *spectral_radius);
  return text + ".";
}

std::vector<KeyFigure> ControlSummary::key_figures(const Summary&) const {
  std::vector<KeyFigure> f;
  for (const Error& e : errors) f.push_back({"RMS error of " + e.output, e.rms});
  f.push_back({"samples with limited inputs", 100.0 * saturated, "%"});
  f.push_back({"computing time, 99 %", 100.0 * usual_time, "% of the period"});
  return f;
}

}  // namespace invar

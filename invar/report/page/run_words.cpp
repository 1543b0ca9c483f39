// See run_words.h.
#include "invar/report/page/run_words.h"

#include <fmt/format.h>

#include <utility>

#include "invar/record/optimum_words.h"

namespace invar {

namespace {

std::string duration(double seconds) {
  return seconds < 1.0 ? fmt::format("{:.0f} ms", 1e3 * seconds) : fmt::format("{:.1f} s", seconds);
}

// Collects sentences.
class Lines {
 public:
  template <class... Values>
  void operator()(fmt::format_string<Values...> sentence, Values&&... values) {
    list_.push_back(fmt::format(sentence, std::forward<Values>(values)...));
  }
  std::vector<std::string> list() && { return std::move(list_); }

 private:
  std::vector<std::string> list_;
};

void constraints(const Summary& s, Lines& say) {
  if (s.counts.constraints > 0)
    say("constraints: largest residual {:.1e} at position level, {:.1e} at velocity level", s.accuracy.drift_position,
        s.accuracy.drift_velocity);
}

void simulated(const Summary& s, Lines& say) {
  const std::string size =
      s.adaptive > 0.0 ? fmt::format("for an error of {:.1e} each", s.adaptive) : fmt::format("of {:.6g} s", s.step);
  say("{}: {} steps {} with {}, {:.1f} Newton iterations per step, {}", s.name, s.steps, size, s.method,
      s.newton_iterations.per_step, duration(s.wall_seconds));
  const Accuracy& a = s.accuracy;
  say("energy: largest change {:.2e} J, {:.1e} of the largest energy{}", a.energy.drift, a.energy_relative,
      a.energy.expected ? "" : fmt::format(" ({})", a.energy.why_not));
  for (const InvariantDrift& i : a.invariants)
    if (i.expected) say("{}: largest change {:.2e}", i.name, i.drift);
  constraints(s, say);
  for (const Summary::Change& c : s.initial_changes)
    say("start made consistent: {} = {:.9g} instead of {:.9g}", c.name, c.used, c.given);
}

void inverted(const Summary& s, Lines& say) {
  const Summary::Inversion& i = *s.inversion;
  say("{}: {}", s.name, i.verdict);
  say("{} instants with {}, {}; equations satisfied to {:.1e} of their terms, outputs to {:.1e}", s.steps, s.method,
      duration(s.wall_seconds), i.equation_residual, i.servo_error);
  for (const std::string* words : {&i.method_reason, &i.verification, &i.sample_error})
    if (!words->empty()) say("{}", *words);
}

void mesh_error(const MeshQuality& mesh, Lines& say) {
  if (mesh.error) {
    const MeshQuality::Error& e = *mesh.error;
    if (e.end && !e.grows)
      say("on finer steps these inputs end {:.1e} away in {} ({:.2g} % of its way)", *e.end, e.coordinate,
          100.0 * e.relative);
    else
      say("the steps of the mesh leave out {:.2g} % of the way together; the plant is unstable in open loop and {}",
          100.0 * e.steps, e.end ? fmt::format("makes {:.1e} in {} of it", *e.end, e.coordinate) : "runs away");
  }
  if (mesh.inner_places > 0)
    say("limits had to be asked for between the nodes too ({}); passed there by {:.1e} at most",
        mesh.inner_places == 1 ? "at one place" : fmt::format("at {} places", mesh.inner_places),
        mesh.between ? mesh.between->amount : 0.0);
}

void optimized(const Summary& s, Lines& say) {
  const Summary::Optimization& o = *s.optimization;
  say("{}: cost {:.10g} over {:.6g} s in {} intervals with {}, {} iterations, {}", s.name, o.cost, o.horizon,
      o.intervals, s.method, o.iterations, duration(s.wall_seconds));
  say("equations satisfied to {:.1e}, slope of the Lagrangian {:.1e}{}", o.infeasibility, o.kkt,
      s.status == "done" ? ": " + nature(o) : "");
  if (const std::string way = way_found(o); s.status == "done" && !way.empty()) say("{}", way);
  constraints(s, say);
  say("energy gained beyond the work done: {:.1e} of the largest change", o.energy_balance_relative);
  say("control Hamiltonian {:.8g}, constant to {:.1e}", o.hamiltonian, o.hamiltonian_drift);
  for (const auto& mesh : o.meshes) say("{} intervals: cost {:.10g}", mesh.intervals, mesh.cost);
  if (o.limit)
    say("limit of ever finer meshes: cost {:.10g}{}", *o.limit,
        o.order ? fmt::format(" (observed order {:.2f})", *o.order) : "");
  if (!o.mesh.no_limit.empty()) say("no limit of ever finer meshes: {}", o.mesh.no_limit);
  if (o.replay) say("a simulation with these inputs gives the same motion to {:.1e}", *o.replay);
  mesh_error(o.mesh, say);
  for (const std::string& bound : o.active_bounds) say("reached: {}", bound);
}

void controlled(const Summary& s, Lines& say) {
  const Summary::Control& c = *s.control;
  say("{}: {} samples of {:.6g} s with {}, {}", s.name, c.samples, c.period, c.controller, duration(s.wall_seconds));
  if (c.spectral_radius) say("spectral radius of the sampled loop at rest: {:.6g}", *c.spectral_radius);
  for (const auto& e : c.errors)
    say("error of {}: largest {:.3e}, RMS {:.3e}, at the end {:.3e}", e.output, e.largest, e.rms, e.last);
  for (const auto& e : c.efforts) say("input {}: largest {:.4g}, RMS {:.4g}", e.input, e.largest, e.rms);
  constraints(s, say);
  if (c.saturated > 0.0) say("inputs at their limits in {:.1f} % of the samples", 100.0 * c.saturated);
  say("computing a sample takes at most {:.2g} periods, {:.2g} in 99 % of them", c.worst_time, c.usual_time);
}

}  // namespace

std::vector<std::string> run_in_words(const Summary& s) {
  Lines say;
  if (s.inversion)
    inverted(s, say);
  else if (s.optimization)
    optimized(s, say);
  else if (s.control)
    controlled(s, say);
  else if (s.task == "simulate")
    simulated(s, say);
  return std::move(say).list();
}

}  // namespace invar

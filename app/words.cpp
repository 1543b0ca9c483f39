// See words.h.
#include "app/words.h"

#include <fmt/format.h>

namespace invar::app {

namespace {

std::string duration(double seconds) {
  return seconds < 1.0 ? fmt::format("{:.0f} ms", 1e3 * seconds) : fmt::format("{:.1f} s", seconds);
}

void print_mesh_error(const MeshQuality& mesh) {
  if (mesh.error) {
    const MeshQuality::Error& e = *mesh.error;
    if (e.end && !e.grows)
      fmt::print("  on finer steps these inputs end {:.1e} away in {} ({:.2g} % of its way)\n", *e.end, e.coordinate,
                 100.0 * e.relative);
    else
      fmt::print(
          "  the steps of the mesh leave out {:.2g} % of the way together; the plant is unstable in open loop and {}\n",
          100.0 * e.steps, e.end ? fmt::format("makes {:.1e} in {} of it", *e.end, e.coordinate) : "runs away");
  }
  if (mesh.inner_places > 0)
    fmt::print("  limits had to be asked for between the nodes too ({}); passed there by {:.1e} at most\n",
               mesh.inner_places == 1 ? "at one place" : fmt::format("at {} places", mesh.inner_places),
               mesh.between ? mesh.between->amount : 0.0);
}

}  // namespace

void print_simulation(const Summary& s) {
  const std::string size =
      s.adaptive > 0.0 ? fmt::format("for an error of {:.1e} each", s.adaptive) : fmt::format("of {:.6g} s", s.step);
  fmt::print("{}: {} steps {} with {}, {:.1f} Newton iterations per step, {}\n", s.name, s.steps, size, s.method,
             s.newton_iterations.per_step, duration(s.wall_seconds));
  const Accuracy& a = s.accuracy;
  fmt::print("  energy: largest change {:.2e} J, {:.1e} of the largest energy{}\n", a.energy.drift, a.energy_relative,
             a.energy.expected ? "" : fmt::format(" ({})", a.energy.why_not));
  for (const InvariantDrift& i : a.invariants)
    if (i.expected) fmt::print("  {}: largest change {:.2e}\n", i.name, i.drift);
  if (s.counts.constraints > 0)
    fmt::print("  constraints: largest residual {:.1e} at position level, {:.1e} at velocity level\n", a.drift_position,
               a.drift_velocity);
  for (const Summary::Change& c : s.initial_changes)
    fmt::print("  start made consistent: {} = {:.9g} instead of {:.9g}\n", c.name, c.used, c.given);
}

void print_inversion(const Summary& s) {
  const Summary::Inversion& i = *s.inversion;
  fmt::print("{}: {}\n", s.name, i.verdict);
  fmt::print("  {} instants with {}, {}; equations satisfied to {:.1e} of their terms, outputs to {:.1e}\n", s.steps,
             s.method, duration(s.wall_seconds), i.equation_residual, i.servo_error);
  if (i.round_trip)
    fmt::print("  a simulation with these inputs{} follows the trajectories to {:.1e}\n",
               i.round_trip_from > 0.0 ? fmt::format(" from t = {:.4g} on", i.round_trip_from) : std::string(),
               *i.round_trip);
}

void print_optimum(const Summary& s) {
  if (!s.optimization) return;
  const Summary::Optimization& o = *s.optimization;
  fmt::print("{}: cost {:.10g} over {:.6g} s in {} intervals with {}, {} iterations, {}\n", s.name, o.cost, o.horizon,
             o.intervals, s.method, o.iterations, duration(s.wall_seconds));
  fmt::print("  equations satisfied to {:.1e}, slope of the Lagrangian {:.1e}{}\n", o.infeasibility, o.kkt,
             s.status == "done" ? " (a local optimum)" : "");
  fmt::print("  energy gained beyond the work done: {:.1e} of the largest change\n", o.energy_balance_relative);
  fmt::print("  control Hamiltonian {:.8g}, constant to {:.1e}\n", o.hamiltonian, o.hamiltonian_drift);
  for (const auto& mesh : o.meshes) fmt::print("  {} intervals: cost {:.10g}\n", mesh.intervals, mesh.cost);
  if (o.limit)
    fmt::print("  limit of ever finer meshes: cost {:.10g}{}\n", *o.limit,
               o.order ? fmt::format(" (observed order {:.2f})", *o.order) : "");
  if (!o.mesh.no_limit.empty()) fmt::print("  no limit of ever finer meshes: {}\n", o.mesh.no_limit);
  if (o.replay) fmt::print("  a simulation with these inputs gives the same motion to {:.1e}\n", *o.replay);
  print_mesh_error(o.mesh);
  for (const std::string& bound : o.active_bounds) fmt::print("  reached: {}\n", bound);
}

void print_control(const Summary& s) {
  if (!s.control) return;
  const Summary::Control& c = *s.control;
  fmt::print("{}: {} samples of {:.6g} s with {}, {}\n", s.name, c.samples, c.period, c.controller,
             duration(s.wall_seconds));
  if (c.spectral_radius) fmt::print("  spectral radius of the sampled loop at rest: {:.6g}\n", *c.spectral_radius);
  for (const auto& e : c.errors)
    fmt::print("  error of {}: largest {:.3e}, RMS {:.3e}, at the end {:.3e}\n", e.output, e.largest, e.rms, e.last);
  for (const auto& e : c.efforts) fmt::print("  input {}: largest {:.4g}, RMS {:.4g}\n", e.input, e.largest, e.rms);
  if (s.counts.constraints > 0) fmt::print("  constraints: largest residual {:.1e}\n", c.constraint_violation);
  if (c.saturated > 0.0) fmt::print("  inputs at their limits in {:.1f} % of the samples\n", 100.0 * c.saturated);
  fmt::print("  computing a sample takes at most {:.2g} periods, {:.2g} in 99 % of them\n", c.worst_time, c.usual_time);
}

void warn(const std::string& w) { fmt::print(stderr, "invar: warning: {}\n", w); }

}  // namespace invar::app

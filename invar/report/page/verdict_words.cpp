// See verdict_words.h.
#include "invar/report/page/verdict_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include "invar/record/optimum_words.h"

namespace invar {

namespace {

std::string to(double residual) { return residual == 0.0 ? "exactly" : fmt::format("to {:.1e}", residual); }

std::string simulated(const Summary& s) {
  const Accuracy& a = s.accuracy;
  std::string text = fmt::format("{} steps with {}", s.steps, s.method);
  if (a.energy.expected) text += fmt::format(": energy kept to {:.1e} of its largest value", a.energy_relative);
  if (s.counts.constraints > 0)
    text += fmt::format("{} constraints hold {} at position level, {} at velocity level", a.energy.expected ? "," : ":",
                        to(a.drift_position), to(a.drift_velocity));
  return text + ".";
}

// Cables must pull. What is this small beside the largest tension is round-off of a slack cable.
std::string tension(const Trajectory& t) {
  constexpr double round_off = 1e-9;
  double least = std::numeric_limits<double>::infinity(), most = 0.0, when = 0.0;
  for (std::size_t c = 0; c < t.columns.size(); ++c)
    if (t.columns[c].starts_with("tension."))
      for (std::size_t k = 0; k < t.rows(); ++k) {
        const double x = t.row(k)[c];
        most = std::max(most, std::abs(x));
        if (x < least) when = t.row(k)[0];
        least = std::min(least, x);
      }
  if (!std::isfinite(least)) return {};
  if (least > round_off * most) return fmt::format(" Cables stay in tension, at least {:.4g} N.", least);
  if (least < -round_off * most) return fmt::format(" A cable would have to push with {:.4g} N.", -least);
  return fmt::format(" A cable is slack at t = {:.4g} s, and pulls otherwise.", when);
}

// " This is said.", or nothing.
std::string as_sentence(std::string words) {
  if (words.empty()) return words;
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return " " + words + ".";
}

std::string inverted(const Summary& s, const Trajectory& t) {
  const Summary::Inversion& i = *s.inversion;
  const std::string kind = i.flat ? "Flat system"
                                  : fmt::format("System with {} internal state{}", i.degrees_of_freedom,
                                                i.degrees_of_freedom == 1 ? "" : "s");
  return fmt::format("{} of index {}: inputs exact to {:.0e} of the terms of their equations.{}{}", kind, i.index,
                     i.equation_residual, tension(t), as_sentence(i.verification));
}

std::string optimized(const Summary& s) {
  const Summary::Optimization& o = *s.optimization;
  return fmt::format("Cost {:.8g} in {:.6g} s, {} intervals of {}: {}{}.", o.cost, o.horizon, o.intervals, s.method,
                     o.second_order == "minimum" ? "a local minimum" : nature(o),
                     o.replay ? fmt::format(", reproduced by simulation to {:.0e}", *o.replay) : "");
}

std::string controlled(const Summary& s) {
  const Summary::Control& c = *s.control;
  double worst = 0.0, last = 0.0;
  for (const auto& e : c.errors) {
    worst = std::max(worst, e.rms);
    last = std::max(last, std::abs(e.last));
  }
  std::string text = fmt::format("{} every {:.4g} s: RMS error of the outputs at most {:.2g}, {:.2g} at the end",
                                 c.controller, c.period, worst, last);
  if (c.spectral_radius)
    text += fmt::format("; the loop is {} at rest (spectral radius {:.4g})",
                        *c.spectral_radius <= 1.0 + 1e-6 ? "stable" : "unstable", *c.spectral_radius);
  return text + ".";
}

}  // namespace

std::string verdict_sentence(const Summary& s, const Trajectory& t) {
  const bool got_through = t.rows() > 0 && t.row(t.rows() - 1)[0] >= s.until;
  if (s.status == "failed" && got_through && !s.message.empty()) return as_sentence(s.message).substr(1);
  if (s.status != "done")
    return t.rows() > 0 ? fmt::format("Stopped at t = {:.4g} of {:.4g} s.", t.row(t.rows() - 1)[0], s.until)
                        : "Stopped before the first step.";
  if (s.inversion) return inverted(s, t);
  if (s.optimization) return optimized(s);
  if (s.control) return controlled(s);
  return simulated(s);
}

std::vector<KeyFigure> key_figures(const Summary& s) {
  std::vector<KeyFigure> f;
  if (s.counts.degrees_of_freedom > 0)
    f.push_back({"degrees of freedom", static_cast<double>(s.counts.degrees_of_freedom)});
  if (s.inversion) {
    const Summary::Inversion& i = *s.inversion;
    f.push_back({"index", static_cast<double>(i.index)});
    f.push_back({"error of the outputs", i.servo_error});
    if (i.round_trip) f.push_back({"error in a simulation with the inputs", *i.round_trip});
  } else if (s.optimization) {
    const Summary::Optimization& o = *s.optimization;
    f.push_back({"cost", o.cost});
    f.push_back({"horizon", o.horizon, "s"});
    f.push_back({"iterations", static_cast<double>(o.iterations)});
    f.push_back({"control Hamiltonian", o.hamiltonian});
    f.push_back({"its largest deviation", o.hamiltonian_drift});
    f.push_back({"energy balance, relative", o.energy_balance_relative});
    if (o.limit) f.push_back({"limit of finer meshes", *o.limit});
    if (o.mesh.error)
      f.push_back({"left out by the mesh, of the way",
                   100.0 * (o.mesh.error->grows ? o.mesh.error->steps : o.mesh.error->relative), "%"});
  } else if (s.control) {
    for (const auto& e : s.control->errors) f.push_back({"RMS error of " + e.output, e.rms});
    f.push_back({"samples with limited inputs", 100.0 * s.control->saturated, "%"});
    f.push_back({"computing time, 99 %", 100.0 * s.control->usual_time, "% of the period"});
  } else {
    f.push_back({s.accuracy.energy.expected ? "change of energy" : "change of energy, by inputs and forces",
                 s.accuracy.energy.drift, "J"});
    f.push_back({"Newton iterations per step", s.newton_iterations.per_step});
    if (s.counts.constraints > 0) {
      f.push_back({"drift of constraints", s.accuracy.drift_position});
      f.push_back({"drift of their rates", s.accuracy.drift_velocity});
    }
  }
  f.push_back({"computed in", s.wall_seconds, "s"});
  return f;
}

}  // namespace invar

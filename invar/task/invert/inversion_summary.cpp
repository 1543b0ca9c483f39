// See inversion_summary.h.
#include "invar/task/invert/inversion_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/base/kind_names.h"
#include "invar/record/sentences.h"
#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar {

namespace {

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

constexpr KindName<Realisation> realisations[] = {
    {Realisation::orthogonal, "orthogonal"},
    {Realisation::mixed, "mixed"},
    {Realisation::tangential, "tangential"},
    {Realisation::undecided, "undecided"},
};

}  // namespace

InversionSummary inversion_summary(const InverseStructure& s) {
  InversionSummary i;
  i.unknowns = s.unknowns;
  i.index = s.index;
  i.formal_index = s.formal.index;
  i.degrees_of_freedom = s.degrees_of_freedom;
  i.flat = s.flat();
  i.hidden_structure = s.hidden;
  i.realisation = name_in(realisations, s.realisation);
  for (const NeededOrder& n : s.needed) i.needed_derivatives.push_back({n.output, n.order, n.given});
  i.zero_dynamics = s.zero.eigenvalues;
  i.verdict = in_words(s);
  return i;
}

std::unique_ptr<SummaryPart> InversionSummary::copy() const { return std::make_unique<InversionSummary>(*this); }

JsonObject InversionSummary::structure() const {
  return {{"index", index}, {"formal_index", formal_index},         {"degrees_of_freedom", degrees_of_freedom},
          {"flat", flat},   {"hidden_structure", hidden_structure}, {"zero_dynamics", zero_dynamics}};
}

JsonObject InversionSummary::figures() const {
  JsonList needed, instants;
  for (const Needed& n : needed_derivatives)
    needed.push_back(JsonObject{{"output", n.output}, {"continuous_derivatives", n.order}, {"given", n.given}});
  for (const Singular& s : singular_times)
    instants.push_back(JsonObject{{"t", s.t}, {"open", s.open}, {"vanishing", s.vanishing}});
  return {{"unknowns", unknowns},
          {"realisation", realisation},
          {"needed_derivatives", needed},
          {"singular_times", instants},
          {"conditioning", conditioning},
          {"conditioning_at", conditioning ? JsonValue(conditioning_at) : JsonValue()},
          {"equation_residual", equation_residual},
          {"servo_error", servo_error},
          {"step_error", step_error},
          {"round_trip_error", round_trip},
          {"round_trip_from", round_trip ? JsonValue(round_trip_from) : JsonValue()},
          {"open_loop_growth", growth},
          {"window", window_error ? JsonValue(window) : JsonValue()},
          {"window_error", window_error},
          {"verification", verification},
          {"sample_error", sample_error.empty() ? JsonValue() : JsonValue(sample_error)},
          {"method_reason", method_reason},
          {"verdict", verdict}};
}

std::vector<std::string> InversionSummary::sentences(const Summary& s) const {
  Sentences say;
  say("{}: {}", s.name, verdict);
  say("{} instants with {}, {}; equations satisfied to {:.1e} of their largest terms, outputs to {:.1e}{}", s.steps,
      s.method, duration(s.wall_seconds), equation_residual, servo_error, s.unit_behind(outputs()));
  if (step_error)
    say("the inputs are accurate to about {:.1e} of the largest, judged by halving the step", *step_error);
  for (const std::string* words : {&method_reason, &verification, &sample_error})
    if (!words->empty()) say("{}", *words);
  return std::move(say).list();
}

std::string InversionSummary::headline(const Summary&, const Trajectory& t) const {
  const std::string kind =
      flat ? "Flat system"
           : fmt::format("System with {} internal state{}", degrees_of_freedom, degrees_of_freedom == 1 ? "" : "s");
  const std::string verified = as_sentence(verification);
  return fmt::format("{} of index {}: equations satisfied to {:.0e} of their largest terms.{}{}{}", kind, index,
                     equation_residual, tension(t), verified.empty() ? "" : " ", verified);
}

std::vector<std::string> InversionSummary::outputs() const {
  std::vector<std::string> names;
  for (const Needed& n : needed_derivatives) names.push_back(n.output);
  return names;
}

std::vector<KeyFigure> InversionSummary::key_figures(const Summary& s) const {
  std::vector<KeyFigure> f = {{"index", static_cast<double>(index)},
                              {"largest error of the outputs", servo_error, s.unit_of(outputs())}};
  if (round_trip) f.push_back({"error in a simulation with the inputs", *round_trip});
  return f;
}

std::vector<double> InversionSummary::marked_times() const {
  std::vector<double> times;
  for (const Singular& s : singular_times) times.push_back(s.t);
  return times;
}

std::optional<SummaryPart::Chapter> InversionSummary::chapter() const { return Chapter{"Inverse problem", verdict}; }

}  // namespace invar

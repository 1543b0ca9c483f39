// What is said about an equilibrium.
#include <algorithm>
#include <cmath>

#include "invar/record/sentences.h"
#include "invar/statics/direction_names.h"
#include "invar/task/equilibrium/equilibrium.h"

namespace invar {

namespace {

std::string frequency(const EquilibriumSummary& e) {
  return e.lowest_frequency > 0.0 ? fmt::format("lowest frequency {:.4g} Hz", e.lowest_frequency) : std::string();
}

std::string in_brackets(const std::string& text) { return text.empty() ? text : " (" + text + ")"; }

// The slowest decay.
double decay(const EquilibriumSummary& e) { return e.eigenvalues.empty() ? 0.0 : -e.eigenvalues.back().real(); }

struct StabilityWords {
  StabilityKind kind;
  const char* name;  // in summary.json
  std::string (*words)(const EquilibriumSummary& e);
};
constexpr StabilityWords kinds[] = {
    {StabilityKind::asymptotic, "asymptotic",
     [](const EquilibriumSummary& e) {
       const std::string slowest = fmt::format("small motions die out with {:.4g} 1/s or faster", decay(e));
       return "asymptotically stable (" + (e.lowest_frequency > 0.0 ? frequency(e) + ", " : "") + slowest + ")";
     }},
    {StabilityKind::stable, "stable", [](const EquilibriumSummary& e) { return "stable" + in_brackets(frequency(e)); }},
    {StabilityKind::first_order, "first-order",
     [](const EquilibriumSummary& e) {
       return "stable to first order" + in_brackets(frequency(e)) +
              ": no small motion grows, and terms of higher order decide";
     }},
    {StabilityKind::indifferent, "indifferent",
     [](const EquilibriumSummary&) {
       return std::string("indifferent: along some directions nothing brings it back");
     }},
    {StabilityKind::unstable, "unstable",
     [](const EquilibriumSummary& e) { return fmt::format("unstable (grows with {:.4g} 1/s)", e.growth); }},
    {StabilityKind::not_judged, "not-judged",
     [](const EquilibriumSummary& e) {
       return "not judged for stability: of a model of this size, forces without a potential" +
              (e.eigenvalues.empty()
                   ? std::string()
                   : fmt::format("; of the {} slowest eigenvalues of small motions none grows", e.eigenvalues.size()));
     }},
};

const StabilityWords& row_of(StabilityKind kind) { return *std::ranges::find(kinds, kind, &StabilityWords::kind); }

JsonObject as_object(const EquilibriumSummary::Named& values) {
  JsonObject object;
  for (const auto& [name, value] : values) object.push_back({name, value});
  return object;
}

std::string assignments(const EquilibriumSummary::Named& values, const char* prime = "") {
  std::vector<std::string> list;
  for (const auto& [name, value] : values) list.push_back(fmt::format("{}{} = {:.6g}", name, prime, value));
  return in_a_list(list);
}

}  // namespace

std::unique_ptr<SummaryPart> EquilibriumSummary::copy() const { return std::make_unique<EquilibriumSummary>(*this); }

JsonObject EquilibriumSummary::figures() const {
  JsonObject object = {{"found", found},
                       {"iterations", iterations},
                       {"steps", steps},
                       {"force_residual", force_residual},
                       {"constraint_residual", constraint_residual}};
  if (!found) return object;
  if (!followed.empty()) object.push_back({"followed", followed});
  if (!turns.empty()) object.push_back({"turns", turns});
  object.push_back({"stability", row_of(stability).name});
  object.push_back({"eigenvalues", eigenvalues});
  object.push_back({"growth", growth});
  object.push_back({"lowest_frequency", lowest_frequency});
  object.push_back({"free", free});
  object.push_back({"flat", flat});
  object.push_back({"steady", as_object(steady)});
  if (!lower.empty()) object.push_back({"stable_downhill", as_object(lower)});
  object.push_back({"stays", stays});
  object.push_back({"stays_for", stays_for});
  return object;
}

std::vector<std::string> EquilibriumSummary::sentences(const Summary& s) const {
  Sentences say;
  const std::string how =
      steps > 0 ? fmt::format("{} steps {}", steps, s.method == "path" ? "along the load path" : "downhill")
                : fmt::format("{} iteration{} of Newton's method", iterations, iterations == 1 ? "" : "s");
  if (!found) {
    say("{}: no equilibrium found, {}", s.name, duration(s.wall_seconds));
    return std::move(say).list();
  }
  say("{}: {} after {}, {}", s.name, steady.empty() ? "rests" : "goes on steadily", how, duration(s.wall_seconds));
  if (!steady.empty()) say("steady rates: {}", assignments(steady, "'"));
  if (!turns.empty()) say("the path turns back near {} = {:.4g}", followed, fmt::join(turns, ", "));
  say("{}", row_of(stability).words(*this));
  if (!free.empty()) say("one of a family: {} {} free", in_a_list(free), free.size() == 1 ? "is" : "are");
  if (!flat.empty()) say("along {} only terms of higher order hold or push it", in_a_list(flat));
  if (!lower.empty()) say("a stable one lies downhill, with {}: --method minimum leads there", assignments(lower));
  say("forces balance to {:.1e} of their largest terms{}", force_residual,
      s.counts.constraints > 0 ? fmt::format(", constraints hold to {:.1e}", constraint_residual) : "");
  if (stays) say("a simulation from it stays there to {:.1e} of its size for {:.3g} s", *stays, stays_for);
  return std::move(say).list();
}

std::string EquilibriumSummary::headline(const Summary&, const Trajectory&) const {
  return fmt::format("{}: {}.", steady.empty() ? "Rests" : "Goes on steadily", row_of(stability).words(*this));
}

std::vector<KeyFigure> EquilibriumSummary::key_figures(const Summary&) const {
  std::vector<KeyFigure> f = {{"unbalanced forces, of their largest terms", force_residual}};
  if (stability == StabilityKind::unstable) f.push_back({"growth", growth, "1/s"});
  if (lowest_frequency > 0.0) f.push_back({"lowest frequency", lowest_frequency, "Hz"});
  if (stays) f.push_back({"a simulation leaves it by", *stays});
  return f;
}

}  // namespace invar

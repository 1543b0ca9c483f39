// See inverse_method.h.
#include "invar/task/invert/inverse_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/kind_names.h"

namespace invar {

namespace {

// Before the motion begins, the references stand still or move at constant speed.
bool begins_at_rest(const Dae& dae, double until) {
  constexpr double negligible = 1e-9;  // what curvature would add within the motion, compared with value and speed
  for (const Reference& r : dae.references) {
    double series[4] = {};
    r.function->series(0.0, Side::left, series);
    for (double power = 1.0; double& c : series) {
      c = std::abs(c) * power;
      power *= until;
    }
    if (series[2] + series[3] > negligible * (series[0] + series[1])) return false;
  }
  return true;
}

// By which factor errors of the start grow until the end, judged by the internal dynamics at rest.
double growth(const ZeroDynamics& zero, double until) {
  double fastest = 0.0;
  for (const std::complex<double>& z : zero.eigenvalues) fastest = std::max(fastest, z.real());
  return std::exp(fastest * until);
}
constexpr double harmless = 1e4;  // of a motion that is followed anyway: its first digits stay those of the start
constexpr double lost = 1e12;     // rounding errors take over

bool moves_at_start(const InverseStructure& s, double until) {
  // At constant speed of the outputs the mechanism rests only if nothing in it accelerates.
  constexpr double negligible = 1e-6;
  double speed = 0.0, acceleration = 0.0;
  for (std::size_t j = 0; j < s.dae.unknowns.size(); ++j) {
    if (s.dae.unknowns[j].kind != UnknownKind::coordinate) continue;
    if (s.start.x[j].size() > 1) speed = std::max(speed, std::abs(s.start.x[j][1]));
    if (s.start.x[j].size() > 2) acceleration = std::max(acceleration, std::abs(s.start.x[j][2]));
  }
  return speed > 0.0 && acceleration * until > negligible * speed;
}

bool references_move(const Dae& dae) {
  return std::any_of(dae.references.begin(), dae.references.end(), [](const Reference& r) {
    double series[2] = {};
    r.function->series(0.0, Side::left, series);
    return series[1] != 0.0;
  });
}

// The message without the name of the method, which has been said.
std::string plain(const GivenUp& other) {
  const std::string name = "stable inversion: ";
  return other.message.starts_with(name) ? other.message.substr(name.size()) : other.message;
}

}  // namespace

std::vector<InverseCandidate> candidates(const Problem& problem, const InverseStructure& s) {
  const InvertSettings& settings = problem.settings.of<InvertSettings>();
  const InverseMethod wanted = inverse_method(settings);
  if (const std::string objection = objection_to_periodic(settings); !objection.empty()) throw InputError(objection);
  if (wanted != InverseMethod::automatic) return {{wanted, ""}};
  if (settings.periodic && !s.flat())
    return {{InverseMethod::space_time, "the motion shall repeat itself, which no start tells beforehand"}};
  if (s.flat()) return {{InverseMethod::taylor, "the system is flat, so every instant is solved by itself"}};
  if (s.zero.kind != ZeroDynamics::Kind::unstable)
    return {{InverseMethod::taylor, "the internal dynamics is followed from the given start"}};
  if (s.by_zeros)
    return {
        {InverseMethod::space_time,
         "the internal dynamics is unstable and too large to eliminate all but its states, so the bounded motion is "
         "sought at all instants at once"}};
  const double until = settings.until, grown = growth(s.zero, until);
  const bool at_rest = begins_at_rest(s.dae, until) && !(references_move(s.dae) && moves_at_start(s, until));
  const InverseCandidate bounded = {InverseMethod::stable_inversion,
                                    "the internal dynamics is unstable, and of all motions only one stays bounded"};
  const InverseCandidate followed = {
      InverseMethod::taylor,
      at_rest ? "the internal dynamics is followed from the given start"
              : "the trajectories do not begin at rest, so the motion is followed from the given start"};
  if (grown > lost) return {bounded};
  if (at_rest || grown > harmless) return {bounded, followed};
  return {followed, bounded};
}

std::string growth_in_words(const Problem& problem, const InverseStructure& s) {
  const double grown = growth(s.zero, problem.settings.of<InvertSettings>().until);
  if (s.zero.kind != ZeroDynamics::Kind::unstable || grown <= harmless) return {};
  return fmt::format(
      "the internal dynamics is unstable: errors of the start grow by a factor of about {:.1g} until the end, and so "
      "may the motion itself; look at "
      "it, or try --method stable-inversion with trajectories that begin and end at rest",
      grown);
}

std::string choice_in_words(const InverseCandidate& taken, const std::vector<GivenUp>& given_up) {
  if (taken.reason.empty()) return {};
  std::string text = fmt::format("{} was taken: {}", name_in(inverse_methods, taken.method), taken.reason);
  for (const GivenUp& other : given_up)
    text += fmt::format("; {} was given up: {}", name_in(inverse_methods, other.method), plain(other));
  return text;
}

std::string failures_in_words(const std::vector<GivenUp>& given_up) {
  if (given_up.size() == 1) return given_up.front().message;
  std::string text = "no method worked";
  for (const GivenUp& other : given_up)
    text += fmt::format("; {}: {}", name_in(inverse_methods, other.method), plain(other));
  return text;
}

}  // namespace invar

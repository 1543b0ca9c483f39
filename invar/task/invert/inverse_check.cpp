// See inverse_check.h.
#include "invar/task/invert/inverse_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/task/invert/residual_between.h"
#include "invar/task/invert/round_trip.h"

namespace invar {

namespace {

// Relative to the scale of the output.
constexpr double convincing =
    1e-9;  // what an exact method reaches if the inputs are well enough known between the instants
constexpr double departed = 1e-3;  // what no inaccuracy of the simulation explains
constexpr double useless = 0.1;    // what is no longer the motion that was asked for, whatever the method
// Relative to the terms of an equation: what interpolation between instants may cost.
constexpr double between_instants = 1e-2;

constexpr std::size_t most_windows = 40;
constexpr double window_part = 0.1;       // of the motion, at most
constexpr double growth_in_window = 3.0;  // exponent: a window ends when errors have grown twentyfold

// The exponent with which the error of a simulation rose through the three decades before it departed.
std::optional<double> growth(const Replay& trip) {
  constexpr double decades = 1e3;
  std::size_t last = 0;
  while (last < trip.error.size() && trip.error[last] < departed) ++last;
  if (last == trip.error.size()) return std::nullopt;
  for (std::size_t first = last; first-- > 0;)
    if (trip.error[first] > 0.0 && trip.error[first] * decades < departed)
      return std::log(trip.error[last] / trip.error[first]) / (trip.t[last] - trip.t[first]);
  return std::nullopt;
}

// Simulations over short windows, each begun on the computed motion.
struct Windows {
  double length = 0.0;
  double limit = 0.0;  // of the relative error, of outputs and of coordinates: all that inputs accelerate directly
  double error = 0.0;  // the largest one
  double largest_error = 0.0;  // of an output
  std::size_t count = 0;
  std::string trouble;  // why a window has no result
};

Windows windows(const FoundMotion& found, RoundTrip& round_trip, double longest) {
  const std::vector<Jet>& jets = found.jets;
  const double begin = jets.front().t, duration = jets.back().t - begin;
  Windows result;
  constexpr std::size_t steps = 40;
  constexpr double clearly = 0.1;  // below the limit
  const auto limit = [&](double length) {
    const double part = length / (window_part * duration);
    return departed * part * part;
  };
  const double stride = std::max(longest, duration / static_cast<double>(most_windows));
  for (double t = begin; t < jets.back().t - 0.5 * longest; t += stride) {
    const auto at = [&](double when) {
      return static_cast<std::size_t>(
          std::lower_bound(jets.begin(), jets.end(), when, [](const Jet& jet, double x) { return jet.t < x; }) -
          jets.begin());
    };
    const std::size_t first = std::min(at(t), jets.size() - 2);
    const std::size_t last = std::clamp(at(t + longest), first + 1, jets.size() - 1);
    const double from = jets[first].t, to = jets[last].t, near = 0.5 * (to - from);
    if (std::any_of(found.singular.begin(), found.singular.end(),
                    [&](double s) { return s > from - near && s < to + near; }))
      continue;
    result.length = std::max(result.length, to - from);
    const Replay trip = round_trip.replay(first, last, steps, clearly * limit(to - from));
    if (!trip.complete) result.trouble = trip.message;
    ++result.count;
    result.error = std::max({result.error, trip.relative, trip.motion});
    result.largest_error = std::max(result.largest_error, trip.largest_error);
  }
  result.limit = limit(result.length);
  return result;
}

// So long that errors do not grow much. Where this is not known, ever shorter: what grows exponentially vanishes faster
// than the limit, what is wrong with the inputs does not.
Windows fitting_windows(const FoundMotion& found, RoundTrip& round_trip, std::optional<double> rate) {
  constexpr int halvings = 4;
  const double duration = found.jets.back().t - found.jets.front().t;
  double longest = std::min(window_part * duration, rate ? growth_in_window / *rate : duration);
  Windows result = windows(found, round_trip, longest);
  for (int i = 0; i < halvings && result.count > 0 && result.trouble.empty(); ++i) {
    if (result.error <= result.limit) break;
    result = windows(found, round_trip, longest *= 0.5);
  }
  return result;
}

std::string share(double relative) {
  return relative >= 1.0 ? fmt::format("{:.2g} times its range of motion", relative)
                         : fmt::format("{:.2g} % of its range of motion", 100.0 * relative);
}

std::string departure(const Replay& trip) {
  if (trip.relative <= departed) return trip.message;
  return fmt::format("a simulation with them departs from the trajectory of output \"{}\" by {}, at t = {:.4g} s",
                     trip.output, share(trip.relative), trip.at);
}

std::string violation(double between) {
  return fmt::format("between the instants the equations are violated by {:.2g} of their terms", between);
}

std::string advice(const FoundMotion& found) {
  if (!is_exact(found.method))
    return fmt::format("use --method taylor, or a smaller --step (\"{}\" with {} has errors of its own)",
                       name_in(inverse_methods, found.method), found.problem.settings.of<InvertSettings>().integrator);
  return found.structure.flat() ? "the structure may have been misjudged: begin elsewhere, or compare with --method "
                                  "minimal-extension-1"
                                : "the structure may have been misjudged: begin elsewhere, or try another --method";
}

JetInterpolation interpolation_of(const FoundMotion& found, const std::vector<Jet>& jets) {
  return {found.structure.dae, jets, found.method == InverseMethod::taylor && !found.structure.hidden};
}

// The whole motion replayed; where the result is not convincing yet, from inputs on finer grids.
Replay whole(const FoundMotion& found, RoundTrip& round_trip) {
  constexpr std::size_t finer[] = {1600, 6400};
  const bool flat = found.structure.flat();
  Replay trip = round_trip.replay(!(flat && found.finer));
  for (const std::size_t intervals : finer) {
    if (!found.finer || !trip.complete || trip.relative < (flat ? convincing : departed)) break;
    if (!flat && intervals != finer[0]) break;  // internal dynamics takes its time
    const std::vector<Jet> jets = found.finer(intervals);
    if (!jets.empty()) trip = RoundTrip(found.problem, found.structure, jets, interpolation_of(found, jets)).replay();
  }
  return trip;
}

void describe_windows(const Windows& w, const Replay& trip, InverseJudgement& j) {
  j.growth = growth(trip);
  j.window = w.length;
  j.window_error = w.largest_error;
  const std::string why =
      trip.relative <= departed ? trip.message
      : j.growth ? fmt::format("the plant is unstable in open loop (errors grow with {:.2g} 1/s)", *j.growth)
                 : "the plant is unstable in open loop";
  j.words = fmt::format(
      "{}: over windows of {:.2g} s a simulation with these inputs stays within {:.1e} of the trajectories{}", why,
      w.length, w.largest_error, trip.relative <= departed ? "" : "; without feedback it would depart");
}

// A simulation that departs or stops: whose fault is it?
void judge_departure(const FoundMotion& found, RoundTrip& round_trip, const Replay& trip, InverseJudgement& j) {
  const double between =
      residual_between(found.structure, found.jets, interpolation_of(found, found.jets), found.singular);
  const bool held = between <= between_instants;
  if (!is_exact(found.method) && held && trip.relative > departed) {
    // Errors of an integrator are too large to tell instability from them.
    j.words = fmt::format(
        "a simulation with these inputs departs from the trajectories by {:.1e}, although between the "
        "instants the equations hold to {:.1e} of their terms: errors grow without feedback",
        trip.largest_error, between);
    j.warnings.push_back(fmt::format("the inputs are inaccurate: {}; {}", departure(trip), advice(found)));
    return;
  }
  const Windows w = held ? fitting_windows(found, round_trip, growth(trip)) : Windows();
  if (held && w.error <= w.limit) {
    if (w.count > 0 && w.trouble.empty()) return describe_windows(w, trip, j);
    const std::string& why = trip.message.empty() ? w.trouble : trip.message;
    j.words = fmt::format(
        "not verified by a simulation ({}); between the instants the equations hold to {:.1e} of their terms", why,
        between);
    j.warnings.push_back(why);
    return;
  }
  j.failure = fmt::format("the inputs are wrong: {}{}; {}", departure(trip), held ? "" : ", and " + violation(between),
                          advice(found));
}

// Inputs by an integrator that lead along the trajectories, but perhaps only in the mean.
void judge_integration(const FoundMotion& found, const JetInterpolation& interpolation, const Replay& trip,
                       InverseJudgement& j) {
  const double between = residual_between(found.structure, found.jets, interpolation, found.singular);
  const std::string reason = between > between_instants ? violation(between) : departure(trip);
  if (between > useless)
    j.failure = fmt::format("the inputs are wrong: {}; {}", reason, advice(found));
  else if (between > between_instants || trip.relative > departed)
    j.warnings.push_back(fmt::format("the inputs are inaccurate: {}; {}", reason, advice(found)));
}

}  // namespace

InverseJudgement judge(const FoundMotion& found) {
  InverseJudgement j;
  const JetInterpolation interpolation = interpolation_of(found, found.jets);
  RoundTrip round_trip(found.problem, found.structure, found.jets, interpolation);
  const Replay trip = whole(found, round_trip);
  j.round_trip_from = trip.from;
  if (trip.complete || trip.relative > departed) j.round_trip = trip.largest_error;
  const double limit = is_exact(found.method) ? departed : useless;
  if (!trip.complete || trip.relative > limit) {
    judge_departure(found, round_trip, trip, j);
    return j;
  }
  j.words = fmt::format("a simulation with these inputs{} follows the trajectories to {:.1e}",
                        trip.from > 0.0 ? fmt::format(" from t = {:.4g} s on", trip.from) : std::string(),
                        trip.largest_error);
  if (!is_exact(found.method)) judge_integration(found, interpolation, trip, j);
  return j;
}

std::string not_finite(const InverseStructure& s, const std::vector<Jet>& jets) {
  for (const Jet& jet : jets)
    for (std::size_t j = 0; j < jet.x.size(); ++j)
      for (std::size_t n = 0; n < jet.x[j].size(); ++n)
        if (!std::isfinite(jet.x[j][n]))
          return fmt::format("\"{}{}\" is not finite at t = {:.6g} s", s.dae.unknowns[j].name, std::string(n, '\''),
                             jet.t);
  return {};
}

}  // namespace invar

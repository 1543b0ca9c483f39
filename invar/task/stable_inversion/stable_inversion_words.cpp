// What a stable inversion tells in words.
#include <fmt/format.h>

#include "invar/task/stable_inversion/stable_inversion.h"

namespace invar {

namespace {

int unstable(const ZeroDynamics& z) {
  int n = 0;
  for (std::size_t i = 0; i < z.eigenvalues.size(); ++i) n += z.grows(i) ? 1 : 0;
  return n;
}

std::string no_rest(const char* begin) {
  return fmt::format(
      "stable inversion: no equilibrium and no steady motion was found with the outputs as the trajectories {}; a "
      "bounded "
      "motion needs one to come from and to go to, so let the trajectories {} in one, or give [initial] values near it",
      begin, begin);
}

}  // namespace

std::string fault_in_words(const BoundedMotion& motion) {
  using Status = BoundedMotion::Status;
  switch (motion.status) {
    case Status::converged: return {};
    case Status::no_rest_at_start: return no_rest("begin");
    case Status::no_rest_at_end: return no_rest("end");
    case Status::mismatched:
      return fmt::format(
          "stable inversion: the internal dynamics has {} unstable directions where the trajectories begin and {} "
          "where "
          "they end; only with as many at both ends is there one bounded motion, so end in a state like the first",
          unstable(motion.at_start), unstable(motion.at_end));
    case Status::unbalanced:
      return fmt::format(
          "space-time: rest at both ends binds as many stable as unstable directions, but the internal dynamics has {} "
          "unstable ones among {}; use method = \"stable-inversion\"",
          unstable(motion.at_start), motion.at_start.eigenvalues.size());
    case Status::unsuited:
      return "space-time: constraints and outputs must be given by positions; use method = \"stable-inversion\"";
    case Status::not_periodic:
      return fmt::format(
          "space-time: the trajectories do not repeat themselves: at the end they, their velocities or accelerations "
          "differ from those at t = 0 by {:.1g} of what they do between; set until to one period",
          motion.error);
    case Status::resonant:
      return motion.error > 0.0
                 ? fmt::format(
                       "space-time: the inputs of the periodic motion still change by {:.1g} of their largest "
                       "value when the time step is halved; try a smaller --step or another period",
                       motion.error)
                 : "space-time: no periodic motion was found; a free motion may have the same period: try another one, "
                   "or a slower trajectory";
    case Status::stalled: break;
    case Status::stalled_space_time:
      if (motion.error > 0.0)
        return fmt::format(
            "stable inversion: the inputs still change by {:.1g} of their largest value when the time step is halved; "
            "try a "
            "smaller --step or a slower trajectory",
            motion.error);
  }
  return "stable inversion: the two-point problem did not converge; try a slower trajectory";
}

std::vector<std::string> warnings(const BoundedMotion& motion, const StableInversionSettings& settings) {
  constexpr double noticeable = 1e-6, inaccurate = 1e-5;
  std::vector<std::string> list;
  const auto cut = [&](bool begin, double t, double left) {
    std::string text = fmt::format(
        "the trajectories {} at t = {:.6g} s: {} they were continued by their formulas for {:.3g} s, which is not part "
        "of the "
        "result{}",
        begin ? "are already in motion" : "have not come to rest", t, begin ? "before" : "after",
        begin ? motion.pre_actuation : motion.post_actuation,
        begin ? "; the inputs hold for a system that starts in the state of the first row" : "");
    if (left > noticeable)
      text +=
          fmt::format("; of what was assumed at the far end {:.1g} is left at t = {:.6g} s, a boundary layer", left, t);
    list.push_back(text);
  };
  if (!motion.from_rest) cut(true, settings.start, motion.left_of_start);
  if (!motion.to_rest) cut(false, settings.end, motion.left_of_end);
  if (motion.bound_oscillations > 0)
    list.push_back(
        fmt::format("{} of the oscillations that neither grow nor decay at rest, the fastest that the step shows, had "
                    "to be bound at both ends: begun at rest and free at the end they lead away from the motion, as "
                    "they do where they grow on the way",
                    motion.bound_oscillations));
  if (motion.space_time && motion.error > inaccurate)
    list.push_back(
        fmt::format("the inputs are accurate to about {:.1g} of their largest value; a smaller --step improves them",
                    motion.error));
  return list;
}

}  // namespace invar

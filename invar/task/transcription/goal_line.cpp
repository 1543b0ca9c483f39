// See goal.h: ways from a configuration to the goal that keep the constraints.
#include <algorithm>
#include <optional>

#include "invar/task/transcription/configuration.h"
#include "invar/task/transcription/goal.h"

namespace invar {

namespace {

using Line = std::vector<std::vector<double>>;

constexpr double far = 1e-3;  // from the constraints

bool any_axis(const RigidBody& body, const std::vector<bool>& among) {
  if (body.point) return false;
  const auto end = among.begin() + static_cast<std::ptrdiff_t>(body.first + body.size());
  return std::find(among.begin() + static_cast<std::ptrdiff_t>(body.first + static_cast<std::size_t>(body.dimension)),
                   end, true) != end;
}

void set_axes(const RigidBody& body, bool value, std::vector<bool>& of) {
  const auto d = static_cast<std::size_t>(body.dimension);
  std::fill_n(of.begin() + static_cast<std::ptrdiff_t>(body.first + d), body.size() - d, value);
}

// Coordinates that shall move along the line, on the part s of their way.
void move_on(const std::vector<double>& from, const std::vector<double>& to, double s, const std::vector<bool>& which,
             std::vector<double>& q) {
  for (std::size_t i = 0; i < q.size(); ++i)
    if (which[i]) q[i] = (1.0 - s) * from[i] + s * to[i];
}

// A floating system gets nowhere without turning or moving something the other way: what the goal leaves open moves so
// that the momenta stay zero. Nothing if the goal contradicts them.
std::optional<Line> floating_line(const System& system, const Goal& goal, const std::vector<double>& q0,
                                  std::size_t intervals, double horizon, Constraints& constraints) {
  KeptMomenta momenta(system);
  if (!momenta.any()) return std::nullopt;
  std::vector<bool> given = goal.independent;
  for (std::size_t i = 0; i < q0.size(); ++i) given[i] = given[i] && goal.ranges[i].lower == goal.ranges[i].upper;
  constexpr std::size_t portions = 4;  // of an interval: the others may turn by more than a right angle in it
  Line line = {q0};
  std::vector<double> q = q0;
  for (std::size_t k = 1; k <= portions * intervals; ++k) {
    const double time = static_cast<double>(k) / static_cast<double>(portions * intervals);
    const double s = time * time * (3.0 - 2.0 * time);  // the others are at rest at both ends
    const std::vector<double> before = q;
    std::vector<bool> held = given;
    move_on(q0, goal.q, s, given, q);
    for (const RigidBody& body : system.bodies)
      if (any_axis(body, given) && turn_part_way(body, q0, goal.q, s, q)) set_axes(body, true, held);
    if (!(follow(constraints, momenta, time * horizon, before, q, held) < far)) return std::nullopt;
    if (k % portions == 0) line.push_back(q);
  }
  return line;
}

}  // namespace

Line line_to(const System& system, const Goal& goal, const std::vector<double>& q0, std::size_t intervals,
             double horizon, std::span<const Reference> references) {
  Constraints constraints(system, references);
  if (auto line = floating_line(system, goal, q0, intervals, horizon, constraints)) return std::move(*line);
  Line line = {q0};
  std::vector<double> q = q0;
  for (std::size_t k = 1; k <= intervals; ++k) {
    const double s = static_cast<double>(k) / static_cast<double>(intervals);
    std::vector<bool> held = goal.independent, loose = held;
    move_on(q0, goal.q, s, goal.independent, q);
    // Straight lines between directions are no turns.
    for (const RigidBody& body : system.bodies)
      if (any_axis(body, goal.independent) && turn_part_way(body, q0, goal.q, s, q)) {
        set_axes(body, true, held);
        set_axes(body, false, loose);
      }
    // Joints may want another turn than the even one. Where the line leads out of reach, directions of the goal help no
    // more.
    std::vector<double> even = q;
    if (constraints.satisfy(s * horizon, even, held) < far)
      q = even;
    else if (!(constraints.satisfy(s * horizon, q, loose) < far))
      q = line.back();
    line.push_back(q);
  }
  return line;
}

}  // namespace invar

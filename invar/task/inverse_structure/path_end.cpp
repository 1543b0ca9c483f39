// See path_end.h. The reach of the mechanism a little later tells a path that leaves it from one that meets a pole.
#include "invar/task/inverse_structure/path_end.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "invar/task/inverse_structure/impossible.h"
#include "invar/task/inverse_structure/reach.h"

namespace invar {

namespace {

constexpr double grown = 1e3;  // a quantity that has grown so much since the start runs away

struct Growth {
  std::string name;
  double value = 0.0;
  double factor = 0.0;
};

// The coordinate or velocity that has grown most, compared with those of its order at the start.
Growth largest_growth(const InverseStructure& s, const Jet& jet) {
  Growth most;
  for (std::size_t order = 0; order < 2; ++order) {
    double typical = 0.0;
    for (std::size_t j = 0; j < s.dae.unknowns.size(); ++j)
      if (s.dae.unknowns[j].kind == UnknownKind::coordinate && s.start.x[j].size() > order)
        typical = std::max(typical, std::abs(s.start.x[j][order]));
    for (std::size_t j = 0; j < s.dae.unknowns.size(); ++j) {
      if (s.dae.unknowns[j].kind != UnknownKind::coordinate || jet.x[j].size() <= order) continue;
      const double factor = std::abs(jet.x[j][order]) / std::max(typical, 1.0);
      if (factor > most.factor) most = {s.dae.unknowns[j].name + (order == 0 ? "" : "'"), jet.x[j][order], factor};
    }
  }
  return most;
}

// `load_x 3.1, load_z -9.81`: derivatives of what the outputs shall follow.
std::string references(const InverseStructure& s, double t, std::size_t order) {
  std::vector<std::string> parts;
  for (const NeededOrder& n : s.needed)
    for (const Reference& r : s.dae.references) {
      if (r.name != n.output) continue;
      std::vector<double> series(order + 1);
      r.function->series(t, Side::left, series);
      double value = series[order];
      for (std::size_t k = 2; k <= order; ++k) value *= static_cast<double>(k);
      parts.push_back(fmt::format("{} {:.4g}", n.output, value));
    }
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string in_brackets(const char* what, const std::string& list) {
  return list.empty() ? list : fmt::format(" ({} {})", what, list);
}

// Input directions that no longer serve where the path ends, or nothing.
std::string useless_directions(const InverseStructure& s, const JetPath& path) {
  if (!s.augmented || path.reached.x.empty()) return {};
  std::vector<Jet> jets = path.jets;
  jets.push_back(path.reached);
  std::string trouble = breakdown_in_words(*s.augmented, jets);
  if (trouble.empty()) return trouble;
  return fmt::format(
      "the motion breaks down at t = {:.6g} s: {}; choose other directions for the inputs, or other trajectories",
      path.t, trouble);
}

std::string runaway(const InverseStructure& s, const JetPath& path, bool advice) {
  const Growth most = largest_growth(s, path.reached);
  const std::string how = most.factor > grown ? fmt::format("\"{}\" has grown to {:.3g}", most.name, most.value)
                                              : fmt::format("steps have shrunk to {:.1e}", path.step);
  if (s.zero.kind == ZeroDynamics::Kind::unstable)
    return fmt::format("the internal dynamics is unstable and has left all bounds at t = {:.6g} s: {}{}", path.t, how,
                       advice ? "; use --method stable-inversion, which finds the bounded motion" : "");
  return fmt::format(
      "the internal dynamics has left all bounds at t = {:.6g} s: {}; change the trajectories or the start", path.t,
      how);
}

}  // namespace

std::string why_it_ended(const InverseStructure& s, const JetPath& path, double until, bool advice) {
  if (path.status == JetPath::Status::interrupted) return fmt::format("interrupted at t = {:.6g} s", path.t);
  std::string directions = useless_directions(s, path);
  if (path.status == JetPath::Status::runaway)
    return directions.empty() || s.zero.kind == ZeroDynamics::Kind::unstable ? runaway(s, path, advice) : directions;
  for (const double later : {1e-3, 1e-2}) {
    Jet beyond = path.reached;
    beyond.t = std::min(until, path.t + later * until);
    const std::vector<Miss> misses = out_of_reach(s.dae, *s.evaluator, beyond);
    if (!misses.empty())
      return fmt::format(
          "the trajectories leave the reach of the mechanism at t = {:.6g} s{}: at t = {:.6g} s the nearest "
          "configuration "
          "found misses {}; shorten or move them",
          path.t, in_brackets("where they are at", references(s, path.t, 0)), beyond.t, in_words(misses));
  }
  if (!directions.empty()) return directions;
  const Growth most = largest_growth(s, path.reached);
  const int worst = path.last.worst_equation;
  const std::string where =
      most.factor > grown ? fmt::format("\"{}\" grows without bound there, and so do the inputs (a pole)", most.name)
      : worst >= 0        ? fmt::format("steps have shrunk to {:.1e} at {}", path.step,
                                        s.dae.equations[static_cast<std::size_t>(worst)].name)
                          : fmt::format("steps have shrunk to {:.1e}", path.step);
  return fmt::format(
      "no solution continues beyond t = {:.6g} s: {}; the trajectories ask for more than the system can do{}, so slow "
      "them down or move them",
      path.t, where, in_brackets("accelerations", references(s, path.t, 2)));
}

}  // namespace invar

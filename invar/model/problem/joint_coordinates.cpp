// See joint_coordinates.h.
#include "invar/model/problem/joint_coordinates.h"

#include <algorithm>
#include <cmath>

#include "invar/expr/lists.h"
#include "invar/math/rank.h"
#include "invar/model/mechanism/assemble.h"
#include "invar/model/mechanism/joint_form.h"

namespace invar {

namespace {

Exprs joint_symbols(const Mapping& mapping) {
  Exprs mu;
  for (const Variable& x : mapping.coordinates) mu.push_back(at(x));
  return mu;
}

Vector as_vector(const std::vector<double>& numbers) {
  return Eigen::Map<const Vector>(numbers.data(), std::ssize(numbers));
}

// Of angles, whose rates are coordinates of a tree of joints: as torques between bodies it has far longer formulas.
bool has_friction(const Mechanism& mechanism) {
  return std::ranges::any_of(mechanism.joints, [](const Joint& j) { return j.angle && j.damping != 0.0; });
}

// Those of a system in the coordinates of another with the same list of them.
Exprs forces_in(const System& from, const System& to) {
  Exprs given, wanted;
  for (int order = 0; order <= 1; ++order)
    for (std::size_t i = 0; i < from.coordinates.size(); ++i) {
      given.push_back(at(from.coordinates[i], order));
      wanted.push_back(at(to.coordinates[i], order));
    }
  return substitute(from.forces, given, wanted);
}

}  // namespace

JointCoordinates::JointCoordinates(const Problem& problem, Mapping mapping, std::vector<double> start)
    : given_(problem.system.coordinates),
      mapping_(std::move(mapping)),
      start_(std::move(start)),
      problem_(problem),
      slope_(jacobian(mapping_.image, joint_symbols(mapping_))),
      image_((problem_.system = reduce(problem.system, mapping_).system, problem_.system),
             joined(mapping_.image, slope_.value)) {
  problem_.formulation = Formulation::minimal;
  problem_.plant = nullptr;
  problem_.parameter_use = {};
  Exprs targets;
  for (const ServoTarget& target : problem_.targets) targets.push_back(target.expr);
  targets = put(targets);
  for (std::size_t i = 0; i < targets.size(); ++i) problem_.targets[i].expr = targets[i];
}

Exprs JointCoordinates::put(const Exprs& formulas) const {
  int highest = 0;
  for (const Expr& s : symbols(formulas))
    if (s.kind() == SymbolKind::variable) highest = std::max(highest, s.order());
  Exprs from, to, image = mapping_.image;
  for (int order = 0; order <= highest; ++order) {
    if (order > 0) image = ddt(image);
    for (const Variable& q : given_) from.push_back(at(q, order));
    append(to, image);
  }
  return substitute(formulas, from, to);
}

std::optional<JointCoordinates> JointCoordinates::of(const Problem& problem) {
  if (!problem.mechanism || problem.formulation == Formulation::minimal || problem.mechanism->is_flexible())
    return std::nullopt;
  Mechanism mechanism = *problem.mechanism;
  mechanism.free_turns = FreeTurns::angles;  // as few unknowns as freedoms
  MinimalForm minimal = minimal_form_of(mechanism, positions(problem.system));
  if (minimal.mapping.image.size() != problem.system.coordinates.size()) return std::nullopt;
  Problem given = problem;
  if (has_friction(mechanism) && forces_in(assemble(mechanism).system, problem.system) == problem.system.forces)
    given.system.forces = forces_in(assemble(mechanism, Friction::on_angles).system, problem.system);
  return JointCoordinates(given, std::move(minimal.mapping), std::move(minimal.start));
}

JointCoordinates::Image JointCoordinates::at_joints(const std::vector<double>& mu) {
  State state;
  state.q = mu;
  const std::vector<double> numbers = image_(state);
  const Pattern& pattern = slope_.pattern;
  Image image{as_vector(numbers).head(pattern.rows), Matrix::Zero(pattern.rows, pattern.cols)};
  auto entry = numbers.begin() + pattern.rows;
  for (int c = 0; c < pattern.cols; ++c)
    for (int k = pattern.start[static_cast<std::size_t>(c)]; k < pattern.start[static_cast<std::size_t>(c) + 1]; ++k)
      image.slope(pattern.row[static_cast<std::size_t>(k)], c) = *entry++;
  return image;
}

double JointCoordinates::follow(const std::vector<double>& q, std::vector<double>& mu) {
  constexpr int most_steps = 20;
  constexpr double there = 1e-12;
  double distance = 0.0;
  for (int k = 0; k < most_steps; ++k) {
    const Image image = at_joints(mu);
    const Vector error = as_vector(q) - image.q;
    distance = error.cwiseAbs().maxCoeff();
    if (!std::isfinite(distance) || distance == 0.0) break;
    const Vector step = least_norm(image.slope, error);
    if (step.cwiseAbs().maxCoeff() < there) break;
    for (std::size_t j = 0; j < mu.size(); ++j) mu[j] += step(static_cast<Eigen::Index>(j));
  }
  return distance;
}

double JointCoordinates::rates(const std::vector<double>& mu, const std::vector<double>& v, std::vector<double>& rate) {
  const Image image = at_joints(mu);
  const Vector wanted = as_vector(v), found = least_norm(image.slope, wanted);
  rate.assign(found.begin(), found.end());
  return (image.slope * found - wanted).cwiseAbs().maxCoeff();
}

std::vector<double> JointCoordinates::node(const std::vector<double>& mu, const std::vector<double>& rate) {
  const Image image = at_joints(mu);
  const Vector v = image.slope * as_vector(rate);
  std::vector<double> both(image.q.begin(), image.q.end());
  both.insert(both.end(), v.begin(), v.end());
  return both;
}

}  // namespace invar

// See joint_inversion.h.
#include "invar/task/invert/joint_inversion.h"

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/model/problem/joint_coordinates.h"

namespace invar {

namespace {

constexpr int to_accelerations = 2;

// The others integrate with a scheme, or look for periodic motions: what they find depends on the coordinates.
bool method_leaves_coordinates_open(const InvertSettings& settings) {
  const InverseMethod method = inverse_method(settings);
  return !settings.periodic && (method == InverseMethod::automatic || method == InverseMethod::taylor ||
                                method == InverseMethod::stable_inversion);
}

// F as the equations of a Dae in joint coordinates, to be evaluated along jets.
Dae image_along(const Dae& joints, const Exprs& image) {
  Dae d = joints;
  d.equations.clear();
  for (const Expr& q : image) d.equations.push_back({"", q, EquationKind::servo});
  return d;
}

// Equations of motion with constraints have index three, or less if all of these stand at velocity or acceleration
// level.
int index_of_constraints(const System& system) {
  int index = 0;
  for (const Constraint& c : system.constraints)
    index = std::max(index, c.level == Level::position ? 3 : c.level == Level::velocity ? 2 : 1);
  return index;
}

}  // namespace

std::vector<JointInversion::Entry> JointInversion::entries(const Dae& dae, const JetEvaluator& evaluator) {
  const std::vector<Partial>& all = evaluator.partial_list();
  const auto kind_of = [&](const Partial& p) { return dae.unknowns[static_cast<std::size_t>(p.unknown)].kind; };
  std::vector<int> level(dae.equations.size(), 0);  // the highest derivative in a constraint
  for (const Partial& p : all)
    if (kind_of(p) == UnknownKind::coordinate)
      level[static_cast<std::size_t>(p.equation)] = std::max(level[static_cast<std::size_t>(p.equation)], p.order);
  std::vector<Entry> list;
  for (std::size_t k = 0; k < all.size(); ++k) {
    const Partial& p = all[k];
    const EquationKind equation = dae.equations[static_cast<std::size_t>(p.equation)].kind;
    const UnknownKind unknown = kind_of(p);
    const bool mass = equation == EquationKind::dynamics && unknown == UnknownKind::coordinate && p.order == 2;
    const bool reaction = equation == EquationKind::dynamics && unknown == UnknownKind::multiplier;
    const bool slope = equation == EquationKind::constraint && unknown == UnknownKind::coordinate &&
                       p.order == level[static_cast<std::size_t>(p.equation)];
    if (mass || reaction || slope) list.push_back({p.equation, p.unknown, k});
  }
  std::ranges::sort(list, {}, [](const Entry& e) { return std::pair(e.column, e.row); });
  return list;
}

Pattern JointInversion::pattern_of(const std::vector<Entry>& entries, std::size_t size) {
  Pattern pattern{static_cast<int>(size), static_cast<int>(size), std::vector<int>(size + 1, 0), {}};
  for (const Entry& e : entries) {
    ++pattern.start[static_cast<std::size_t>(e.column) + 1];
    pattern.row.push_back(e.row);
  }
  for (std::size_t c = 0; c < size; ++c) pattern.start[c + 1] += pattern.start[c];
  return pattern;
}

JointInversion::JointInversion(const Problem& asked, Problem joints, const Exprs& image)
    : prepared_(std::move(joints)),
      structure_(analyse_inverse(prepared_.problem(), HiddenStructure::refused)),
      dae_(servo(asked.system, asked.targets, asked.signals)),
      image_(image_along(structure_.dae, image), JetEvaluator::Needs::values),
      evaluator_(dae_),
      coordinates_(asked.system.coordinates.size()),
      multipliers_(asked.system.constraints.size()),
      entries_(entries(dae_, evaluator_)),
      solver_(pattern_of(entries_, coordinates_ + multipliers_)),
      values_(entries_.size()),
      right_(coordinates_ + multipliers_) {
  asked_.x.resize(dae_.unknowns.size());
  structure_.unknowns = dae_.unknowns.size();
  structure_.index = std::max(structure_.index, index_of_constraints(asked.system));
}

std::unique_ptr<JointInversion> JointInversion::of(const Problem& problem) {
  constexpr double same = 1e-9;         // of coordinates and velocities at the start
  constexpr double satisfied = 1e-10;   // of the terms of an equation
  constexpr double determined = 1e-11;  // of pivots
  if (problem.formulation != Formulation::director) return nullptr;
  if (!method_leaves_coordinates_open(problem.settings.of<InvertSettings>())) return nullptr;
  try {
    std::optional<JointCoordinates> joints = JointCoordinates::of(problem);
    if (!joints) return nullptr;
    Problem p = joints->problem();
    p.q0 = joints->usual_start();
    if (!(joints->follow(problem.q0, p.q0) < same) || !(joints->rates(p.q0, problem.v0, p.v0) < same)) return nullptr;
    std::unique_ptr<JointInversion> found(new JointInversion(problem, std::move(p), joints->image()));
    const InverseStructure& s = found->structure_;
    if (s.by_zeros || s.singular_degree.found()) return nullptr;
    EquationResidual residual = found->residual();
    residual.add(found->as_asked(s.near));
    if (found->solver_.reciprocal_condition() < determined || residual.worst() > satisfied) return nullptr;
    if (!s.flat() && !found->starts_alike(problem)) return nullptr;
    return found;
  } catch (const InputError&) {
    return nullptr;
  }
}

// Internal dynamics begins where the problem says, and where it says something else than the trajectories, the nearest
// start depends on the coordinates.
bool JointInversion::starts_alike(const Problem& asked) {
  constexpr double same = 1e-6;
  const Jet& start = as_asked(structure_.start);
  for (std::size_t i = 0; i < coordinates_; ++i) {
    const Derivatives& x = start.x[i];
    if (std::abs(x[0] - asked.q0[i]) > same * (1.0 + std::abs(asked.q0[i]))) return false;
    if (std::abs(x[1] - asked.v0[i]) > same * (1.0 + std::abs(asked.v0[i]))) return false;
  }
  return true;
}

void JointInversion::write_motion(const Jet& jet) {
  const System& joints = prepared_.problem().system;
  for (std::size_t j = 0; j < joints.coordinates.size(); ++j)
    if (jet.x[j].size() <= to_accelerations) throw InputError("accelerations of joint coordinates are not known");
  asked_.t = jet.t;
  asked_.side = jet.side;
  image_.residuals(jet, to_accelerations, q_);
  for (std::size_t i = 0; i < coordinates_; ++i) {
    const auto row = q_.row(static_cast<Eigen::Index>(i));
    asked_.x[i].assign(row.begin(), row.end());
  }
  for (std::size_t i = 0; i < multipliers_; ++i) asked_.x[coordinates_ + i].assign(1, 0.0);
  const std::size_t first = joints.coordinates.size() + joints.constraints.size();
  for (std::size_t i = 0; i < joints.inputs.size(); ++i)
    asked_.x[coordinates_ + multipliers_ + i].assign(1, jet.x[first + i][0]);
}

// The second solution removes what rounding left of the first.
void JointInversion::write_multipliers() {
  evaluator_.partials(asked_, 0, partials_);
  for (std::size_t k = 0; k < entries_.size(); ++k)
    values_[k] = partials_(static_cast<Eigen::Index>(entries_[k].partial), 0);
  if (!solver_.factor(values_)) throw InputError("the equations of motion leave multipliers open");
  for (int pass = 0; pass < 2; ++pass) {
    evaluator_.residuals(asked_, 0, f_);
    for (std::size_t i = 0; i < coordinates_; ++i) right_[i] = -f_(static_cast<Eigen::Index>(i), 0);
    std::fill(right_.begin() + static_cast<std::ptrdiff_t>(coordinates_), right_.end(), 0.0);
    solver_.solve(right_);
    for (std::size_t i = 0; i < multipliers_; ++i) asked_.x[coordinates_ + i][0] += right_[coordinates_ + i];
  }
}

const Jet& JointInversion::as_asked(const Jet& jet) {
  write_motion(jet);
  write_multipliers();
  return asked_;
}

}  // namespace invar

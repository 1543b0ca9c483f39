// See diagnosis.h.
#include "invar/task/check/diagnosis.h"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "invar/base/error.h"
#include "invar/base/once.h"
#include "invar/math/eigen_pairs.h"
#include "invar/math/rank.h"
#include "invar/model/forces/force_kinds.h"
#include "invar/model/joints/joint_kinds.h"
#include "invar/model/mechanism/assemble.h"
#include "invar/model/mechanism/minimal.h"
#include "invar/system/equations.h"

namespace invar {

namespace {

// A moment of inertia below this share of the largest one is none: nobody gives a seventh digit.
constexpr double no_inertia = 1e-6;

std::vector<double> principal_moments(const Body& body, int dimension) {
  if (body.point) return {};
  if (dimension == 2) return {body.inertia(2, 2)};
  const Vector3 j = Eigen::SelfAdjointEigenSolver<Matrix3>(body.inertia).eigenvalues();
  return {j[0], j[1], j[2]};
}

bool is_rod(const std::vector<double>& moments) {
  return !moments.empty() && moments.front() <= no_inertia * moments.back();
}

// J₁ + J₂ - J₃ = 2 ∫ x₃² dm vanishes if all mass lies in one plane.
std::string remark(const std::vector<double>& j) {
  if (j.empty()) return {};
  if (j.back() <= 0.0) return "no inertia";
  if (is_rod(j)) return "thin rod: no inertia about its own axis";
  if (j.size() == 3 && j[0] + j[1] - j[2] <= no_inertia * j[2]) return "flat: all its mass lies in one plane";
  return {};
}

void add_parts(const Mechanism& m, Summary::Mechanism& found) {
  found.dimension = m.dimension;
  for (const Body& b : m.bodies) {
    if (b.node) {
      ++found.nodes;
      continue;
    }
    const std::vector<double> moments = principal_moments(b, m.dimension);
    found.bodies.push_back({b.name, b.mass, moments, remark(moments)});
  }
  for (const JointKind* kind : joint_kinds) {
    std::vector<std::string> names;
    for (const Joint& j : m.joints)
      if (j.kind == kind) names.push_back(j.name);
    if (!names.empty()) found.joints.push_back({std::string(kind->name), names});
  }
  for (const Gear& g : m.gears) found.gears.push_back(g.name);
  for (const Cable& c : m.cables) found.cables.push_back(c.name);
  for (const ForceKind& kind : force_kinds) {
    if (!kind.connects) continue;
    found.force_elements.push_back({std::string(kind.name), {}});
    for (const auto& element : m.force_elements)
      if (element->kind() == kind.name) found.force_elements.back().names.push_back(element->name);
  }
  for (const char* kind : {"beam", "string"}) {
    found.force_elements.push_back({kind, {}});
    for (const auto& element : m.force_elements)
      if (element->kind() == kind) found.force_elements.back().names.push_back(element->name);
  }
}

// Groups of bodies by what connects them; the ground is the last member.
class Groups {
 public:
  explicit Groups(std::size_t bodies) : leader_(bodies + 1) { std::iota(leader_.begin(), leader_.end(), 0); }
  void join(int a, int b) { leader_[leader(place(a))] = leader(place(b)); }
  std::size_t leader_of(int body) { return leader(place(body)); }

 private:
  std::size_t place(int body) const { return body == ground ? leader_.size() - 1 : static_cast<std::size_t>(body); }
  std::size_t leader(std::size_t k) {
    while (leader_[k] != k) k = leader_[k] = leader_[leader_[k]];
    return k;
  }
  std::vector<std::size_t> leader_;
};

std::vector<std::vector<std::string>> floating_groups(const Mechanism& m) {
  Groups groups(m.bodies.size());
  for (const Joint& j : m.joints) groups.join(j.a, j.b);
  for (const auto& element : m.force_elements)
    for (const Attachment& p : element->ends()) groups.join(element->ends().front().body, p.body);
  for (const Cable& c : m.cables)
    for (const Attachment& p : c.route) groups.join(c.route.front().body, p.body);
  std::map<std::size_t, std::vector<std::string>> by_leader;
  for (std::size_t k = 0; k < m.bodies.size(); ++k) {
    const std::size_t leader = groups.leader_of(static_cast<int>(k));
    if (leader != groups.leader_of(ground)) by_leader[leader].push_back(m.bodies[k].name);
  }
  std::vector<std::vector<std::string>> list;
  for (auto& [leader, names] : by_leader) list.push_back(std::move(names));
  return list;
}

// Names of coordinates that come and go with a constraint of their own, by part; a coordinate that two parts share
// counts once.
std::map<std::string, std::size_t> named_coordinates(const Mechanism& m) {
  std::map<std::string, std::size_t> count;
  std::set<std::string> seen;
  auto add = [&](const std::string& part, const std::optional<NamedCoordinate>& x) {
    if (x && seen.insert(x->variable.name()).second) ++count[part];
  };
  for (const Joint& j : m.joints) add(j.name, j.angle), add(j.name, j.slide);
  for (const Cable& c : m.cables) add(c.name, c.wound);
  return count;
}

// Constraints of joints outside the tree that the coordinates of the tree satisfy by themselves.
std::vector<std::string> satisfied_in_loops(const Problem& problem, const PartNames& names) {
  const MinimalForm minimal = minimal_form(*problem.mechanism, assemble(*problem.mechanism));
  std::vector<std::string> list;
  for (const std::string& c : problem.satisfied)
    if (std::ranges::find(minimal.loops, names.of(c).name) != minimal.loops.end()) list.push_back(c);
  return list;
}

void count_freedom(const Problem& problem, const Start& start, const PartNames& names,
                   const std::function<const std::vector<std::string>&()>& satisfied, Summary::Mechanism& found) {
  const Mechanism& m = *problem.mechanism;
  std::map<std::string, std::size_t> constraints;  // by part
  auto count = [&](const std::string& constraint) {
    const Part part = names.of(constraint);
    if (part.kind != "body") ++constraints[part.name];
  };
  for (const Constraint& c : problem.system.constraints) count(c.name);
  for (const std::string& c : problem.satisfied) count(c);
  for (const auto& [part, n] : named_coordinates(m)) constraints[part] -= n;
  for (const auto& [part, n] : constraints) found.joint_constraints += n;

  int loose = 0;
  for (const Body& b : m.bodies) loose += m.dimension == 2 ? (b.point ? 2 : 3) : (b.point ? 3 : 6);
  found.counted_freedom = loose - static_cast<int>(found.joint_constraints);
  found.freedom_at_start = start.degrees_of_freedom;
  found.freedom = start.degrees_of_freedom - static_cast<int>(start.singular.size());

  std::vector<std::string> surplus;
  for (const Redundancy& r : start.redundant) surplus.push_back(r.constraint);
  if (found.freedom - found.counted_freedom > static_cast<int>(surplus.size()))
    for (const std::string& c : satisfied()) surplus.push_back(c);
  for (const std::string& c : surplus) {
    const Part part = names.of(c);
    auto known = std::ranges::find(found.redundant, part.name, &Summary::Mechanism::Surplus::name);
    if (known == found.redundant.end())
      known = found.redundant.insert(known, {part.kind, part.name, 0, constraints[part.name]});
    ++known->redundant;
  }
}

// The longest distance in the model, roughly: the diagonal of the box around all its points.
double extent(const Mechanism& m) {
  Vector3 low = Vector3::Constant(INFINITY), high = -low;
  double largest = 0.0;
  auto meet = [&](const Vector3& x) {
    low = low.cwiseMin(x);
    high = high.cwiseMax(x);
  };
  auto attached = [&](const Attachment& p) {
    if (p.body == ground) return meet(p.at);
    const Body& b = m.bodies[static_cast<std::size_t>(p.body)];
    meet(b.position + b.rotation * p.at);
  };
  for (const Body& b : m.bodies) {
    meet(b.position);
    for (const double size : b.shape.size) largest = std::max(largest, size);
  }
  for (const Joint& j : m.joints) {
    meet(j.at);
    if (j.kind->to) meet(j.to);
  }
  for (const Cable& c : m.cables)
    for (const Attachment& p : c.route) attached(p);
  for (const auto& element : m.force_elements)
    for (const Attachment& p : element->ends()) attached(p);
  return std::max(largest, (high - low).norm());
}

Matrix dense(const SparseExprs& entries, const std::vector<double>& value) {
  Matrix A = Matrix::Zero(entries.pattern.rows, entries.pattern.cols);
  for (int j = 0; j < entries.pattern.cols; ++j)
    for (int k = entries.pattern.start[static_cast<std::size_t>(j)];
         k < entries.pattern.start[static_cast<std::size_t>(j) + 1]; ++k)
      A(entries.pattern.row[static_cast<std::size_t>(k)], j) = value[static_cast<std::size_t>(k)];
  return A;
}

// Columns: velocities that the constraints allow and that have no kinetic energy.
Matrix motions_without_energy(const Matrix& M, const Matrix& G) {
  Matrix N = null_space(G);
  if (N.cols() == 0) return N;
  const SymmetricEigen of = symmetric_eigen(N.transpose() * M * N);
  Eigen::Index lost = 0;
  while (lost < N.cols() && of.values[lost] <= no_inertia * of.values[N.cols() - 1]) ++lost;
  return N * of.vectors.leftCols(lost);
}

// Thin rods that can spin about themselves. In joint coordinates one cannot tell which of several it is.
std::vector<std::string> loose_rods(const Problem& problem, const Matrix& motions,
                                    const std::vector<std::string>& rods) {
  if (motions.cols() == 0) return {};
  if (problem.system.bodies.empty()) return rods;
  std::vector<std::string> loose;
  for (const RigidBody& b : problem.system.bodies) {
    const auto block = motions.middleRows(static_cast<Eigen::Index>(b.first), static_cast<Eigen::Index>(b.size()));
    constexpr double noticeable = 1e-3;  // of motions of length one
    if (block.norm() > noticeable && std::ranges::find(rods, b.name) != rods.end()) loose.push_back(b.name);
  }
  return loose;
}

// Bodies that share their axes with the end of a beam, whose stiffness says how they turn.
std::set<int> held_by_beams(const Mechanism& m) {
  std::set<int> bodies;
  for (const auto& element : m.force_elements)
    if (element->kind() == "beam")
      for (const Attachment& end : element->ends()) bodies.insert(end.body);
  return bodies;
}

}  // namespace

struct Diagnosis::Formulas {
  struct Matrices {
    Equations e;
    StateFunction mass, gradient;  // of the constraints
  };
  Once<Matrices> matrices;
  Once<std::vector<std::string>> satisfied;  // constraints in loops
};

Diagnosis::Diagnosis(const Problem& problem) : formulas_(std::make_shared<Formulas>()) {
  expects(problem.mechanism != nullptr, "a problem with a mechanism");
}

Summary::Mechanism Diagnosis::mechanism(const Problem& problem, const Start& start) const {
  Summary::Mechanism found;
  const PartNames names(problem);
  add_parts(*problem.mechanism, found);
  found.floating = floating_groups(*problem.mechanism);
  const auto satisfied = [&]() -> const std::vector<std::string>& {
    return formulas_->satisfied.get([&] { return satisfied_in_loops(problem, names); });
  };
  count_freedom(problem, start, names, satisfied, found);
  return found;
}

std::vector<std::string> Diagnosis::inertia_warnings(const Problem& problem, const Start& start) const {
  constexpr double out_of_proportion = 100.0;
  constexpr std::size_t most_coordinates = 600;  // the null space is dense
  const Mechanism& m = *problem.mechanism;
  const double size = extent(m);
  const std::set<int> held = held_by_beams(m);
  std::vector<std::string> list, rods;
  for (std::size_t k = 0; k < m.bodies.size(); ++k) {
    const Body& b = m.bodies[k];
    const std::vector<double> moments = principal_moments(b, m.dimension);
    if (moments.empty() || b.node) continue;
    if (is_rod(moments) && !held.contains(static_cast<int>(k))) rods.push_back(b.name);
    const double radius = std::sqrt(moments.back() / b.mass);
    if (size > 0.0 && radius > out_of_proportion * size)
      list.push_back(fmt::format(
          "body \"{}\": its radius of gyration √(J/m) = {:.3g} m is out of proportion, since nothing in the model is "
          "farther apart than {:.3g} m; is its inertia in kg m²?",
          b.name, radius, size));
  }
  if (rods.empty() || problem.system.coordinates.size() > most_coordinates) return list;
  const Formulas::Matrices& matrices = formulas_->matrices.get([&] {
    const Equations e = equations(problem.system);
    return Formulas::Matrices{e, StateFunction(problem.system, e.mass().value, problem.signals),
                              StateFunction(problem.system, e.gradient.value, problem.signals)};
  });
  StateFunction mass = matrices.mass, gradient = matrices.gradient;
  for (StateFunction* f : {&mass, &gradient}) f->set_parameters(parameter_values(problem.system));
  const Matrix motions = motions_without_energy(dense(matrices.e.mass(), mass(start.state)),
                                                dense(matrices.e.gradient, gradient(start.state)));
  for (const std::string& rod : loose_rods(problem, motions, rods))
    list.push_back(
        fmt::format("body \"{}\" has no inertia about its own axis and nothing holds it there: the equations do not "
                    "determine how it spins",
                    rod));
  return list;
}

}  // namespace invar

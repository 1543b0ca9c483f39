// Explicit steps of trees in joint coordinates, as machine code and interpreted, against the articulated-body algorithm
// as a library for any robot has it: a loop over bodies with 6 × 6 matrices. Steps of trees that float, by Euler
// parameters against three angles. Steps of chains on the rotation group, along the tree and by the equations as they
// are stated, with and without multipliers of their ends, against four times what accelerations take: one evaluation of
// the augmented equations, one sparse factorisation and one solution.
#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <deque>
#include <memory>
#include <string>

#include "bench/ratios.h"
#include "invar/math/linear_solver.h"
#include "invar/model/joints/joint_kinds.h"
#include "invar/model/mechanism/assemble.h"
#include "invar/model/mechanism/joint_form.h"
#include "invar/model/mechanism/minimal.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/system/joint_tree.h"
#include "invar/system/start/start.h"
#include "invar/system/state_function.h"

namespace invar {
namespace {

constexpr int rounds = 15;
constexpr double compiled_bar = 0.5, interpreted_bar = 2.5;
constexpr double ball_bar = 1.25;  // against three angles
constexpr double rotations_bar = 1.5;
constexpr double h = 5e-3;
constexpr int steps = 20;

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Matrix3d = Eigen::Matrix3d;
using Vector3d = Eigen::Vector3d;

Matrix3d cross_matrix(const Vector3d& v) {
  Matrix3d m;
  m << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
  return m;
}

// Revolute and prismatic links, numbers only.
class LoopOverBodies {
 public:
  explicit LoopOverBodies(const JointTree& tree) : tree_(tree), data_(tree.links.size()) {
    for (std::size_t i = 0; i < data_.size(); ++i) {
      const TreeLink& link = tree.links[i];
      Data& d = data_[i];
      d.s.setZero();
      d.s[link.axis] = link.turn;
      d.s[3 + link.axis] = link.slide;
      d.inertia.topLeftCorner<3, 3>() = link.inertia;
      d.inertia.topRightCorner<3, 3>() = cross_matrix(link.moment);
      d.inertia.bottomLeftCorner<3, 3>() = cross_matrix(link.moment).transpose();
      d.inertia.bottomRightCorner<3, 3>() = link.mass * Matrix3d::Identity();
    }
  }

  void accelerations(const std::vector<double>& q, const std::vector<double>& v, std::vector<double>& a) {
    for (std::size_t i = 0; i < data_.size(); ++i) outward(i, q, v);
    for (std::size_t i = data_.size(); i-- > 0;) inward(i);
    Vector6 ground = Vector6::Zero();
    ground.tail<3>() = -tree_.gravity;
    for (std::size_t i = 0; i < data_.size(); ++i) {
      const int parent = tree_.links[i].parent;
      Data& d = data_[i];
      const Vector6 given = d.x * (parent < 0 ? ground : data_[static_cast<std::size_t>(parent)].a) + d.c;
      const double acceleration = (d.rest - d.u.dot(given)) / d.d;
      d.a = given + d.s * acceleration;
      a[tree_.links[i].coordinate] = acceleration;
    }
  }

 private:
  struct Data {
    Vector6 s, v, c, p, u, a;
    Matrix6 inertia, felt, x;  // x: motion from the parent
    double d, rest;
  };

  void outward(std::size_t i, const std::vector<double>& q, const std::vector<double>& v) {
    const TreeLink& link = tree_.links[i];
    Data& d = data_[i];
    const double by = q[link.coordinate] - link.zero, rate = v[link.coordinate];
    const Matrix3d turned = link.axes * Eigen::AngleAxisd(link.turn * by, Vector3d::Unit(link.axis)).toRotationMatrix();
    const Vector3d origin = link.origin + link.axes.col(link.axis) * (link.slide * by);
    d.x.topLeftCorner<3, 3>() = d.x.bottomRightCorner<3, 3>() = turned.transpose();
    d.x.topRightCorner<3, 3>().setZero();
    d.x.bottomLeftCorner<3, 3>() = -turned.transpose() * cross_matrix(origin);
    d.v = d.s * rate;
    if (link.parent >= 0) d.v += d.x * data_[static_cast<std::size_t>(link.parent)].v;
    const Vector3d w = d.v.head<3>(), u = d.v.tail<3>();
    const Vector6 own = d.s * rate;
    d.c.head<3>() = w.cross(own.head<3>());
    d.c.tail<3>() = u.cross(own.head<3>()) + w.cross(own.tail<3>());
    const Vector6 momentum = d.inertia * d.v;
    d.p.head<3>() = w.cross(momentum.head<3>()) + u.cross(momentum.tail<3>());
    d.p.tail<3>() = w.cross(momentum.tail<3>());
    d.felt = d.inertia;
  }

  void inward(std::size_t i) {
    Data& d = data_[i];
    d.u = d.felt * d.s;
    d.d = d.s.dot(d.u);
    d.rest = -d.s.dot(d.p);
    const int parent = tree_.links[i].parent;
    if (parent < 0) return;
    const Matrix6 left = d.felt - d.u * d.u.transpose() / d.d;
    const Vector6 force = d.p + left * d.c + d.u * (d.rest / d.d);
    Data& to = data_[static_cast<std::size_t>(parent)];
    to.felt += d.x.transpose() * left * d.x;
    to.p += d.x.transpose() * force;
  }

  const JointTree& tree_;
  std::vector<Data> data_;
};

// The classical Runge–Kutta method on it.
class LoopSteps {
 public:
  LoopSteps(const JointTree& tree, const State& start) : loop_(tree), start_(start), n_(start.q.size()) {
    for (auto& k : change_) k.resize(n_);
    for (auto& k : rate_) k.resize(n_);
  }
  void operator()() {
    q = start_.q;
    v = start_.v;
    for (int k = 0; k < steps; ++k) step();
  }
  std::vector<double> q, v;

 private:
  void step() {
    constexpr std::array<double, 4> c = {0.0, 0.5, 0.5, 1.0}, b = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    for (std::size_t i = 0; i < 4; ++i) {
      stage_q_ = q;
      rate_[i] = v;
      for (std::size_t j = 0; i > 0 && j < n_; ++j) {
        stage_q_[j] += h * c[i] * rate_[i - 1][j];
        rate_[i][j] += h * c[i] * change_[i - 1][j];
      }
      loop_.accelerations(stage_q_, rate_[i], change_[i]);
    }
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < n_; ++j) {
        q[j] += h * b[i] * rate_[i][j];
        v[j] += h * b[i] * change_[i][j];
      }
  }

  LoopOverBodies loop_;
  const State& start_;
  std::size_t n_;
  std::array<std::vector<double>, 4> rate_, change_;
  std::vector<double> stage_q_;
};

// A tree of rods: `parent` of each, -1 for the ground; joints turn about the axes in turn. Or the first one floats.
struct Tree {
  System system, directors;
  State start, directors_start;

  explicit Tree(const std::vector<int>& parents, bool floats = false, FreeTurns free_turns = FreeTurns::quaternions) {
    Mechanism m;
    m.free_turns = free_turns;
    m.gravity = {0.0, 0.0, -9.81};
    std::vector<Vector3> end;
    for (std::size_t k = 0; k < parents.size(); ++k) {
      const int p = parents[k];
      const Vector3 top = p < 0 ? Vector3(Vector3::Zero()) : end[static_cast<std::size_t>(p)];
      Body rod;
      rod.name = "rod" + std::to_string(k);
      rod.mass = 1.0;
      rod.inertia = Vector3(0.021, 0.021, 0.001).asDiagonal();
      rod.position = top - Vector3(0.0, 0.0, 0.25);
      end.push_back(top - Vector3(0.0, 0.0, 0.5));
      m.bodies.push_back(rod);
      if (p < 0 && floats) continue;
      Joint joint;
      joint.name = "joint" + std::to_string(k);
      joint.kind = &revolute_joint;
      joint.a = p;
      joint.b = static_cast<int>(k);
      joint.at = top;
      joint.axis = Vector3::Unit(static_cast<int>((k + 1) % 3));
      m.joints.push_back(joint);
    }
    const Assembly a = assemble(m, Friction::on_angles);
    const MinimalForm minimal = minimal_form(m, a);
    system = reduce(a.system, minimal.mapping).system;
    std::vector<double> rates(system.coordinates.size(), 0.0);
    for (std::size_t k = 0; k < std::min<std::size_t>(4, parents.size()); ++k)
      rates[rates.size() - parents.size() + k] = 1.0 - 0.2 * static_cast<double>(k);
    start = consistent_start(system, {0.0, minimal.start, rates, {}, {}}).state;
    directors = a.system;
    know_joints(directors, std::make_shared<const Mechanism>(m));
    StateFunction velocities_of_bodies(system, ddt(minimal.mapping.image));
    directors_start = consistent_start(directors, {0.0, a.q0, velocities_of_bodies(start), {}, {}}).state;
  }
};

struct Steps {
  Stepper stepper;
  Stepper::Memory begin;

  Steps(const Tree& tree, bool compile) : stepper(tree.system, *find_scheme("rk4")) {
    if (compile) stepper.compile({});
    stepper.start(tree.start, h);
    stepper.save(begin);
  }
  void operator()() {
    stepper.restore(begin);
    for (int k = 0; k < steps; ++k) stepper.advance(h, [](double, std::span<double>) {});
  }
};

struct RotationSteps {
  Stepper stepper;
  Stepper::Memory begin;
  bool with_multipliers;

  RotationSteps(const Tree& tree, const StepperOptions& options, bool asked_for_multipliers = false)
      : stepper(tree.directors, *find_scheme("lie-rk4"), options), with_multipliers(asked_for_multipliers) {
    stepper.start(tree.directors_start, h);
    stepper.save(begin);
  }
  void operator()() {
    stepper.restore(begin);
    for (int k = 0; k < steps; ++k) {
      stepper.advance(h, [](double, std::span<double>) {});
      if (with_multipliers) stepper.lambda();
    }
  }
};

// The first stage again and again.
class Accelerations {
 public:
  explicit Accelerations(RotationSteps& of)
      : stage_(of.stepper.residual_function()), solver_(of.stepper.pattern()), in_(of.stepper.arguments().size()) {
    of();
    std::ranges::copy(of.stepper.arguments(), in_.begin());
    out_.resize(static_cast<std::size_t>(of.stepper.pattern().rows) + of.stepper.pattern().size());
    x_.resize(static_cast<std::size_t>(of.stepper.pattern().rows));
  }
  void operator()() {
    for (int k = 0; k < 4 * steps; ++k) {
      stage_(in_, out_, scratch_);
      solver_.factor(std::span(out_).subspan(x_.size()));
      std::copy_n(out_.begin(), x_.size(), x_.begin());
      solver_.solve(x_);
    }
  }

 private:
  const Function& stage_;
  LinearSolver solver_;
  Scratch scratch_;
  std::vector<double> in_, out_, x_;
};

std::vector<int> chain(int n) {
  std::vector<int> parents;
  for (int k = 0; k < n; ++k) parents.push_back(k - 1);
  return parents;
}

// A trunk of six with limbs of six, six, six and six.
std::vector<int> limbs() {
  std::vector<int> parents = chain(6);
  for (int limb = 0; limb < 4; ++limb)
    for (int k = 0; k < 6; ++k) parents.push_back(k == 0 ? (limb < 2 ? 0 : 5) : static_cast<int>(parents.size()) - 1);
  return parents;
}

bool run_floating() {
  const Tree balls(limbs(), true), angles(limbs(), true, FreeTurns::angles);
  Steps by_angles(angles, false), by_parameters(balls, false);
  const std::vector<Candidate> candidates = {
      {"30 that float, three angles", std::ref(by_angles), steps, {}},
      {"30 that float, Euler parameters", std::ref(by_parameters), steps, ball_bar}};
  return print_ratios(candidates, fastest(candidates, rounds));
}

bool run_rotations() {
  bool well = true;
  for (const int n : {2, 10, 40}) {
    const Tree tree(chain(n));
    RotationSteps drifting(tree, {.scheme = {.project = false}, .newton = {}}),
        stated(tree, {.scheme = {}, .newton = {}, .as_stated = true}), along(tree, {}),
        with_multipliers(tree, {}, true);
    Accelerations four(drifting);
    const std::string name = "chain of " + std::to_string(n);
    const std::vector<Candidate> candidates = {
        {name + ", four accelerations", std::ref(four), steps, {}},
        {name + ", lie-rk4 that drifts", std::ref(drifting), steps, {}},
        {name + ", lie-rk4 as stated", std::ref(stated), steps, {}},
        {name + ", lie-rk4", std::ref(along), steps, rotations_bar},
        {name + ", lie-rk4 with multipliers", std::ref(with_multipliers), steps, rotations_bar}};
    well = print_ratios(candidates, fastest(candidates, rounds)) && well;
  }
  return well;
}

int run() {
  struct Case {
    const char* name;
    std::vector<int> parents;
    bool compile;
  };
  bool well = true;
  for (const Case& c : {Case{"chain of 2", chain(2), true}, Case{"arm of 7", chain(7), true},
                        Case{"chain of 10", chain(10), true}, Case{"30 with four limbs", limbs(), true},
                        Case{"chain of 40", chain(40), true}, Case{"chain of 200", chain(200), false}}) {
    const Tree tree(c.parents);
    LoopSteps loop(*tree.system.tree, tree.start);
    Steps interpreted(tree, false), code(tree, c.compile);
    std::vector<Candidate> candidates = {
        {std::string(c.name) + ", loop over bodies", std::ref(loop), steps, {}},
        {std::string(c.name) + ", interpreted", std::ref(interpreted), steps, interpreted_bar}};
    if (c.compile) candidates.push_back({std::string(c.name) + ", machine code", std::ref(code), steps, compiled_bar});
    well = print_ratios(candidates, fastest(candidates, rounds)) && well;
    double apart = 0.0;
    for (std::size_t i = 0; i < loop.q.size(); ++i)
      apart = std::max(apart, std::abs(loop.q[i] - interpreted.stepper.q()[i]));
    fmt::print("  motions differ by {:.1e}\n", apart);
    constexpr double same = 1e-9;
    well = apart < same && well;
  }
  return run_floating() && run_rotations() && well ? 0 : 1;
}

}  // namespace
}  // namespace invar

int main() { return invar::run(); }

// What a bushing does to bodies, against closed forms; and what must not make a difference to it.
#include "invar/model/forces/bushing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

#include "invar/model/tables/mechanism_test_support.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/system/conserved.h"
#include "invar/system/start/start.h"

namespace invar {
namespace {

using test::read;

constexpr double rounding = 1e-11;  // sums of some dozens of products of numbers of size ten

std::string body(const std::string& name, const std::string& place, const std::string& more = "") {
  return "[[body]]\nname = \"" + name + "\"\nmass = 2.0\ninertia = [0.3, 0.4, 0.5]\nposition = " + place + "\n" + more;
}

std::string bushing(const std::string& a, const std::string& b, const std::string& more) {
  return "[[bushing]]\nbetween = [\"" + a + "\", \"" + b + "\"]\n" + more + "\n";
}

const std::string stiff = "stiffness = [50, 80, 110]\nrotational_stiffness = [3, 5, 11]\n",
                  damped = "damping = [1, 2, 3]\nrotational_damping = [0.2, 0.1, 0.3]\n",
                  skew_axes = "axes = { axis = [1, 2, -1], angle = 0.9 }\n", place = "at = [0.3, 0.1, -0.2]\n";

// Two bodies that tumble in free space.
const std::string tumbling =
    body("one", "[0, 0, 0]",
         "rotation = { axis = [1, 1, 0], angle = 0.7 }\nvelocity = [0.1, 0.2, 0.3]\n"
         "angular_velocity = [1.0, -0.5, 1.5]\n") +
    body("two", "[0.6, 0.2, -0.4]", "velocity = [0.4, -0.6, 0.2]\nangular_velocity = [-2.3, 0.1, 0.7]\n");

// Any numbers for coordinates and velocities, as between two nodes of a step, where directors are not orthonormal.
State random_state(const Problem& p, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  State s{.t = 0.0, .q = {}, .v = {}, .a = {}, .lambda = {}};
  for (std::size_t i = 0; i < p.system.coordinates.size(); ++i) {
    s.q.push_back(uniform(random));
    s.v.push_back(uniform(random));
  }
  return s;
}

// Potential and forces in a state.
std::vector<double> action(const Problem& p, const State& s) {
  Exprs formulas = p.system.forces;
  formulas.push_back(p.system.potential);
  return StateFunction(p.system, formulas)(s);
}

void expect_same(const std::vector<double>& x, const std::vector<double>& y, double within, const std::string& what) {
  ASSERT_EQ(x.size(), y.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], within) << what << " " << i;
}

// k shifts and κ sin θ turns back, along and about each of its axes, however far: ω = √(k/m) and √(κ/J) for small
// motions.
TEST(Bushing, PullsAndTurnsBackAsItsNumbersSay) {
  const std::array k = {50.0, 80.0, 110.0}, kappa = {3.0, 5.0, 11.0}, inertia = {0.3, 0.4, 0.5};
  constexpr double shift = 0.2, angle = 1.1, mass = 2.0;
  const std::string fixed = "rotation = { axis = [1, 2, -1], angle = 0.9 }\n";
  const Matrix3 axes = Eigen::AngleAxisd(0.9, Vector3(1, 2, -1).normalized()).toRotationMatrix();
  Problem p =
      read(body("block", "[0, 0, 0]", fixed) + bushing("ground", "block", "at = [0, 0, 0]\n" + skew_axes + stiff));
  for (std::size_t i = 0; i < 3; ++i) {
    const Vector3 e = axes.col(static_cast<Eigen::Index>(i));
    State s = test::start(p);
    for (std::size_t c = 0; c < 3; ++c) s.q[c] = shift * e[static_cast<Eigen::Index>(c)];
    std::vector<double> a = consistent_start(p.system, s).state.a;
    for (std::size_t c = 0; c < 3; ++c)
      EXPECT_NEAR(a[c], -k[i] / mass * shift * e[static_cast<Eigen::Index>(c)], rounding) << "along axis " << i;

    const Matrix3 turned = Eigen::AngleAxisd(angle, e).toRotationMatrix() * axes;
    s = test::start(p);
    for (std::size_t d = 0; d < 9; ++d)
      s.q[3 + d] = turned(static_cast<Eigen::Index>(d % 3), static_cast<Eigen::Index>(d / 3));
    a = consistent_start(p.system, s).state.a;
    const Vector3 spin_up = -kappa[i] / inertia[i] * std::sin(angle) * e;
    for (Eigen::Index d = 0; d < 3; ++d) {
      const Vector3 expected = spin_up.cross(turned.col(d));
      for (Eigen::Index c = 0; c < 3; ++c)
        EXPECT_NEAR(a[static_cast<std::size_t>(3 + 3 * d + c)], expected[c], rounding) << "about axis " << i;
    }
  }
}

// At rest under a force along an axis and a torque about it: F = k x, T = κ sin θ.
TEST(Bushing, GivesWayToALoadAsItsNumbersSay) {
  constexpr double force = 7.0, torque = 2.0, k = 80.0, kappa = 5.0;
  const Problem p =
      read(body("block", "[0, 0, 0]") + bushing("ground", "block", "at = [0, 0, 0]\n" + stiff) +
           fmt::format("[[force]]\non = \"block\"\nforce = [0, {}, 0]\ntorque = [0, {}, 0]\n", force, torque));
  State s = test::start(p);
  const Matrix3 turned = Eigen::AngleAxisd(std::asin(torque / kappa), Vector3::UnitY()).toRotationMatrix();
  s.q[1] = force / k;
  for (std::size_t d = 0; d < 9; ++d)
    s.q[3 + d] = turned(static_cast<Eigen::Index>(d % 3), static_cast<Eigen::Index>(d / 3));
  for (const double a : consistent_start(p.system, s).state.a) EXPECT_NEAR(a, 0.0, rounding);
}

TEST(Bushing, DoesNotCareWhichBodyIsFirst) {
  const std::string numbers = stiff + damped, world = "axes = { quaternion = [1, 0, 0, 0] }\n";
  const std::pair<std::string, std::string> ways[] = {
      {place + skew_axes, place + skew_axes},
      {place, place + world},  // the axes of "two", which start along those of the world
      // Where the second body rests lies ahead of the first one, and the first one behind that.
      {world + "at = [0.3, 0.1, -0.2]\nrest = [0.05, 0.01, 0]\n",
       world + "at = [0.35, 0.11, -0.2]\nrest = [-0.05, -0.01, 0]\n"}};
  for (const auto& [one_way, other_way] : ways) {
    const Problem p = read(tumbling + bushing("two", "one", numbers + one_way)),
                  q = read(tumbling + bushing("one", "two", numbers + other_way));
    for (const unsigned seed : {1u, 2u, 3u}) {
      const State s = random_state(p, seed);
      expect_same(action(p, s), action(q, s), rounding, "entry");
    }
  }
}

TEST(Bushing, DoesNotCareHowItsAxesAreNumbered) {
  const auto text = [&](const char* axes, const char* k, const char* kappa, const char* c, const char* gamma) {
    return tumbling +
           bushing("one", "two",
                   fmt::format("{}axes = {{ matrix = {} }}\nstiffness = {}\nrotational_stiffness = {}\ndamping = {}\n"
                               "rotational_damping = {}\n",
                               place, axes, k, kappa, c, gamma));
  };
  const Problem p = read(
                    text("[1, 0, 0, 0, 1, 0, 0, 0, 1]", "[5, 8, 11]", "[1, 2, 4]", "[1, 2, 3]", "[0.1, 0.2, 0.3]")),
                q = read(
                    text("[0, 0, 1, 1, 0, 0, 0, 1, 0]", "[8, 11, 5]", "[2, 4, 1]", "[2, 3, 1]", "[0.2, 0.3, 0.1]"));
  for (const unsigned seed : {1u, 2u, 3u}) {
    const State s = random_state(p, seed);
    expect_same(action(p, s), action(q, s), rounding, "entry");
  }
}

// Equal in all directions, it has no axes; checked where directors are orthonormal.
TEST(Bushing, HasNoAxesIfItIsEqualInAllDirections) {
  const std::string equal = place +
                            "stiffness = [50, 50, 50]\nrotational_stiffness = [3, 3, 3]\ndamping = [2, 2, 2]\n"
                            "rotational_damping = [1, 1, 1]\n";
  const Problem p = read(tumbling + bushing("one", "two", equal)),
                q = read(tumbling + bushing("one", "two", equal + skew_axes));
  const auto once = [](const Problem& problem) {
    Stepper stepper(problem.system, *find_scheme("radau5"));
    stepper.start(consistent_start(problem.system, test::start(problem)).state, 0.02);
    for (int k = 0; k < 20; ++k) stepper.advance(0.02, [](double, std::span<double>) {});
    return std::vector<double>(stepper.q().begin(), stepper.q().end());
  };
  expect_same(once(p), once(q), 1e-9, "coordinate");  // twenty steps of Newton's method
}

// Nothing outside acts on two bodies with a bushing between them, dampers included.
TEST(Bushing, LeavesMomentaAlone) {
  const Problem p = read(tumbling + bushing("one", "two", place + stiff + damped + skew_axes));
  ASSERT_EQ(p.system.momenta.size(), 6u);
  for (const Momentum& m : p.system.momenta) EXPECT_EQ(m.why_not, "") << m.name;
}

struct Course {
  std::vector<double> energy, work;  // at the nodes; of the forces in each step
  std::vector<double> first, last;   // of all that stays
};

Course run(const Problem& p, const char* scheme, double h, int steps) {
  const System& s = p.system;
  Exprs kept;
  for (const Momentum& m : s.momenta) kept.push_back(m.expr);
  StateFunction energy(s, Exprs{s.kinetic + s.potential}), forces(s, s.forces), momenta(s, kept);
  Stepper stepper(s, *find_scheme(scheme));
  stepper.start(consistent_start(s, test::start(p)).state, h);
  const auto state = [&] {
    return State{0.0, {stepper.q().begin(), stepper.q().end()}, {stepper.v().begin(), stepper.v().end()}, {}, {}};
  };
  Course course;
  State old = state();
  course.energy = {energy(old)[0]};
  course.first = momenta(old);
  for (int k = 0; k < steps; ++k) {
    EXPECT_EQ(stepper.advance(h, [](double, std::span<double>) {}).status, NewtonStatus::converged) << scheme;
    const State now = state();
    State middle = now;
    for (std::size_t i = 0; i < now.q.size(); ++i) {
      middle.q[i] = 0.5 * (old.q[i] + now.q[i]);
      middle.v[i] = (now.q[i] - old.q[i]) / h;
    }
    const std::vector<double> f = forces(middle);
    double work = 0.0;
    for (std::size_t i = 0; i < f.size(); ++i) work += f[i] * (now.q[i] - old.q[i]);
    course.work.push_back(work);
    course.energy.push_back(energy(now)[0]);
    old = now;
  }
  course.last = momenta(old);
  return course;
}

TEST(Bushing, EnergyAndMomentaStayInEveryFormulation) {
  constexpr double kept = 1e-9;  // joules, while T and V exchange several; thirty steps of Newton's method
  for (const char* formulation : {"director", "minimal"}) {
    const Problem p = read(tumbling + bushing("one", "two", place + stiff + skew_axes), formulation);
    const Course c = run(p, "energy-momentum", 0.02, 30);
    for (const double e : c.energy) EXPECT_NEAR(e, c.energy.front(), kept) << formulation;
    if (std::string(formulation) == "director") expect_same(c.first, c.last, kept, "momentum");
  }
}

// What the energy loses in a step is the work of the dampers, which is never positive.
TEST(Bushing, DampersTakeEnergyAndTheBalanceCloses) {
  constexpr double closed = 1e-10;
  for (const char* formulation : {"director", "minimal"}) {
    const Problem p = read(tumbling + bushing("one", "two", place + stiff + damped + skew_axes), formulation);
    const Course c = run(p, "energy-momentum", 0.02, 30);
    for (std::size_t k = 0; k < c.work.size(); ++k) {
      EXPECT_LT(c.work[k], 0.0) << formulation;
      EXPECT_NEAR(c.energy[k + 1] - c.energy[k], c.work[k], closed) << formulation << " step " << k;
    }
    EXPECT_LT(c.energy.back(), 0.9 * c.energy.front());
    if (std::string(formulation) == "director") expect_same(c.first, c.last, closed, "momentum");
  }
}

std::vector<double> places(const Problem& p, const char* scheme, double h, int steps) {
  Exprs formulas;
  for (const Quantity& y : p.system.outputs) formulas.push_back(y.expr);
  Stepper stepper(p.system, *find_scheme(scheme));
  stepper.start(consistent_start(p.system, test::start(p)).state, h);
  for (int k = 0; k < steps; ++k)
    EXPECT_EQ(stepper.advance(h, [](double, std::span<double>) {}).status, NewtonStatus::converged) << scheme;
  return StateFunction(p.system, formulas)(
      {0.0, {stepper.q().begin(), stepper.q().end()}, {stepper.v().begin(), stepper.v().end()}, {}, {}});
}

TEST(Bushing, AllFormulationsGiveOneMotion) {
  constexpr double same = 1e-8;  // what the schemes leave at these steps
  const std::string outputs =
                        "[[output]]\nname = \"p\"\npoint = { on = \"one\", at = [1, 0, 0] }\n"
                        "[[output]]\nname = \"q\"\npoint = { on = \"two\", at = [0, 1, 0] }\n",
                    text = tumbling + bushing("one", "two", place + stiff + damped + skew_axes) +
                           bushing("ground", "one", "at = [0, 0, 0]\n" + stiff + damped) + outputs;
  const std::vector<double> director = places(read(text), "radau5", 0.01, 40);
  expect_same(director, places(read(text, "lie"), "lie-rk4", 0.002, 200), same, "lie");
  expect_same(director, places(read(text, "minimal"), "radau5", 0.01, 40), same, "minimal");
}

TEST(Bushing, WithoutStiffnessAndDampingIsNone) {
  const Problem with =
      read(tumbling + bushing("one", "two", place + "stiffness = [0, 0, 0]\nrotational_damping = [0, 0, 0]\n"));
  EXPECT_TRUE(with.system.potential.is_constant(0.0));
  for (const Expr& f : with.system.forces) EXPECT_TRUE(f.is_constant(0.0));
}

// V = ½ k r² + (1 - cos θ) κ where the second body is r and θ away from where it rests.
TEST(Bushing, RestsWhereItIsTold) {
  const Problem p =
      read(tumbling + bushing("one", "two",
                              place + stiff + skew_axes +
                                  "rest = [0.1, 0, 0]\nrest_rotation = { axis = [0, 0, 1], angle = 0.3 }\n"));
  EXPECT_NEAR(test::at_start(p, p.system.potential),
              0.25 * 50.0 * 0.01 +
                  0.25 * (50.0 * std::pow(0.1 * std::cos(0.3), 2) + 80.0 * std::pow(0.1 * std::sin(0.3), 2)) +
                  11.0 * (1.0 - std::cos(0.3)),
              rounding);
}

TEST(Bushing, OnAPointMassFollowsTheAxesOfTheBody) {
  const std::string point = "[[point]]\nname = \"load\"\nmass = 1\nposition = [1, 0, 0]\n",
                    numbers = "stiffness = [50, 80, 110]\nrest = [0.1, 0.2, 0.3]\n";
  const double expected = 0.5 * (50.0 * 0.01 + 80.0 * 0.04 + 110.0 * 0.09);
  for (const auto& [a, b] : {std::pair("one", "load"), std::pair("load", "one"), std::pair("ground", "load")}) {
    const Problem p = read(tumbling + point + bushing(a, b, numbers + skew_axes));
    EXPECT_NEAR(test::at_start(p, p.system.potential), expected, rounding) << a << " " << b;
  }
}

TEST(Bushing, InThePlaneHasTwoAxesAndOneAngle) {
  constexpr double angle = 0.4, x = 0.3, y = -0.2, k1 = 30.0, k2 = 70.0, kappa = 5.0;
  const Problem p = read(fmt::format(
      "[world]\ndimension = 2\n[[body]]\nname = \"disc\"\nmass = 1.0\ninertia = 0.5\nposition = [0, 0]\n"
      "[[bushing]]\nbetween = [\"ground\", \"disc\"]\nat = [0, 0]\nstiffness = [{}, {}]\nrotational_stiffness = {}\n",
      k1, k2, kappa));
  State s = test::start(p);
  s.q = {x, y, std::cos(angle), std::sin(angle), -std::sin(angle), std::cos(angle)};
  const double x_b = x * std::cos(angle) + y * std::sin(angle), y_b = -x * std::sin(angle) + y * std::cos(angle);
  EXPECT_NEAR(test::value(p, p.system.potential, s),
              0.25 * (k1 * (x * x + x_b * x_b) + k2 * (y * y + y_b * y_b)) + kappa * (1.0 - std::cos(angle)), rounding);
}

}  // namespace
}  // namespace invar

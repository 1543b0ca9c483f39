// Laws that every equilibrium obeys: balance by hand, other units, another order, another frame, another written form.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include <fmt/format.h>

#include "invar/statics/test_rest.h"

namespace invar {
namespace {

// A chain of point masses on rods between two hooks. By hand: the horizontal pull is the same everywhere, and the
// vertical one changes from rod to rod by the weight of the mass between.
std::string chain(int masses, double length_unit, double mass_unit, double turn) {
  const double span = 3.0, rod = 0.8, m = 1.7, g = 9.81;
  const double c = std::cos(turn), s = std::sin(turn);
  std::string names, kinetic, potential, constraints, initial;
  const double weight = m * g * mass_unit * length_unit;  // seconds stay seconds
  const auto point = [&](int i) -> std::array<std::string, 2> {
    if (i == 0) return {"0", "0"};
    if (i == masses + 1)
      return {fmt::format("({:.17g})", span * length_unit * c), fmt::format("({:.17g})", span * length_unit * s)};
    return {fmt::format("x{}", i), fmt::format("y{}", i)};
  };
  for (int i = 1; i <= masses; ++i) {
    names += fmt::format("{}\"x{}\", \"y{}\"", i > 1 ? ", " : "", i, i);
    kinetic += fmt::format("{}{:.17g}/2*(x{}'^2 + y{}'^2)", i > 1 ? " + " : "", m * mass_unit, i, i);
    potential += fmt::format("{}{:.17g}*({:.17g}*x{} + {:.17g}*y{})", i > 1 ? " + " : "", weight, -s, i, c, i);
    const double a = span * i / (masses + 1), b = -1.0 + 0.1 * i;
    initial += fmt::format("x{} = {:.17g}\ny{} = {:.17g}\n", i, length_unit * (c * a - s * b), i,
                           length_unit * (s * a + c * b));
  }
  for (int i = 0; i <= masses; ++i) {
    const auto p = point(i), q = point(i + 1);
    constraints +=
        fmt::format("[[system.constraint]]\nname = \"rod{}\"\nexpr = \"(({} - {})^2 + ({} - {})^2 - {:.17g})/2\"\n", i,
                    q[0], p[0], q[1], p[1], rod * rod * length_unit * length_unit);
  }
  return fmt::format(
      "name = \"chain\"\n[system]\ncoordinates = [{}]\nkinetic = \"{}\"\npotential = \"{}\"\n{}[initial]\n{}", names,
      kinetic, potential, constraints, initial);
}

TEST(RestLaws, AChainOfMassesHangsAsAPolygonOfForces) {
  constexpr int masses = 6;
  const RestOf r = rest_of(chain(masses, 1.0, 1.0, 0.0));
  ASSERT_TRUE(r.rest.found) << r.rest.reason;
  EXPECT_EQ(r.rest.stability.kind, StabilityKind::stable);
  const auto at = [&](int i, const char* axis) {
    if (i == 0) return 0.0;
    if (i == masses + 1) return axis[0] == 'x' ? 3.0 : 0.0;
    return r.q(axis + std::to_string(i));
  };
  const double weight = 1.7 * 9.81, small = 1e-9 * weight;
  std::vector<double> across, up;
  for (int i = 0; i <= masses; ++i) {
    const double lambda = r.rest.point.state.lambda[static_cast<std::size_t>(i)];
    across.push_back(lambda * (at(i + 1, "x") - at(i, "x")));
    up.push_back(lambda * (at(i + 1, "y") - at(i, "y")));
  }
  for (int i = 0; i < masses; ++i) {
    const auto k = static_cast<std::size_t>(i);
    EXPECT_GT(across[k], 0.0);  // taut
    EXPECT_NEAR(across[k + 1], across[k], small);
    EXPECT_NEAR(up[k + 1] - up[k], weight, small);
  }
}

TEST(RestLaws, UnitsAndFramesDoNotMatter) {
  constexpr int masses = 4;
  const RestOf r = rest_of(chain(masses, 1.0, 1.0, 0.0));
  ASSERT_TRUE(r.rest.found);
  struct Case {
    double length, mass, turn;
  };
  for (const Case& other : {Case{1e3, 1.0, 0.0}, Case{1.0, 1e3, 0.0}, Case{1e6, 1e-6, 0.0}, Case{1.0, 1.0, 0.7}}) {
    const RestOf o = rest_of(chain(masses, other.length, other.mass, other.turn));
    ASSERT_TRUE(o.rest.found) << o.rest.reason;
    EXPECT_EQ(o.rest.stability.kind, r.rest.stability.kind);
    EXPECT_EQ(o.rest.by, r.rest.by);
    EXPECT_NEAR(o.rest.stability.lowest_frequency, r.rest.stability.lowest_frequency, 1e-8);
    const double c = std::cos(other.turn), s = std::sin(other.turn);
    for (int i = 1; i <= masses; ++i) {
      const double x = r.q("x" + std::to_string(i)), y = r.q("y" + std::to_string(i));
      EXPECT_NEAR(o.q("x" + std::to_string(i)) / other.length, c * x - s * y, 1e-10);
      EXPECT_NEAR(o.q("y" + std::to_string(i)) / other.length, s * x + c * y, 1e-10);
    }
  }
}

// Points in the plane, joined to each other and to hooks by springs with rest lengths: random potentials with many
// places of rest.
struct Network {
  struct Spring {
    int a, b;  // points; below zero a hook
    double stiffness, rest;
  };
  int points = 4;
  std::vector<std::array<double, 2>> hooks, start;
  std::vector<Spring> springs;

  double potential(const Vector& q) const {
    const auto place = [&](int i, int axis) {
      return i < 0 ? hooks[static_cast<std::size_t>(-i - 1)][static_cast<std::size_t>(axis)] : q[2 * i + axis];
    };
    double sum = 0.0;
    for (const Spring& s : springs) {
      const double length = std::hypot(place(s.a, 0) - place(s.b, 0), place(s.a, 1) - place(s.b, 1));
      sum += 0.5 * s.stiffness * (length - s.rest) * (length - s.rest);
    }
    for (int i = 0; i < points; ++i) sum += 9.81 * q[2 * i + 1];
    return sum;
  }
  std::string text(const std::vector<int>& order) const {
    const auto place = [&](int i, const char* axis) {
      return i < 0 ? fmt::format("({:.17g})", hooks[static_cast<std::size_t>(-i - 1)][axis[0] == 'x' ? 0 : 1])
                   : fmt::format("{}{}", axis, i);
    };
    std::string names, kinetic = "0", potential = "0", initial;
    for (const int i : order) {
      names += fmt::format("{}\"x{}\", \"y{}\"", names.empty() ? "" : ", ", i, i);
      kinetic += fmt::format(" + (x{}'^2 + y{}'^2)/2", i, i);
      potential += fmt::format(" + 9.81*y{}", i);
      const auto& p = start[static_cast<std::size_t>(i)];
      initial += fmt::format("x{} = {:.17g}\ny{} = {:.17g}\n", i, p[0], i, p[1]);
    }
    for (const Spring& s : springs)
      potential += fmt::format(" + {:.17g}/2*(sqrt(({} - {})^2 + ({} - {})^2) - {:.17g})^2", s.stiffness,
                               place(s.a, "x"), place(s.b, "x"), place(s.a, "y"), place(s.b, "y"), s.rest);
    return fmt::format(
        "name = \"net\"\n[system]\ncoordinates = [{}]\nkinetic = \"{}\"\npotential = \"{}\"\n[initial]\n{}", names,
        kinetic, potential, initial);
  }
};

Network random_network(unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> place(-1.0, 1.0), stiffness(20.0, 200.0), rest(0.3, 1.5);
  Network n;
  for (int k = 0; k < 3; ++k) n.hooks.push_back({2.0 * place(random), 2.0 * place(random)});
  for (int i = 0; i < n.points; ++i) {
    n.start.push_back({place(random), place(random)});
    for (int j = -3; j < i; ++j)
      if (j < 0 || (i + j) % 2 == 0) n.springs.push_back({i, j, stiffness(random), rest(random)});
  }
  return n;
}

TEST(RestLaws, RandomNetworksOfSpringsAgreeWithDifferencesOfTheirPotential) {
  int unstable = 0, stable = 0;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    const Network net = random_network(seed);
    const RestOf r = rest_of(net.text({0, 1, 2, 3}));
    ASSERT_TRUE(r.rest.found) << seed << ": " << r.rest.reason;
    const Vector q = Eigen::Map<const Vector>(r.rest.point.state.q.data(), 8);
    constexpr double h = 1e-4;  // differences of second order: errors about 1e-8 for slopes, 1e-6 for curvatures
    Matrix hessian(8, 8);
    for (int i = 0; i < 8; ++i) {
      const Vector ei = h * Vector::Unit(8, i);
      EXPECT_NEAR((net.potential(q + ei) - net.potential(q - ei)) / (2 * h), 0.0, 1e-4) << seed;
      for (int j = 0; j < 8; ++j) {
        const Vector ej = h * Vector::Unit(8, j);
        hessian(i, j) = (net.potential(q + ei + ej) - net.potential(q + ei - ej) - net.potential(q - ei + ej) +
                         net.potential(q - ei - ej)) /
                        (4 * h * h);
      }
    }
    const double least = Eigen::SelfAdjointEigenSolver<Matrix>(hessian).eigenvalues()[0];
    EXPECT_EQ(r.rest.stability.kind, least < 0.0 ? StabilityKind::unstable : StabilityKind::stable)
        << seed << " " << least;
    (least < 0.0 ? unstable : stable)++;
    if (least < 0.0) {  // masses are one
      EXPECT_NEAR(r.rest.stability.growth, std::sqrt(-least), 1e-3) << seed;
      ASSERT_TRUE(r.rest.lower.has_value()) << seed;
    }
    const RestOf down = rest_of(net.text({0, 1, 2, 3}), RestMethod::minimum);
    ASSERT_TRUE(down.rest.found) << seed << ": " << down.rest.reason;
    EXPECT_EQ(down.rest.stability.kind, StabilityKind::stable) << seed;
  }
  EXPECT_GT(unstable, 3);  // the sample has both kinds
  EXPECT_GT(stable, 3);
}

TEST(RestLaws, TheOrderOfCoordinatesDoesNotMatter) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Network net = random_network(seed);
    const RestOf r = rest_of(net.text({0, 1, 2, 3})), other = rest_of(net.text({2, 0, 3, 1}));
    ASSERT_TRUE(r.rest.found && other.rest.found);
    EXPECT_EQ(r.rest.stability.kind, other.rest.stability.kind);
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(r.q(fmt::format("x{}", i)), other.q(fmt::format("x{}", i)), 1e-9) << seed;
  }
}

// One rod said twice, and a triangle of rods with a point on a line that it cannot leave anyway.
TEST(RestLaws, RedundantConstraintsChangeNothing) {
  const auto text = [](const std::string& more) {
    return R"toml(
name = "twice"
[system]
coordinates = ["x", "y", "z"]
kinetic = "(x'^2 + y'^2 + z'^2)/2"
potential = "9.81*z"
[[system.constraint]]
name = "rod"
expr = "(x^2 + y^2 + z^2 - 1)/2"
[[system.constraint]]
name = "plane"
expr = "y"
)toml" + more +
           R"toml(
[initial]
x = 0.6
y = 0.0
z = -0.8
)toml";
  };
  const RestOf once = rest_of(text(""));
  const RestOf twice = rest_of(text("[[system.constraint]]\nname = \"again\"\nexpr = \"3*(x^2 + z^2 - 1) + y\"\n"));
  ASSERT_TRUE(once.rest.found && twice.rest.found) << twice.rest.reason;
  for (const char* name : {"x", "y", "z"}) EXPECT_NEAR(once.q(name), twice.q(name), 1e-10);
  EXPECT_NEAR(once.rest.stability.lowest_frequency, twice.rest.stability.lowest_frequency, 1e-10);
}

}  // namespace
}  // namespace invar

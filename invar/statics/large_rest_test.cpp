// Sparse and dense ways find the same places and say the same of them.
#include "invar/statics/large_rest.h"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include "invar/statics/test_rest.h"

namespace invar {
namespace {

constexpr double same_place = 1e-9, same_frequency = 1e-6;  // of lengths and frequencies of about one

struct BothWays {
  System system;
  Rest dense, sparse;

  void agree() const {
    ASSERT_TRUE(dense.found) << dense.reason;
    ASSERT_TRUE(sparse.found) << sparse.reason;
    for (std::size_t i = 0; i < system.coordinates.size(); ++i)
      EXPECT_NEAR(sparse.point.state.q[i], dense.point.state.q[i], same_place) << system.coordinates[i].name();
    EXPECT_EQ(sparse.stability.kind, dense.stability.kind);
    EXPECT_NEAR(sparse.stability.lowest_frequency, dense.stability.lowest_frequency, same_frequency);
    EXPECT_NEAR(sparse.stability.growth, dense.stability.growth, same_frequency);
  }
};

BothWays both_ways(const std::string& text) {
  RestOf r = rest_of(text);
  const Problem problem = read_problem_text(text, "model.toml");
  const Start start = consistent_start(r.system, {.t = 0.0, .q = problem.q0, .v = problem.v0, .a = {}, .lambda = {}});
  std::optional<Rest> sparse = find_large_rest(r.system, {0.0, start.state.q, start.state.v, {}, {}}, {});
  EXPECT_TRUE(sparse.has_value());
  return {std::move(r.system), std::move(r.rest), sparse ? std::move(*sparse) : Rest{}};
}

std::string clamped_column(double load) {
  return fmt::format(R"toml(
name = "column"
[world]
dimension = 2
[[beam]]
name = "column"
points = [[0, 0], [0, 1]]
from = "ground"
EA = 1e4
GA = 4e3
EI = 1
mass_per_length = 1
inertia_per_length = 1e-3
elements = 6
[[force]]
on = "column"
s = 1
force = [0, {}]
)toml",
                     -load);
}

// Euler's load of a column that is clamped at its foot is π²/4.
TEST(LargeRest, AColumnIsStableBelowEulersLoadAndUnstableBeyond) {
  for (const double load : {1.0, 2.3, 2.6, 4.0}) {
    const BothWays ways = both_ways(clamped_column(load));
    ways.agree();
    EXPECT_EQ(ways.sparse.stability.kind, load < 2.467 ? StabilityKind::stable : StabilityKind::unstable);
  }
}

TEST(LargeRest, HangingChainsAreThoseOfDenseMatrices) {
  std::string names, kinetic, potential, constraints, initial;
  constexpr int masses = 9;
  for (int i = 1; i <= masses; ++i) {
    names += fmt::format("{}\"x{}\", \"y{}\"", i > 1 ? ", " : "", i, i);
    kinetic += fmt::format("{}(x{}'^2 + y{}'^2)/2", i > 1 ? " + " : "", i, i);
    potential += fmt::format("{}9.81*y{}", i > 1 ? " + " : "", i);
    initial += fmt::format("x{} = {}\ny{} = {}\n", i, 0.3 * i, i, -0.1 * i * (masses + 1 - i));
  }
  for (int i = 0; i <= masses; ++i) {
    const auto place = [](const char* axis, int k, const char* first, const char* last) -> std::string {
      return k == 0 ? first : k > masses ? last : fmt::format("{}{}", axis, k);
    };
    constraints += fmt::format(
        "[[system.constraint]]\nname = \"rod{}\"\nexpr = \"(({} - {})^2 + ({} - {})^2 - 0.25)/2\"\n", i,
        place("x", i + 1, "0", "3"), place("x", i, "0", "3"), place("y", i + 1, "0", "0"), place("y", i, "0", "0"));
  }
  both_ways(fmt::format("name = \"chain\"\n[system]\ncoordinates = [{}]\nkinetic = \"{}\"\npotential = \"{}\"\n{}"
                        "[initial]\n{}",
                        names, kinetic, potential, constraints, initial))
      .agree();
}

// A string that nothing pulls has no stiffness across; downhill it gets some.
TEST(LargeRest, AStringWithoutTensionAtTheStartIsLedDownhill) {
  both_ways(R"toml(
name = "string"
[world]
gravity = [0, 0, -9.81]
[[string]]
name = "string"
points = [[0, 0, 0], [1.2, 0, 0.3]]
length = 2
mass_per_length = 1.5
from = "ground"
to = "ground"
inextensible = true
elements = 8
)toml")
      .agree();
}

TEST(LargeRest, ABeamThatNothingHoldsIsIndifferent) {
  std::string text = clamped_column(0.0);
  text.erase(text.find("from = \"ground\"\n"), 16);
  const BothWays ways = both_ways(text);
  ASSERT_TRUE(ways.sparse.found) << ways.sparse.reason;
  EXPECT_EQ(ways.sparse.stability.kind, StabilityKind::indifferent);
  EXPECT_EQ(ways.dense.stability.kind, StabilityKind::indifferent);
  EXPECT_EQ(ways.sparse.stability.growth, 0.0);
}

TEST(LargeRest, WhereItSaysNothingItIsLeftToDenseMatrices) {
  const std::string cart = R"toml(
name = "cart"
[system]
coordinates = ["s", "phi"]
kinetic = "(2*s'^2 + 2*s'*phi'*cos(phi) + phi'^2)/2"
potential = "-9.81*cos(phi)"
[initial]
s = 0.0
phi = 0.1
)toml";
  const Problem problem = read_problem_text(cart, "model.toml");
  EXPECT_FALSE(find_large_rest(problem.system, {0.0, problem.q0, problem.v0, {}, {}}, {}).has_value());
  const Problem chain = read_problem_text(clamped_column(1.0), "model.toml");
  EXPECT_FALSE(
      find_large_rest(chain.system, {0.0, chain.q0, chain.v0, {}, {}}, {.method = RestMethod::newton}).has_value());
}

// Pressed along its tip a column does not buckle but flutters, from 20.05 EI/L² on [M. Beck, ZAMP 3 (1952) 225]; shear
// and the inertia of sections make that a little less. A motion that grows is found and decides; that no slow one does,
// decides nothing.
TEST(LargeRest, AColumnUnderAFollowerLoadFluttersBeyondBecksLoad) {
  for (const double load : {15.0, 19.0, 21.0, 40.0}) {
    std::string text = clamped_column(load);
    const std::string dead = fmt::format("force = [0, {}]", -load);
    text.replace(text.find(dead), dead.size(), fmt::format("force = [{}, 0]\nframe = \"body\"", -load));
    const BothWays ways = both_ways(text);
    ASSERT_TRUE(ways.sparse.found) << ways.sparse.reason;
    const Stability &sparse = ways.sparse.stability, &dense = ways.dense.stability;
    EXPECT_EQ(sparse.kind, load < 20.0 ? StabilityKind::not_judged : StabilityKind::unstable) << load;
    EXPECT_EQ(dense.kind, load < 20.0 ? StabilityKind::first_order : StabilityKind::unstable) << load;
    EXPECT_NEAR(sparse.growth, dense.growth, same_frequency * std::max(1.0, dense.growth)) << load;
    EXPECT_NEAR(sparse.lowest_frequency, dense.lowest_frequency, same_frequency) << load;
    EXPECT_GE(sparse.eigenvalues.size(), 8U) << load;
  }
}

// Damping of the material makes all slow motions die out, or the flutter begin earlier.
TEST(LargeRest, EigenvaluesUnderAFollowerLoadAreThoseOfDenseMatricesWithDampingToo) {
  for (const double load : {5.0, 25.0}) {
    std::string text = clamped_column(load);
    const std::string dead = fmt::format("force = [0, {}]", -load);
    text.replace(text.find(dead), dead.size(), fmt::format("force = [{}, 0]\nframe = \"body\"", -load));
    text.replace(text.find("elements = 6"), 12, "elements = 6\ndamping = 1e-3");
    const BothWays ways = both_ways(text);
    ASSERT_TRUE(ways.sparse.found) << ways.sparse.reason;
    ASSERT_GE(ways.sparse.stability.eigenvalues.size(), 8U);
    for (const std::complex<double>& s : ways.sparse.stability.eigenvalues) {
      double off = std::abs(s);
      for (const auto& other : ways.dense.stability.eigenvalues) off = std::min(off, std::abs(other - s));
      EXPECT_LT(off, 1e-5 * std::abs(s)) << load << ": " << s;  // a hundred times what they settle to
    }
  }
}

}  // namespace
}  // namespace invar

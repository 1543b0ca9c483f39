// Beams and strings at rest against exact solutions (Kirchhoff–Reissner equations by shooting, catenaries in closed
// form) and against the same elements in another program, which balanced them by minimising in NumPy.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "invar/read/read_problem.h"
#include "invar/task/equilibrium/equilibrium.h"
#include "invar/task/equilibrium/test_members.h"

namespace invar {
namespace {

using std::numbers::pi;

// Where the output "tip" is at rest.
Vector3 tip_at_rest(const std::string& text) {
  const Outcome found = find_equilibrium(read_problem_text(text, "model.toml"));
  EXPECT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  return {found.trajectory.value(0, "tip.x"), found.trajectory.value(0, "tip.y"), found.trajectory.value(0, "tip.z")};
}

// The data of the other program have ten to twelve digits.
constexpr double ten_digits = 2e-9;

TEST(MemberStatics, BeamsRestWhereTheSameElementsDoElsewhere) {
  struct Case {
    std::string text;
    Vector3 tip;
  };
  const Case cases[] = {
      {test::bend({2, 8}), {15.7925279371, 46.173827317, 54.5312323765}},
      {test::bend({3, 4}), {15.6823616869, 47.0884778515, 53.5711361175}},
      {test::bend({3, 8}), {15.684667352, 47.1469517561, 53.4804780088}},
      {test::princeton({2, 8}), {0.477859127657, 0.157042073194, -0.0152496944922}},
      {test::princeton({3, 4}), {0.477637194459, 0.15661271819, -0.0153398681916}},
      {test::heavy_cantilever({3, 8}), {0.581632999221, 0.0, -1.7870651388}},
      {test::roll_up({3, 4}), {0.967323516807, 0.361034980521, 0.0}},
  };
  for (const Case& c : cases) EXPECT_LT((tip_at_rest(c.text) - c.tip).norm(), ten_digits * 100.0) << c.text;
}

// In pure bending every two-node element turns by θ with EI sin 2θ / 2L = M and stretches its chord by 1/cos(θ/2).
TEST(MemberStatics, TwoNodeElementsBendAsTheirFormulaSays) {
  constexpr int n = 16;
  const double length = 10.0 / n, angle = 0.5 * std::asin(2.0 * length * 40.0 * pi / 200.0);
  const double chord = length / std::cos(0.5 * angle), scale = chord / (2.0 * std::sin(0.5 * angle));
  const Vector3 expected(scale * std::sin(n * angle), scale * (1.0 - std::cos(n * angle)), 0.0);
  EXPECT_LT((tip_at_rest(test::roll_up({2, n})) - expected).norm(), 1e-9);  // tolerance of the balance over ten metres
}

double order(double coarse, double fine) { return std::log2(coarse / fine); }

TEST(MemberStatics, ErrorsFallWithTheOrderOfTheElement) {
  const Vector3 exact(15.684800534, 47.1504385736, 53.4748587918);  // by shooting, to 1e-10
  const auto error = [&](test::Mesh mesh) { return (tip_at_rest(test::bend(mesh)) - exact).norm(); };
  EXPECT_NEAR(order(error({2, 16}), error({2, 32})), 2.0, 0.1);
  EXPECT_NEAR(order(error({3, 4}), error({3, 8})), 4.0, 0.2);
  EXPECT_LT((tip_at_rest(test::roll_up({3, 16})) - Vector3::Zero()).norm(), 3.1e-3);  // 2.958e-3 of the other program
}

TEST(MemberStatics, StringsHangAsCatenaries) {
  const Vector3 elastic(0.70077507983827, 0.0, -0.56137557707979), stiff(0.70272853091788, 0.0, -0.53807230454046);
  EXPECT_LT((tip_at_rest(test::cable("EA = 500", {2, 8})) - Vector3(0.70415448038, 0.0, -0.567622829498)).norm(),
            ten_digits);
  EXPECT_LT((tip_at_rest(test::cable("EA = 500", {3, 8})) - Vector3(0.700714257055, 0.0, -0.561383761396)).norm(),
            ten_digits);
  EXPECT_LT(
      (tip_at_rest(test::cable("inextensible = true", {2, 8})) - Vector3(0.705977818732, 0.0, -0.544150811352)).norm(),
      ten_digits);
  const auto error = [&](const std::string& kind, const Vector3& exact, test::Mesh mesh) {
    return (tip_at_rest(test::cable(kind, mesh)) - exact).norm();
  };
  EXPECT_NEAR(order(error("EA = 500", elastic, {2, 16}), error("EA = 500", elastic, {2, 32})), 2.0, 0.1);
  EXPECT_NEAR(order(error("EA = 500", elastic, {3, 16}), error("EA = 500", elastic, {3, 32})), 4.0, 0.2);
  EXPECT_NEAR(order(error("inextensible = true", stiff, {2, 16}), error("inextensible = true", stiff, {2, 32})), 2.0,
              0.1);
}

// Nothing limits the number of elements: with sparse matrices cost grows with it.
TEST(MemberStatics, ManyElementsComeToTheExactPlaces) {
  const Vector3 tip(15.684800534, 47.1504385736, 53.4748587918), middle(0.70077507983827, 0.0, -0.56137557707979);
  EXPECT_LT((tip_at_rest(test::bend({3, 60})) - tip).norm(), 3e-6);  // 6.6e-3 with 8, to the fourth power
  const Outcome few = find_equilibrium(read_problem_text(test::elastic_cable({3, 40}), "few.toml"));
  const Outcome many = find_equilibrium(read_problem_text(test::elastic_cable({3, 350}), "many.toml"));
  ASSERT_EQ(many.summary.status, RunStatus::done) << many.summary.message;
  EXPECT_NEAR(many.trajectory.value(0, "tip.x"), middle[0], 1e-9);
  EXPECT_NEAR(many.trajectory.value(0, "tip.z"), middle[2], 1e-9);
  const auto &said_of_few = *few.summary.part<EquilibriumSummary>(), &said = *many.summary.part<EquilibriumSummary>();
  EXPECT_EQ(said.stability, StabilityKind::stable);
  EXPECT_NEAR(said.lowest_frequency, said_of_few.lowest_frequency, 1e-5 * said.lowest_frequency);
}

// The tension of an inextensible string is that of the catenary: H everywhere along x, at its ends with the weight.
TEST(MemberStatics, TensionsAreThoseOfTheCatenary) {
  const Outcome found = find_equilibrium(read_problem_text(test::cable("inextensible = true", {3, 32}), "model.toml"));
  const double horizontal = 4.86151708535;  // of the exact one
  double least = 1e300;
  for (int k = 1; k <= 64; ++k) least = std::min(least, found.trajectory.value(0, "cable." + std::to_string(k) + ".N"));
  EXPECT_NEAR(least, horizontal,
              1e-2 * horizontal);  // the lowest Gauss point is a few millimetres off the lowest point
}

// Clamped at one end; exact frequencies of Timoshenko's equations, in rad/s, by their transfer matrix.
TEST(MemberStatics, FrequenciesAreThoseOfTimoshenkosBeam) {
  const std::string text = test::with(
      "name = \"beam\"\n[[beam]]\nname = \"beam\"\nfrom = \"ground\"\nnormal = [0, 0, 1]\n"
      "points = [[0, 0, 0], [1, 0, 0]]\nGA = 400\nEA = 1000\nEI = [1, 2.5]\nGJ = 0.8\n"
      "mass_per_length = 1\ninertia_per_length = [0.001, 0.0025, 0.0035]\n",
      {3, 8});
  const Outcome found = find_equilibrium(read_problem_text(text, "model.toml"));
  std::vector<double> omega;
  for (const auto& s : found.summary.part<EquilibriumSummary>()->eigenvalues)
    if (s.imag() > 0.0) omega.push_back(s.imag());
  const auto nearest = [&](double exact) {
    double best = 1e300;
    for (const double w : omega)
      if (std::abs(w - exact) < std::abs(best - exact)) best = w;
    return best;
  };
  // Exact, and of the same mesh in the other program to ten digits.
  const std::pair<double, double> known[] = {{3.48783604318, 3.487857655}, {20.8876903456, 20.89237588},
                                             {5.45029432484, 5.450327399}, {30.7882612574, 30.79447257},
                                             {49.672941329, 49.6729925},   {23.7482082345, 23.7482327}};
  for (const auto& [exact, meshed] : known) {
    EXPECT_NEAR(nearest(meshed), meshed, 1e-8 * meshed);
    EXPECT_NEAR(nearest(meshed), exact, 3e-4 * exact);  // with the fourth power of the length of an element
  }
}

// Two bars with springs, F on their common point: F = 2k x (l₀/√(1 + x²) − 1) turns back where (1 + x²)^{3/2} = l₀.
TEST(MemberStatics, APathGoesOnPastLimitPoints) {
  const std::string text = R"toml(
name = "truss"
[parameters]
F = 0.0
[system]
coordinates = ["x"]
kinetic = "x'^2/2"
potential = "1000*(sqrt(1 + x^2) - sqrt(1.25))^2 + F*x"
[initial]
x = 0.5
[equilibrium]
follow = { parameter = "F", from = 0, to = 60 }
)toml";
  const Outcome found = find_equilibrium(read_problem_text(text, "model.toml"));
  const double rest = std::sqrt(1.25), x = std::sqrt(std::cbrt(rest * rest) - 1.0);
  const double limit = 2000.0 * x * (rest / std::sqrt(1.0 + x * x) - 1.0);
  const auto& part = *found.summary.part<EquilibriumSummary>();
  ASSERT_EQ(part.turns.size(), 2u);
  EXPECT_NEAR(part.turns[0], limit, 2e-3 * limit);  // a cubic between two points of the path
  EXPECT_NEAR(part.turns[1], -limit, 2e-3 * limit);
  const Trajectory* path = found.table("path");
  ASSERT_NE(path, nullptr);
  for (std::size_t k = 0; k < path->rows(); ++k) {
    const double at = path->value(k, "x");
    EXPECT_NEAR(path->value(k, "F"), 2000.0 * at * (rest / std::sqrt(1.0 + at * at) - 1.0), 1e-7);  // of 60 N
  }
  EXPECT_LT(found.trajectory.value(0, "x"), -0.5);  // snapped through
}

}  // namespace
}  // namespace invar

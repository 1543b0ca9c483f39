// Trees of bodies by recursion, and trees with loops: accelerations and motion are those of the augmented equations in
// directors.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "invar/base/error.h"
#include "invar/expr/lists.h"
#include "invar/model/forces/test_trees.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/system/articulated.h"
#include "invar/tape/term_size.h"

namespace invar {
namespace {

constexpr unsigned trees = 200;

double largest_entry(const std::vector<double>& x) {
  double most = 1.0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

double largest_deviation(std::span<const double> x, std::span<const double> y) {
  double most = x.size() == y.size() ? 0.0 : HUGE_VAL;
  for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) most = std::max(most, std::abs(x[i] - y[i]));
  return most;
}

// Nothing where there are no loops, where they leave no freedom, or where constraints say the same.
std::optional<test::TreeState> regular_loops(test::RandomTree& tree) {
  try {
    test::TreeState s = test::moving_tree(tree);
    const bool loops = !s.reduced.system.constraints.empty();  // they may have carried a body that was free
    return loops && s.freedom > 0 && s.regular ? std::optional(std::move(s)) : std::nullopt;
  } catch (const InputError&) {
    return std::nullopt;
  }
}

// The recursion knows neither the constraints between bodies nor the equations that follow from the kinetic energy;
// both agree with it.
TEST(Trees, ArticulatedAccelerationsAreThoseOfTheAugmentedSystem) {
  constexpr double same = 1e-10;  // of the largest acceleration
  for (unsigned seed = 0; seed < trees; ++seed) {
    test::RandomTree tree(seed);
    const test::TreeState s = test::moving_tree(tree);
    const System& system = s.reduced.system;
    ASSERT_EQ(system.constraints.size(), s.minimal.mapping.conditions.size()) << seed;
    const Exprs formulas = tree_accelerations(system, equations(system));
    ASSERT_EQ(formulas.size(), system.coordinates.size()) << seed;
    StateFunction acceleration(system, formulas);
    State found = s.joints;
    found.a = acceleration(s.joints, s.u);
    const Equations e = equations(system);
    StateFunction residual(system, e.dynamics), size(system, term_sizes(e.dynamics));
    const std::vector<double> left = residual(found, s.u), terms = size(found, s.u);
    EXPECT_LT(largest_deviation(left, std::vector<double>(left.size())), same * largest_entry(terms)) << seed;
    StateFunction directors(system, s.image_acceleration);
    EXPECT_LT(largest_deviation(directors(found), s.directors.a), same * largest_entry(s.directors.a)) << seed;
    // Euler parameters stay on their conditions without forces.
    EXPECT_LT(largest_deviation(s.joints.lambda, std::vector<double>(s.joints.lambda.size())),
              same * largest_entry(terms))
        << seed;
  }
}

// One tape, three ways to run it: a point, lanes, machine code.
void expect_same_bits(const Exprs& arguments, const Exprs& formulas, test::RandomTree& tree, bool compiled) {
  constexpr std::size_t points = 5;
  const Function f(arguments, formulas);
  std::vector<double> in(arguments.size() * points), lanes(formulas.size() * points);
  for (double& x : in) x = tree.number();
  Scratch by_points, by_lanes;
  f.lanes(points, in, lanes, by_lanes);
  const Function code = compiled ? f.compiled({}) : f;
  EXPECT_EQ(code.is_compiled(), compiled);
  std::vector<double> point(arguments.size()), out(formulas.size());
  for (std::size_t p = 0; p < points; ++p) {
    for (std::size_t i = 0; i < point.size(); ++i) point[i] = in[i * points + p];
    code(point, out, by_points);
    for (std::size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], lanes[i * points + p]);
  }
}

TEST(Trees, EveryEvaluationGivesTheSameBits) {
  for (unsigned seed = 0; seed < trees; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomTree tree(seed);
    const System system = test::in_joint_coordinates(tree);
    const Exprs arguments = joined(joined(positions(system), velocities(system)), inputs(system));
    expect_same_bits(arguments, tree_accelerations(system, equations(system)), tree, seed % 20 == 0);
  }
}

// Joint coordinates have the constraints of the loops only, directors those of all joints and of rigid bodies; the
// trees leave at least a freedom, and none of them says anything twice.
TEST(Trees, LoopsHaveTheSameAccelerationsInAllFormulations) {
  constexpr double same = 1e-10;  // of the largest acceleration, or of the terms where reactions are larger
  constexpr double stiff = 1e3;   // accelerations so large, in m/s², come from a configuration that is nearly singular
  unsigned found = 0;
  for (unsigned seed = 0; found < trees; ++seed) {
    ASSERT_LT(seed, 8 * trees) << "enough of them are regular";
    SCOPED_TRACE(seed);
    test::RandomTree tree(seed, 1 + static_cast<int>(seed % 2));
    const std::optional<test::TreeState> s = regular_loops(tree);
    if (!s || largest_entry(s->directors.a) > stiff) continue;
    ++found;
    const System& system = s->reduced.system;
    StateFunction directors(system, s->image_acceleration);
    EXPECT_LT(largest_deviation(directors(s->joints), s->directors.a), same * largest_entry(s->directors.a));
    const Equations e = equations(system);
    Exprs arguments = e.q;
    for (const Exprs& part : {e.v, e.a, e.lambda, e.u}) append(arguments, part);
    expect_same_bits(arguments, joined(e.dynamics, e.constraint_acceleration), tree, found % 20 == 1);
  }
}

// Steps on the rotation group as they are stated: along open trees they would go by the recursion of joint coordinates.
std::vector<double> moved(const System& system, const State& start, const std::vector<double>& u, const char* scheme,
                          double until, int steps, bool compiled = false) {
  StepperOptions options;
  options.as_stated = find_scheme(scheme)->info.on_rotations;
  Stepper stepper(system, *find_scheme(scheme), options);
  if (compiled) stepper.compile({});
  stepper.start(start, until / steps);
  for (int k = 0; k < steps; ++k) {
    const NewtonResult r =
        stepper.advance(until / steps, [&](double, std::span<double> held) { std::ranges::copy(u, held.begin()); });
    EXPECT_EQ(r.status, NewtonStatus::converged) << scheme;
  }
  return {stepper.q().begin(), stepper.q().end()};
}

// Explicit steps along the tree, implicit ones in directors and steps on the rotation group, each with an order of its
// own.
TEST(Trees, MoveAlikeInAllFormulations) {
  constexpr double same = 1e-7;  // what the schemes leave at these steps
  constexpr double until = 0.04;
  for (unsigned seed = 0; seed < trees; ++seed) {
    test::RandomTree tree(seed);
    const test::TreeState s = test::moving_tree(tree);
    const std::vector<double> joints = moved(s.reduced.system, s.joints, s.u, "rk4", until, 32);
    StateFunction image(s.reduced.system, s.minimal.mapping.image);
    const std::vector<double> found = image({0.0, joints, {}, {}, {}});
    for (const auto& [scheme, steps] : {std::pair("radau5", 4), std::pair("lie-rk4", 8)}) {
      const std::vector<double> expected = moved(s.assembly.system, s.directors, s.u, scheme, until, steps);
      EXPECT_LT(largest_deviation(found, expected), same * largest_entry(expected)) << seed << ' ' << scheme;
    }
  }
}

// All of them far enough for whatever turns freely to pass orientations at which angles are singular.
TEST(Trees, NoOrientationStopsThem) {
  constexpr double same = 1e-5;  // what the schemes leave at these steps
  constexpr double until = 0.4;
  for (unsigned seed = 0; seed < trees; ++seed) {
    SCOPED_TRACE(seed);
    test::RandomTree tree(seed);
    for (Body& body : tree.mechanism.bodies) body.own_angles = false;
    const test::TreeState s = test::moving_tree(tree);
    const std::vector<double> joints = moved(s.reduced.system, s.joints, s.u, "rk4", until, 100);
    StateFunction image(s.reduced.system, s.minimal.mapping.image);
    const std::vector<double> expected = seed % 2 == 0
                                             ? moved(s.assembly.system, s.directors, s.u, "radau5", until, 40)
                                             : moved(s.assembly.system, s.directors, s.u, "lie-rk4", until, 80);
    const std::vector<double> found = image({0.0, joints, {}, {}, {}});
    EXPECT_LT(largest_deviation(found, expected), same * largest_entry(expected));
  }
}

TEST(Trees, LoopsMoveAlikeInAllFormulations) {
  constexpr double same = 1e-7;  // what the schemes leave at these steps
  constexpr double until = 0.02;
  constexpr double swift = 100.0;  // accelerations in m/s², beyond which such steps are too long
  unsigned found = 0;
  for (unsigned seed = 0; found < trees / 2; ++seed) {
    ASSERT_LT(seed, 8 * trees) << "enough of them are regular";
    SCOPED_TRACE(seed);
    test::RandomTree tree(seed, 1 + static_cast<int>(seed % 2));
    const std::optional<test::TreeState> s = regular_loops(tree);
    if (!s || largest_entry(s->directors.a) > swift) continue;
    const std::vector<double> joints = moved(s->reduced.system, s->joints, s->u, "radau5", until, 4);
    StateFunction image(s->reduced.system, s->minimal.mapping.image);
    const std::vector<double> places = image({0.0, joints, {}, {}, {}});
    for (const auto& [scheme, steps] : {std::pair("radau5", 4), std::pair("lie-rk4", 8)}) {
      const std::vector<double> expected = moved(s->assembly.system, s->directors, s->u, scheme, until, steps);
      EXPECT_LT(largest_deviation(places, expected), same * largest_entry(expected)) << scheme;
    }
    if (found == 0) {
      EXPECT_EQ(moved(s->reduced.system, s->joints, s->u, "radau5", until, 4, true), joints) << "compiled";
    }
    ++found;
  }
}

// Three angles, where something turns freely, instead of Euler parameters.
TEST(Trees, AnglesMoveAlike) {
  constexpr double same = 1e-8;  // what the scheme leaves at these steps
  constexpr double until = 0.04;
  int found = 0;
  for (unsigned seed = 0; seed < trees && found < 12; ++seed) {
    test::RandomTree tree(seed);
    if (test::in_joint_coordinates(tree).constraints.empty()) continue;
    ++found;
    tree.mechanism.free_turns = FreeTurns::angles;
    const test::TreeState s = test::moving_tree(tree);
    EXPECT_TRUE(s.reduced.system.constraints.empty()) << seed;
    const std::vector<double> joints = moved(s.reduced.system, s.joints, s.u, "radau5", until, 4),
                              expected = moved(s.assembly.system, s.directors, s.u, "radau5", until, 4);
    StateFunction image(s.reduced.system, s.minimal.mapping.image);
    EXPECT_LT(largest_deviation(image({0.0, joints, {}, {}, {}}), expected), same * largest_entry(expected)) << seed;
  }
  EXPECT_EQ(found, 12);
}

// A step without unknowns, and its dense output and estimate of the error.
TEST(Trees, ExplicitStepsSolveNothing) {
  test::RandomTree tree(3);
  const test::TreeState s = test::moving_tree(tree);
  for (const char* scheme : {"rk4", "dormand-prince"}) {
    const Stepper stepper(s.reduced.system, *find_scheme(scheme));
    EXPECT_TRUE(stepper.is_explicit()) << scheme;
    EXPECT_EQ(stepper.unknown_count(), 0U) << scheme;
  }
  EXPECT_FALSE(Stepper(s.reduced.system, *find_scheme("radau5")).is_explicit());
  EXPECT_FALSE(Stepper(s.assembly.system, *find_scheme("rk4")).is_explicit());
}

// Whoever changes the energies of a system has another one, which the tree does not describe.
TEST(Trees, ChangedSystemsLoseTheTree) {
  test::RandomTree tree(3);
  System system = test::moving_tree(tree).reduced.system;
  ASSERT_FALSE(tree_accelerations(system, equations(system)).empty());
  System heavier = system, sprung = system;
  heavier.kinetic += pow(at(system.coordinates[0], 1), 2.0);
  sprung.potential += pow(at(system.coordinates[0]), 2.0);
  for (const System& changed : {heavier, sprung}) {
    EXPECT_TRUE(tree_accelerations(changed, equations(changed)).empty());
    EXPECT_FALSE(Stepper(changed, *find_scheme("rk4")).is_explicit());
  }
}

}  // namespace
}  // namespace invar

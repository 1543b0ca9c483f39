// Laws of the diagnosis: count and rank of mechanisms that textbooks know, who is connected, what inertia tensors mean.
#include "invar/task/check/diagnosis.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "invar/model/mechanism/test_chains.h"
#include "invar/model/tables/mechanism_test_support.h"
#include "invar/task/check/verdict.h"
#include "invar/task/simulate/simulate.h"

namespace invar {
namespace {

const std::vector<std::string> formulations = {"director", "minimal", "lie"};

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::string body(const std::string& name, const Vector3& at, const std::string& inertia = "[0.1, 0.2, 0.15]") {
  return "[[body]]\nname = \"" + name + "\"\nmass = 1\ninertia = " + inertia + "\nposition = [" +
         std::to_string(at[0]) + ", " + std::to_string(at[1]) + ", " + std::to_string(at[2]) + "]\n";
}

std::string joint(const std::string& name, const std::string& type, const std::string& a, const std::string& b,
                  const Vector3& at, const Vector3& axis) {
  auto text = [](const Vector3& x) {
    return "[" + std::to_string(x[0]) + ", " + std::to_string(x[1]) + ", " + std::to_string(x[2]) + "]\n";
  };
  return "[[joint]]\nname = \"" + name + "\"\ntype = \"" + type + "\"\nbetween = [\"" + a + "\", \"" + b +
         "\"]\nat = " + text(at) + (type == "spherical" ? "" : "axis = " + text(axis));
}

// Six hinges along the edges of a cube; it moves although counting forbids it.
std::string bricard() {
  const Vector3 corner[] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const Vector3 axis[] = {Vector3::UnitY(), Vector3::UnitZ(), Vector3::UnitX(),
                          Vector3::UnitY(), Vector3::UnitZ(), Vector3::UnitX()};
  std::string text;
  const std::string names[] = {"ground", "rod1", "rod2", "rod3", "rod4", "rod5", "ground"};
  for (std::size_t k = 0; k < 5; ++k) text += body(names[k + 1], 0.5 * (corner[k] + corner[k + 1]));
  for (std::size_t k = 0; k < 6; ++k)
    text += joint("P" + std::to_string(k), "revolute", names[k], names[k + 1], corner[k], axis[k]);
  return text;
}

// Crank, coupler and rocker with parallel hinges, in space.
std::string four_bar(double coupler = 1.6) {
  return body("crank", {0, 0.2, 0}) + body("coupler", {0.5 * coupler, 0.7, 0}) + body("rocker", {coupler, 0.5, 0}) +
         joint("A", "revolute", "ground", "crank", {0, 0, 0}, Vector3::UnitZ()) +
         joint("B", "revolute", "crank", "coupler", {0, 0.4, 0}, Vector3::UnitZ()) +
         joint("C", "revolute", "coupler", "rocker", {coupler, 1, 0}, Vector3::UnitZ()) +
         joint("D", "revolute", "rocker", "ground", {1.5, 0, 0}, Vector3::UnitZ());
}

Summary::Mechanism diagnosis(const Problem& problem) { return *check(problem).summary.structure.mechanism; }

TEST(Diagnosis, OpenChainsCountRight) {
  // How many ways to move each joint leaves.
  const std::map<const JointKind*, int> leaves = {{&fixed_joint, 0},       {&revolute_joint, 1},  {&prismatic_joint, 1},
                                                  {&cylindrical_joint, 2}, {&spherical_joint, 3}, {&universal_joint, 2},
                                                  {&planar_joint, 3},      {&slot_joint, 2}};
  for (const auto& [kind, freedom] : leaves)
    for (const bool grounded : {true, false}) {
      const test::Chain chain = test::random_chain(*kind, false, grounded, 5);
      Problem p;
      p.mechanism = std::make_shared<const Mechanism>(chain.mechanism);
      p.system = chain.assembly.system;
      p.q0 = chain.start.q;
      p.v0 = chain.start.v;
      p.formulation = Formulation::director;
      const Summary::Mechanism found = diagnosis(p);
      EXPECT_EQ(found.freedom, freedom + (grounded ? 1 : 6)) << kind->name;
      EXPECT_EQ(found.counted_freedom, found.freedom) << kind->name;
      EXPECT_TRUE(found.redundant.empty());
      EXPECT_EQ(found.floating.size(), grounded ? 0u : 1u);
    }
}

TEST(Diagnosis, BricardMovesAgainstTheCount) {
  for (const std::string& formulation : formulations) {
    const Problem p = test::read(bricard(), formulation);
    const Verdict v = check(p);
    const Summary::Mechanism& found = *v.summary.structure.mechanism;
    EXPECT_EQ(found.counted_freedom, 0);
    EXPECT_EQ(found.freedom, 1);
    ASSERT_EQ(found.redundant.size(), 1u);
    EXPECT_EQ(found.redundant[0].redundant, 1u);
    EXPECT_EQ(found.redundant[0].constraints, 5u);
    // Joint coordinates close the loop in its middle, constraints in the last joint of the file.
    EXPECT_EQ(found.redundant[0].name, formulation == "minimal" ? "P3" : "P5");
    EXPECT_TRUE(contains(in_words(p, v), "6·5 − 30 = 0, but 1 by the rank of the constraints: over-constrained"));
  }
}

TEST(Diagnosis, ParallelHingesInSpaceSayThreeThingsTwice) {
  for (const std::string& formulation : formulations) {
    const Summary::Mechanism found = diagnosis(test::read(four_bar(), formulation));
    EXPECT_EQ(found.counted_freedom, -2) << formulation;
    EXPECT_EQ(found.freedom, 1) << formulation;
    std::size_t redundant = 0;
    for (const Summary::Mechanism::Surplus& s : found.redundant) redundant += s.redundant;
    EXPECT_EQ(redundant, 3u) << formulation;
  }
}

TEST(Diagnosis, NamedCoordinatesAndMotionsAreCounted) {
  const std::string named = "coordinate = \"angle\"\n", driven = "motion = \"t\"\n";
  const std::string rod = body("a", {0.5, 0, 0}) + joint("hinge", "revolute", "ground", "a", {0, 0, 0}, {0, 0, 1});
  for (const std::string& formulation : formulations) {
    EXPECT_EQ(diagnosis(test::read(rod + named, formulation)).counted_freedom, 1);
    const Summary::Mechanism moved = diagnosis(test::read(rod + named + driven, formulation));
    EXPECT_EQ(moved.counted_freedom, 0);
    EXPECT_EQ(moved.freedom, 0);
  }
}

TEST(Diagnosis, WhoIsConnected) {
  const std::string text = body("alone", {5, 0, 0}) + body("a", {0, 0, 0}) + body("b", {1, 0, 0}) +
                           body("held", {0, 3, 0}) + joint("ab", "revolute", "a", "b", {0.5, 0, 0}, {0, 0, 1}) +
                           joint("base", "spherical", "ground", "held", {0, 4, 0}, {0, 0, 1});
  const Problem p = test::read(text);
  const Summary::Mechanism found = diagnosis(p);
  ASSERT_EQ(found.floating.size(), 2u);
  EXPECT_EQ(found.floating[0], std::vector<std::string>({"alone"}));
  EXPECT_EQ(found.floating[1], std::vector<std::string>({"a", "b"}));
  ASSERT_EQ(found.joints.size(), 2u);
  EXPECT_EQ(found.joints[0].kind, "revolute");
  EXPECT_EQ(found.joints[1].names, std::vector<std::string>({"base"}));
  EXPECT_TRUE(contains(in_words(p, check(p)), "alone is connected with nothing"));
}

TEST(Diagnosis, PrincipalMomentsDoNotDependOnTheAxes) {
  const Matrix3 r = Eigen::AngleAxisd(0.9, Vector3(1, 2, 3).normalized()).toRotationMatrix();
  const Matrix3 j = r * Vector3(0.3, 0.4, 0.5).asDiagonal() * r.transpose();
  std::string numbers;
  for (int i = 0; i < 9; ++i) numbers += fmt::format("{}{:.17g}", i ? ", " : "", j(i / 3, i % 3));
  const Summary::Mechanism found = diagnosis(test::read(body("a", {0, 0, 0}, "[" + numbers + "]")));
  ASSERT_EQ(found.bodies[0].principal_moments.size(), 3u);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(found.bodies[0].principal_moments[i], 0.3 + 0.1 * static_cast<double>(i), test::rounding);
}

TEST(Diagnosis, RodsAndPlatesAreKnown) {
  const auto remark = [](const std::string& inertia) {
    return diagnosis(test::read(body("a", {0, 0, 0}, inertia))).bodies[0].remark;
  };
  EXPECT_TRUE(contains(remark("[0, 0.2, 0.2]"), "no inertia about its own axis"));
  EXPECT_TRUE(contains(remark("[0.1, 0.1, 0.2]"), "flat"));
  EXPECT_EQ(remark("[0.1, 0.15, 0.2]"), "");
}

TEST(Diagnosis, OnlyARodThatCanSpinFreelyIsDoubtful) {
  const auto warnings = [](const std::string& type, const std::string& formulation) {
    const std::string text =
        body("rod", {0.5, 0, 0}, "[0, 0.1, 0.1]") + joint("tip", type, "ground", "rod", {0, 0, 0}, {0, 0, 1});
    return check(test::read(text, formulation)).summary.warnings;
  };
  for (const std::string& formulation : formulations) {
    EXPECT_TRUE(warnings("revolute", formulation).empty());
    const std::vector<std::string> spins = warnings("spherical", formulation);
    ASSERT_EQ(spins.size(), 1u);
    EXPECT_TRUE(contains(spins[0], "body \"rod\" has no inertia about its own axis"));
  }
}

TEST(Diagnosis, InertiaInWrongUnitsIsDoubtful) {
  const auto warnings = [](const std::string& inertia) {  // in kg mm² it would be a million times as large
    return check(test::read(body("a", {0.5, 0, 0}, inertia) +
                            joint("tip", "spherical", "ground", "a", {0, 0, 0}, {0, 0, 1})))
        .summary.warnings;
  };
  EXPECT_TRUE(warnings("[0.1, 0.12, 0.15]").empty());
  const std::vector<std::string> doubt = warnings("[1e5, 1.2e5, 1.5e5]");
  ASSERT_EQ(doubt.size(), 1u);
  EXPECT_TRUE(contains(doubt[0], "radius of gyration"));
}

TEST(Diagnosis, ConservedQuantitiesAreATable) {
  const Problem p = test::read("[world]\ngravity = [0, 0, -9.81]\n" + body("top", {0, 1, 0}) +
                               joint("tip", "spherical", "ground", "top", {0, 0, 0}, {0, 0, 1}));
  const std::string text = in_words(p, check(p));
  EXPECT_TRUE(contains(text, "energy.total, angular_momentum.z    conserved\n")) << text;
  EXPECT_TRUE(contains(text, "momentum.x, .y                      changed by joint tip\n")) << text;
  EXPECT_TRUE(contains(text, "momentum.z, angular_momentum.x, .y  changed by gravity or a spring\n")) << text;
}

TEST(Diagnosis, StandsInTheJson) {
  const std::string json = to_json(check(test::read(bricard())).summary);
  for (const char* part :
       {R"("counted_degrees_of_freedom": 0)", R"("kind": "revolute")", R"("name": "P5")", R"("name": "energy.total")",
        R"("principal_moments")", R"("why_not": "constraint)", R"("singular_configurations": [])"})
    EXPECT_TRUE(contains(json, part)) << part << "\n" << json;
}

TEST(Diagnosis, FormulasHaveNoParts) {
  Problem p;
  p.system.add_coordinate("x");
  p.system.kinetic = 0.5 * velocities(p.system)[0] * velocities(p.system)[0];
  p.system.potential = 0.0;
  p.q0 = p.v0 = {0.0};
  const Verdict v = check(p);
  EXPECT_FALSE(v.summary.structure.mechanism);
  EXPECT_TRUE(contains(in_words(p, v), "energy.total is conserved"));
  EXPECT_EQ(PartNames(p).in_words({"left crank"}), "constraint \"left crank\"");
}

}  // namespace
}  // namespace invar

// Finds the least costly motions that examples ask for, as their expected.toml says, and holds the costs against
// independent ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "examples/compare.h"
#include "invar/scheme/scheme.h"
#include "invar/task/optimize/optimize.h"

namespace invar::examples {
namespace {

constexpr double same_motion = 1e-8;  // of a simulation with the inputs, relative: both solve the same equations
constexpr double balanced = 1e-9;     // energy against work, relative: exact in schemes that keep energy
constexpr double visible = 1e-6;      // the same, in schemes that do not
constexpr double kept = 1e-10;        // the control Hamiltonian, relative, in the indirect method
constexpr double nodes_on_constraints = 1e-10;  // residual, absolute: metres and unit vectors
constexpr double within = 1e-9;                 // beyond a bound: the solver stops at the bound itself
constexpr double at_a_bound = 1e-4;             // from it, relative
constexpr double order_error = 0.1;             // the next term of the cost, with h⁴, is still felt

std::vector<std::string> optimized_examples() {
  std::vector<std::string> names;
  for (const std::string& name : example_names())
    if (!read_expected(folder / name / "expected.toml").optima.empty()) names.push_back(name);
  return names;
}

Optimum found_for(const fs::path& example, const ExpectedOptimum& expected, int factor = 1) {
  Problem problem = read_problem(example / expected.setup.model, expected.setup.set, expected.setup.formulation);
  OptimizeSettings& s = problem.settings.of<OptimizeSettings>();
  s.scheme = expected.setup.method.value_or(s.scheme);
  if (expected.guess) s.guess = kind_in(guess_kinds, *expected.guess).value();
  s.intervals = factor * static_cast<int>(expected.intervals.value_or(s.intervals));
  return optimize(problem);
}

// Bounds on coordinates hold at the nodes after the first, those on inputs in every interval.
void check_bounds(const std::vector<Limit>& bounds, const Optimum& found) {
  for (const Limit& limit : bounds) {
    const Trajectory& where = found.inputs.find(limit.name) ? found.inputs : found.trajectory;
    if (!where.find(limit.name)) continue;
    const std::vector<double> values = where.column(limit.name);
    for (std::size_t k = &where == &found.inputs ? 0 : 1; k < values.size(); ++k) {
      EXPECT_GE(values[k], limit.lower - within) << limit.name;
      EXPECT_LE(values[k], limit.upper + within) << limit.name;
    }
  }
}

// What every optimum must satisfy.
void check_laws(const fs::path& example, const ExpectedOptimum& expected, const Optimum& found) {
  const OptimizationSummary& o = *found.summary.part<OptimizationSummary>();
  // The indirect method keeps one value of the control Hamiltonian on every mesh.
  if (o.method == "indirect") {
    EXPECT_LE(o.hamiltonian_drift, kept * std::abs(o.hamiltonian));
  }
  check_warnings(expected.warnings, found.summary.warnings);
  EXPECT_TRUE(o.replay);
  EXPECT_LE(o.replay.value_or(1.0), same_motion);
  EXPECT_EQ(found.trajectory.rows(), o.intervals + 1);
  EXPECT_EQ(found.inputs.rows(), o.intervals);
  EXPECT_LE(largest(found.trajectory.column("drift.position")), nodes_on_constraints);
  check_bounds(read_problem(example / expected.setup.model, expected.setup.set, expected.setup.formulation)
                   .settings.of<OptimizeSettings>()
                   .bounds,
               found);
  if (expected.unbalanced) {
    EXPECT_GT(o.energy_balance_relative, visible);
  } else if (find_scheme(found.summary.method)->info.energy) {
    EXPECT_LE(o.energy_balance_relative, balanced);
  }
}

void check_figure(const std::optional<ExpectedFigure>& expected, double value, const char* what) {
  if (expected) {
    EXPECT_NEAR(value, expected->value, expected->tolerance.bound(std::abs(expected->value)))
        << what << "; tolerance: " << expected->tolerance.reason;
  }
}

// The least cost in time is reached by inputs that are as large as they may be.
void check_extremes(const std::string& input, double exceptions, const Trajectory& inputs) {
  const std::vector<double> values = inputs.column(input);
  const double most = largest(values);
  const auto between =
      std::count_if(values.begin(), values.end(), [&](double u) { return std::abs(u) < most * (1.0 - at_a_bound); });
  EXPECT_LE(static_cast<double>(between), exceptions) << input;
}

// Its cost; not a number if there is none.
double check_found(const fs::path& example, const ExpectedOptimum& expected, const Optimum& found) {
  EXPECT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  if (found.summary.status != RunStatus::done) return NAN;
  check_laws(example, expected, found);
  return found.summary.part<OptimizationSummary>()->cost;
}

void check_optimum(const fs::path& example, const ExpectedOptimum& expected) {
  const Optimum found = found_for(example, expected);
  const double cost = check_found(example, expected, found);
  if (std::isnan(cost)) return;
  const OptimizationSummary& o = *found.summary.part<OptimizationSummary>();
  check_figure(expected.cost, cost, "cost");
  check_figure(expected.hamiltonian, o.hamiltonian, "hamiltonian");
  check_figure(expected.horizon, o.horizon, "horizon");
  for (const auto& [input, exceptions] : expected.at_bounds) check_extremes(input, exceptions, found.inputs);
  for (const ExpectedConstant& c : expected.constants) check_constant(c, found.trajectory);
  if (!expected.limit) return;
  ExpectedOptimum twice_as_fine = expected;
  twice_as_fine.warnings.clear();  // what this mesh is warned of must not last
  const double finer = check_found(example, twice_as_fine, found_for(example, expected, 2));
  EXPECT_NEAR(std::log2((cost - *expected.limit) / (finer - *expected.limit)), 2.0, order_error);
}

class OptimizedExample : public testing::TestWithParam<std::string> {};

TEST_P(OptimizedExample, MeetsItsFigures) {
  const fs::path example = folder / GetParam();
  int count = 0;
  for (const ExpectedOptimum& expected : read_expected(example / "expected.toml").optima) {
    SCOPED_TRACE(GetParam() + ", optimum " + std::to_string(++count) + " of expected.toml");
    check_optimum(example, expected);
  }
}

// The discrete null space removes the multipliers from the same equations, so both schemes have one motion, and the
// costates of the one are those of the other: λ = P(q_m) λ_reduced, where the freedoms of the arm are its joint angles.
TEST(OptimizedExamples, ReducedSchemeIsTheFullOneWithoutMultipliers) {
  const fs::path example = folder / "arm_torques";
  ExpectedOptimum arm;
  arm.setup.method = "energy-momentum";
  const Optimum full = found_for(example, arm);
  arm.setup.method = "reduced-energy-momentum";
  const Optimum reduced = found_for(example, arm);
  const double cost = check_found(example, arm, full);
  EXPECT_NEAR(check_found(example, arm, reduced), cost, balanced * cost);
  const double size = largest(full.inputs.column("u1"));
  for (std::size_t k = 0; k < full.inputs.rows(); ++k) {
    double turning = 0.0;  // costate of the angle of the link
    for (const char* joint : {"1", "2", "3"}) {
      const std::string link = std::string("link") + joint;
      const double u = full.inputs.value(k, std::string("u") + joint);
      EXPECT_NEAR(reduced.costates.value(k, std::string("costate.motion of freedom ") + joint), u, balanced * size);
      turning += u;
      const auto mean = [&](const std::string& column) {
        return 0.5 * (full.trajectory.value(k, column) + full.trajectory.value(k + 1, column));
      };
      for (const std::string axis : {".d1", ".d2"}) {
        const std::string name = "costate.dynamics." + link + axis;
        EXPECT_NEAR(full.costates.value(k, name + ".x"), -turning * mean(link + axis + ".y"), balanced * size);
        EXPECT_NEAR(full.costates.value(k, name + ".y"), turning * mean(link + axis + ".x"), balanced * size);
      }
    }
  }
}

// 20 intervals first lead to an optimum of nearly twice the cost, and refining it jumps to the cheaper one.
TEST(OptimizedExamples, MeshesOfARefinementFollowOneOptimum) {
  Problem problem = read_problem(folder / "arm_torques/model.toml");
  problem.settings.of<OptimizeSettings>().scheme = "reduced-energy-momentum";
  problem.settings.of<OptimizeSettings>().refine = 2;
  const Optimum found = optimize(problem);
  ASSERT_EQ(found.summary.status, RunStatus::done) << found.summary.message;
  const auto& meshes = found.summary.part<OptimizationSummary>()->meshes;
  ASSERT_FALSE(meshes.empty());
  constexpr double error_of_mesh = 0.1;
  for (const auto& mesh : meshes)
    EXPECT_NEAR(mesh.cost / found.summary.part<OptimizationSummary>()->cost, 1.0, error_of_mesh);
  EXPECT_FALSE(found.summary.warnings.empty()) << "the other optimum is told";
}

INSTANTIATE_TEST_SUITE_P(All, OptimizedExample, testing::ValuesIn(optimized_examples()),
                         [](const auto& example) { return example.param; });

}  // namespace
}  // namespace invar::examples

// No scheme allocates inside a time step once the first steps are done: every allocation of this program is counted.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "invar/expr/derivative.h"
#include "invar/math/count_allocations.h"
#include "invar/math/linear_solver.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/system/start/start.h"

namespace invar {
namespace {

using test::allocations;

constexpr double step = 1e-3;
constexpr int steps = 50;
// Sparse factors choose their pivots anew, and allocate, where those of the start do not serve: it is a straight line.
constexpr int first_steps = 3;

struct Problem {
  System system;
  State given;
};

// Double pendulum of unit masses and lengths in its two angles, with a torque at the support.
Problem double_pendulum() {
  System s;
  s.add_coordinate("alpha");
  s.add_coordinate("beta");
  const Exprs q = positions(s), v = velocities(s);
  const Expr g = s.add_parameter("g", 9.81);
  s.kinetic = v[0] * v[0] + 0.5 * v[1] * v[1] + v[0] * v[1] * cos(q[0] - q[1]);
  s.potential = -g * (2.0 * cos(q[0]) + cos(q[1]));
  s.add_input("torque", {1.0, 0.0});
  State given;
  given.q = {1.0, 2.0};
  given.v = {0.5, -0.3};
  return {s, given};
}

// Forty unit masses in a plane, each tied to the one before by a rod of unit length; they start as a straight line that
// turns about its support.
Problem chain_of_rods() {
  constexpr int masses = 40;
  System s;
  State given;
  Expr x_before = 0.0, y_before = 0.0;
  for (int i = 1; i <= masses; ++i) {
    const std::string number = std::to_string(i);
    s.add_coordinate("x" + number);
    s.add_coordinate("y" + number);
    const Exprs q = positions(s), v = velocities(s);
    const Expr x = q[q.size() - 2], y = q.back();
    s.kinetic += 0.5 * (pow(v[v.size() - 2], 2) + pow(v.back(), 2));
    s.potential += 9.81 * y;
    s.add_constraint("rod" + number, 0.5 * (pow(x - x_before, 2) + pow(y - y_before, 2) - 1.0));
    x_before = x;
    y_before = y;
    given.q.insert(given.q.end(), {0.6 * i, -0.8 * i});
    given.v.insert(given.v.end(), {0.8 * i, 0.6 * i});
  }
  return {s, given};
}

class EachScheme : public testing::TestWithParam<Scheme> {
 protected:
  void expect_no_allocation(const Problem& problem, bool sparse, bool keep_factors = false) {
    const SchemeInfo& info = GetParam().info;
    if (info.open_chains || (info.constant_mass && depends(problem.system.kinetic, positions(problem.system))))
      GTEST_SKIP() << "not for this system";
    Stepper stepper(problem.system, GetParam(), {.scheme = {}, .newton = {.keep_factors = keep_factors}});
    EXPECT_EQ(LinearSolver(stepper.pattern()).is_sparse(), sparse);
    const Stepper::Inputs inputs = [](double t, std::span<double> u) {
      for (double& value : u) value = std::sin(t);
    };
    stepper.start(consistent_start(problem.system, problem.given).state, step);
    bool converged = true;
    for (int k = 0; k < first_steps; ++k)
      converged = stepper.advance(step, inputs).status == NewtonStatus::converged && converged;
    const long before = allocations;
    for (int k = 0; k < steps; ++k)
      converged = stepper.advance(step, inputs).status == NewtonStatus::converged && converged;
    const long after = allocations;
    EXPECT_TRUE(converged);
    EXPECT_EQ(after - before, 0);
  }
};

std::string test_name(const testing::TestParamInfo<Scheme>& info) {
  std::string name(info.param.info.name);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Allocation, EachScheme, testing::ValuesIn(schemes().begin(), schemes().end()), test_name);

TEST(Allocation, is_counted) {
  const long before = allocations;
  void* volatile by_malloc = std::malloc(100);
  void* volatile by_new = ::operator new(100);
  EXPECT_EQ(allocations - before, 2);
  ::operator delete(by_new);
  std::free(by_malloc);
}

TEST_P(EachScheme, allocates_nothing_with_inputs_as_unknowns) {
  if (GetParam().info.inverse_index == 0) GTEST_SKIP() << "not for this scheme";
  const Problem problem = double_pendulum();
  const Expr wish = positions(problem.system)[0] - 1.0 - 0.5 * problem.system.graph.time();
  Stepper stepper(problem.system, GetParam(), {}, {}, {{{"alpha", wish, {}}}, Level::position});
  stepper.start(consistent_start(problem.system, problem.given).state, step, std::vector<double>{0.0});
  bool converged = stepper.advance(step, {}).status == NewtonStatus::converged;
  const long before = allocations;
  for (int k = 0; k < steps; ++k) converged = stepper.advance(step, {}).status == NewtonStatus::converged && converged;
  const long after = allocations;
  EXPECT_TRUE(converged);
  EXPECT_EQ(after - before, 0);
}

TEST_P(EachScheme, allocates_nothing_with_dense_factors) { expect_no_allocation(double_pendulum(), false); }
TEST_P(EachScheme, allocates_nothing_with_sparse_factors) { expect_no_allocation(chain_of_rods(), true); }

TEST_P(EachScheme, allocates_nothing_with_factors_that_are_kept) { expect_no_allocation(chain_of_rods(), true, true); }

}  // namespace
}  // namespace invar

// Laws over the table of schemes: order, invariants, constraints, time symmetry; a scheme that is listed is under them.
#include "invar/scheme/scheme.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "invar/scheme/steps/stepper.h"
#include "invar/scheme/test_systems.h"
#include "invar/system/conserved.h"
#include "invar/system/equations.h"
#include "invar/system/start/start.h"

namespace invar {
namespace {

using test::TestSystem;

// Each test runs for one scheme and one system, by their places in the tables.
struct Case {
  std::size_t scheme, system;

  const SchemeInfo& info() const { return schemes()[scheme].info; }
  std::string name() const {
    std::string words(info().name);
    std::replace(words.begin(), words.end(), '-', '_');
    return words + "_" + test::all_systems()[system].name;
  }
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name(); }

// Chains of bodies have their own laws, see model/formulations_test.cpp.
bool applies(const SchemeInfo& info, const System& system) {
  if (info.open_chains) return false;
  return !info.constant_mass || (!depends(system.kinetic, positions(system)) &&
                                 std::all_of(system.constraints.begin(), system.constraints.end(),
                                             [](const Constraint& c) { return c.level == Level::position; }));
}

// The cases for which a law says something.
std::vector<Case> cases(const std::function<bool(const SchemeInfo&, const TestSystem&)>& concerned) {
  std::vector<Case> all;
  const std::vector<TestSystem> systems = test::all_systems();
  for (std::size_t i = 0; i < schemes().size(); ++i)
    for (std::size_t k = 0; k < systems.size(); ++k)
      if (applies(schemes()[i].info, systems[k].system) && concerned(schemes()[i].info, systems[k]))
        all.push_back({i, k});
  return all;
}

bool claims(const SchemeInfo& info, const Conserved& c) {
  return c.expected && (c.column == "energy.total" ? info.energy : info.momentum);
}

bool keeps_something(const SchemeInfo& info, const TestSystem& t) {
  const std::vector<Conserved> all = conserved_quantities(t.system);
  return std::any_of(all.begin(), all.end(), [&](const Conserved& c) { return claims(info, c); });
}

// What a source prints wrongly about rotations does not show without them: there the order is higher than claimed.
bool is_printed(const SchemeInfo& info) { return info.name.ends_with("-printed"); }
bool shows_its_order(const SchemeInfo& info, const TestSystem&) { return !is_printed(info); }
bool is_not_the_reference(const SchemeInfo& info, const TestSystem&) { return info.order <= 2 && !is_printed(info); }
bool is_symmetric(const SchemeInfo& info, const TestSystem&) { return info.symmetric; }
bool is_constrained(const SchemeInfo&, const TestSystem& t) { return !t.system.constraints.empty(); }

void no_inputs(double, std::span<double>) {}

class SchemeLaws : public ::testing::TestWithParam<Case> {
 protected:
  const SchemeInfo& info() const { return GetParam().info(); }

  // Runs `steps` steps of size h and hands every node to `visit`.
  void run(double h, int steps, const std::function<void(const State&)>& visit) {
    Stepper stepper(t.system, schemes()[GetParam().scheme]);
    const State start = consistent_start(t.system, {.t = 0.0, .q = t.q0, .v = t.v0, .a = {}, .lambda = {}}).state;
    stepper.start(start, h);
    visit(start);
    for (int k = 0; k < steps; ++k) {
      const NewtonResult r = stepper.advance(h, no_inputs);
      ASSERT_EQ(r.status, NewtonStatus::converged)
          << "step " << k << ", " << stepper.equation(std::max(0, r.worst_equation)) << ", error " << r.error;
      visit({stepper.t(),
             {stepper.q().begin(), stepper.q().end()},
             {stepper.v().begin(), stepper.v().end()},
             {},
             {stepper.lambda().begin(), stepper.lambda().end()}});
    }
  }

  // q and v at the end of the duration, which is divided into steps of about h.
  std::vector<double> end(double h) {
    std::vector<double> result;
    const int steps = static_cast<int>(std::lround(t.duration / h));
    run(t.duration / steps, steps, [&](const State& s) {
      result = s.q;
      result.insert(result.end(), s.v.begin(), s.v.end());
    });
    return result;
  }

  TestSystem t = test::all_systems()[GetParam().system];
};

class SchemeOrder : public SchemeLaws {};
class SchemeLimit : public SchemeLaws {};
class SchemeInvariants : public SchemeLaws {};
class SchemeConstraints : public SchemeLaws {};
class SchemeSymmetry : public SchemeLaws {};

std::string case_name(const ::testing::TestParamInfo<Case>& info) { return info.param.name(); }

double distance(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return std::sqrt(sum);
}

TEST_P(SchemeOrder, ObservedOrderIsTheClaimedOne) {
  // Successive differences of the end state under halving fall by 2^order; steps small enough for the leading error
  // term to dominate and, for order 5, large enough to stay above round-off.
  const double steps = std::round(t.duration / (info().order > 4   ? 2.0 * t.step
                                                : info().order > 2 ? 0.5 * t.step
                                                                   : 0.25 * t.step));
  double h = t.duration / steps;
  auto coarse = end(h), middle = end(0.5 * h), fine = end(0.25 * h);
  const auto observed = [&] { return std::log2(distance(coarse, middle) / distance(middle, fine)); };
  // Where explicit methods of high order need smaller steps for that, they are given them.
  constexpr double near_round_off = 1e-12;
  const bool is_explicit = schemes()[GetParam().scheme].explicit_method != nullptr;
  while (is_explicit && std::abs(observed() - info().order) > 0.15 && distance(middle, fine) > near_round_off) {
    h *= 0.5;
    coarse = middle, middle = fine, fine = end(0.25 * h);
  }
  EXPECT_NEAR(observed(), info().order, 0.15) << distance(coarse, middle) << " " << distance(middle, fine);
}

TEST_P(SchemeLimit, ConvergesToTheSameMotionAsRadau) {
  // The distance to the motion that Radau IIA finds falls with the claimed order, so both have the same limit.
  TestSystem same = t;
  Stepper reference(same.system, *find_scheme("radau5"));
  const int steps = 200;
  reference.start(consistent_start(same.system, {.t = 0.0, .q = t.q0, .v = t.v0, .a = {}, .lambda = {}}).state, 0.0);
  for (int k = 0; k < steps; ++k) reference.advance(t.duration / steps, no_inputs);
  std::vector<double> exact(reference.q().begin(), reference.q().end());
  exact.insert(exact.end(), reference.v().begin(), reference.v().end());
  const double coarse = distance(end(0.125 * t.step), exact), fine = distance(end(0.0625 * t.step), exact);
  EXPECT_NEAR(std::log2(coarse / fine), info().order, 0.15) << coarse << " " << fine;
}

TEST_P(SchemeInvariants, KeepsWhatItClaimsToKeep) {
  constexpr int steps = 1000;
  constexpr double kept = 1e-10;  // relative; a thousand steps, each solved to about 1e-14
  Exprs quantities;
  std::vector<std::string> names;
  for (const Conserved& c : conserved_quantities(t.system)) {
    if (!claims(info(), c)) continue;
    quantities.push_back(c.expr);
    names.push_back(c.column);
  }
  StateFunction values(t.system, quantities);
  StateFunction energies(t.system, Exprs{t.system.kinetic, t.system.potential});
  std::vector<double> first;
  std::vector<double> drift(quantities.size(), 0.0);
  double energy_scale = 0.0;
  run(t.step, steps, [&](const State& s) {
    const auto now = values({s.t, s.q, s.v, {}, {}});
    for (double e : energies({s.t, s.q, s.v, {}, {}})) energy_scale = std::max(energy_scale, std::abs(e));
    if (first.empty()) first = now;
    for (std::size_t i = 0; i < now.size(); ++i) drift[i] = std::max(drift[i], std::abs(now[i] - first[i]));
  });
  for (std::size_t i = 0; i < names.size(); ++i) {
    const double scale = names[i] == "energy.total" ? energy_scale : std::max(std::abs(first[i]), 1e-3);
    EXPECT_LT(drift[i], kept * scale) << names[i];
  }
}

TEST_P(SchemeConstraints, ConstraintsHoldAtEveryNode) {
  constexpr double newton_tolerance = 1e-12;
  const Equations e = equations(t.system);
  StateFunction position(t.system, e.constraint), rate(t.system, e.constraint_rate);
  run(t.step, 200, [&](const State& s) {
    for (std::size_t c = 0; c < e.level.size(); ++c) {
      if (e.level[c] == Level::position) {
        EXPECT_LT(std::abs(position({s.t, s.q, {}, {}, {}})[c]), newton_tolerance);
      }
      const bool at_velocity = e.level[c] == Level::position ? info().velocity_at_nodes : info().rolling_at_nodes;
      if (at_velocity) {
        EXPECT_LT(std::abs(rate({s.t, s.q, s.v, {}, {}})[c]), 10.0 * newton_tolerance * (1.0 + std::abs(s.v[0])));
      }
    }
  });
}

TEST_P(SchemeSymmetry, AStepBackUndoesAStep) {
  Stepper stepper(t.system, schemes()[GetParam().scheme]);
  stepper.start(consistent_start(t.system, {.t = 0.0, .q = t.q0, .v = t.v0, .a = {}, .lambda = {}}).state, t.step);
  const std::vector<double> q(stepper.q().begin(), stepper.q().end()), v(stepper.v().begin(), stepper.v().end());
  for (double h : {t.step, t.step, -t.step, -t.step}) stepper.advance(h, no_inputs);
  for (std::size_t i = 0; i < q.size(); ++i) {
    EXPECT_NEAR(stepper.q()[i], q[i], 1e-12) << "Newton tolerance, four steps";
    EXPECT_NEAR(stepper.v()[i], v[i], 1e-10) << "divided by the step";
  }
}

INSTANTIATE_TEST_SUITE_P(Table, SchemeOrder, ::testing::ValuesIn(cases(shows_its_order)), case_name);
INSTANTIATE_TEST_SUITE_P(Table, SchemeLimit, ::testing::ValuesIn(cases(is_not_the_reference)), case_name);
INSTANTIATE_TEST_SUITE_P(Table, SchemeInvariants, ::testing::ValuesIn(cases(keeps_something)), case_name);
INSTANTIATE_TEST_SUITE_P(Table, SchemeConstraints, ::testing::ValuesIn(cases(is_constrained)), case_name);
INSTANTIATE_TEST_SUITE_P(Table, SchemeSymmetry, ::testing::ValuesIn(cases(is_symmetric)), case_name);

class SchemeOnNoise : public ::testing::TestWithParam<std::size_t> {};

TEST_P(SchemeOnNoise, ConvergesWhereMostNumbersAreRoundOff) {
  for (const TestSystem& t :
       {test::chain(2, false), test::chain(40, false), test::chain(40, true), test::prestressed()}) {
    if (!applies(schemes()[GetParam()].info, t.system)) continue;
    Stepper stepper(t.system, schemes()[GetParam()]);
    stepper.start(consistent_start(t.system, {.t = 0.0, .q = t.q0, .v = t.v0, .a = {}, .lambda = {}}).state, t.step);
    for (int k = 0; k < 20; ++k) {
      const NewtonResult r = stepper.advance(t.step, no_inputs);
      ASSERT_EQ(r.status, NewtonStatus::converged)
          << t.name << " step " << k << " " << stepper.equation(r.worst_equation);
      EXPECT_LE(r.iterations, 6) << t.name << ": smooth problems and small steps need two or three";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Table, SchemeOnNoise, ::testing::Range<std::size_t>(0, schemes().size()));

// A crank that turns round and round and moves a rocker by a coupler, all masses in the two joints.
TestSystem crank_and_rocker() {
  System s;
  for (const char* name : {"x1", "y1", "x2", "y2"}) s.add_coordinate(name);
  const Exprs q = positions(s), v = velocities(s);
  for (const Expr& rate : v) s.kinetic += 0.5 * pow(rate, 2.0);
  const auto bar = [&s](const char* name, const Expr& x, const Expr& y, double length) {
    s.add_constraint(name, 0.5 * (pow(x, 2.0) + pow(y, 2.0) - length * length));
  };
  bar("crank", q[0], q[1], 0.5);
  bar("coupler", q[2] - q[0], q[3] - q[1], 2.0);
  bar("rocker", q[2] - 2.0, q[3], 1.5);
  return {"crank_and_rocker", s, {0.5, 0.0, 5.5 / 3.0, std::sqrt(20.0) / 3.0}, {0.0, 2.0, 0.0, 0.0}, 20.0, 0.01, true};
}

Stepper started(const TestSystem& t, const NewtonOptions& newton, const Compiler* compiler) {
  Stepper stepper(t.system, *find_scheme("energy-momentum"), {.scheme = {}, .newton = newton});
  if (compiler) stepper.compile(*compiler);
  stepper.start(consistent_start(t.system, {0.0, t.q0, t.v0, {}, {}}).state, t.step);
  return stepper;
}

// Bars turn through every direction, so that each pivot vanishes again and again. Whole iterations by one function lead
// to the same motion as the general way, and to the same bits whether they are interpreted or machine code.
TEST(Stepper, WholeIterationsLeadToTheSameMotionWherePivotsVanish) {
  TestSystem round = test::pendulum();
  round.v0 = {8.0, 6.0};
  round.step = 0.01;
  constexpr double digits = 1e-9;  // round-off of 2000 steps, which grows with their number
  for (const TestSystem& t : {round, crank_and_rocker()}) {
    const Compiler compiler;
    Stepper general = started(t, {.in_line_after = NewtonOptions::never}, nullptr),
            in_line = started(t, {.in_line_after = 100}, nullptr),
            compiled = started(t, {.in_line_after = 100}, &compiler);
    bool all_directions[4] = {};
    for (int k = 0; k < 2000; ++k) {
      for (Stepper* stepper : {&general, &in_line, &compiled})
        ASSERT_EQ(stepper->advance(t.step, {}).status, NewtonStatus::converged) << t.name << " " << k;
      for (std::size_t i = 0; i < t.q0.size(); ++i) {
        ASSERT_NEAR(in_line.q()[i], general.q()[i], digits) << t.name << " " << k;
        ASSERT_EQ(in_line.q()[i], compiled.q()[i]) << t.name << " " << k;
      }
      all_directions[(in_line.q()[0] > 0.0 ? 1 : 0) + (in_line.q()[1] > 0.0 ? 2 : 0)] = true;
    }
    EXPECT_TRUE(all_directions[0] && all_directions[1] && all_directions[2] && all_directions[3]) << t.name;
    EXPECT_FALSE(general.is_in_line());
    EXPECT_TRUE(in_line.is_in_line());
  }
}

TEST(SchemeTable, NamesAreUniqueAndFound) {
  for (const Scheme& s : schemes()) EXPECT_EQ(find_scheme(s.info.name), &s);
  EXPECT_EQ(find_scheme("nonsense"), nullptr);
}

}  // namespace
}  // namespace invar

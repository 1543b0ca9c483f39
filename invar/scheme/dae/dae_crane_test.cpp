// Integrators on cranes, against the closed form, published errors and solutions of the same discrete equations.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "invar/dae/project.h"
#include "invar/dae/test_servo_cranes.h"
#include "invar/record/trajectory.h"
#include "invar/scheme/dae/dae_integration.h"
#include "invar/scheme/dae/dae_test_steps.h"
#include "invar/scheme/dae/test_dae_schemes.h"

namespace invar {
namespace {

using test::ServoProblem;

ReducedDae extension(const ServoProblem& p, int target, int hidden = 0) {
  return extend(p.dae, offsets(signature(p.dae)), target, p.guess, hidden);
}

double last_knot(const Dae& dae) { return dae.references[0].function->knots().back(); }

DaeMotion run(const ReducedDae& r, const ServoProblem& p, std::string_view integrator, double h) {
  DaeMotion motion = integrate(r, test::scheme(integrator), 0.0, last_knot(p.dae), h, p.guess);
  EXPECT_TRUE(motion.complete) << integrator << ' ' << h << ": " << motion.fault;
  return motion;
}

// ---- Step by step against solutions of the same discrete equations ----

struct Column {
  std::string_view reference;
  std::string_view unknown;
  bool rate = false;
};

// The references have 11 digits; inputs come from second differences, which both programs round differently, by up to
// ε |q| m/h² = 1e-11 of their size.
constexpr double same_steps = 1e-9;

void expect_steps(const DaeMotion& motion, std::string_view text, const std::vector<Column>& columns) {
  const Trajectory expected = read_csv_text(text, "steps");
  ASSERT_EQ(motion.t.size(), expected.rows() + 1);
  for (const Column& c : columns) {
    const auto j = static_cast<Eigen::Index>(motion.column(c.unknown));
    double size = 0.0;
    for (const double x : expected.column(c.reference)) size = std::max(size, std::abs(x));
    for (std::size_t i = 0; i < expected.rows(); ++i) {
      const auto row = static_cast<Eigen::Index>(i + 1);
      const double found = c.rate ? motion.rate(row, j) : motion.value(row, j);
      EXPECT_NEAR(found, expected.value(i, c.reference), same_steps * size) << c.reference << " at " << motion.t[i + 1];
    }
  }
}

TEST(ImplicitEuler, OfTheOverheadCraneStepByStep) {
  const ServoProblem p = test::overhead_crane();
  expect_steps(run(extension(p, 3), p, "implicit-euler", 0.1), test::overhead_steps,
               {{"s", "s"},
                {"l", "l"},
                {"v_s", "s", true},
                {"v_l", "l", true},
                {"Ft", "F"},
                {"Mw", "M"},
                {"lam", "lambda.cable"}});
}

TEST(ImplicitEuler, OfTheRotaryCraneStepByStep) {
  const ServoProblem p = test::rotary_crane_dependent();
  expect_steps(run(extension(p, 3), p, "implicit-euler", 1.0), test::rotary_steps,
               {{"phi", "phi"},
                {"s", "s"},
                {"v_phi", "phi", true},
                {"v_s", "s", true},
                {"Mb", "Mb"},
                {"Ft", "Ft"},
                {"Mw", "Mw"},
                {"lam", "lambda.cable"}});
}

// The published equations differentiate all outputs twice, though the height of the pulley does not need it.
ReducedDae all_outputs_alike(const ServoProblem& p) {
  std::vector<int> extra;
  for (const DaeEquation& e : p.dae.equations) extra.push_back(e.kind == EquationKind::servo ? 2 : 0);
  return extend(p.dae, extra, p.guess);
}

TEST(ImplicitEuler, OfTheCraneWithPulleyStepByStep) {
  const ServoProblem p = test::navy_crane_planar();
  expect_steps(run(all_outputs_alike(p), p, "implicit-euler", 0.1), test::navy_steps,
               {{"L1", "L1"},
                {"x0", "x0"},
                {"v_x0", "x0", true},
                {"u1", "u1"},
                {"u2", "u2"},
                {"u3", "u3"},
                {"lam1", "lambda.1"},
                {"lam3", "lambda.3"}});
}

// ---- Against the closed form of the overhead crane ----

// First three coefficients of power series.
using Series = std::array<double, 3>;

Series product(const Series& a, const Series& b) {
  return {a[0] * b[0], a[0] * b[1] + a[1] * b[0], a[0] * b[2] + a[1] * b[1] + a[2] * b[0]};
}
Series inverse(const Series& a) {
  const double r = 1.0 / a[0];
  return {r, -a[1] * r * r, (a[1] * a[1] * r - a[2]) * r * r};
}
Series root(const Series& a) {
  const double r = std::sqrt(a[0]), s = a[1] / (2.0 * r);
  return {r, s, (a[2] - s * s) / (2.0 * r)};
}

struct OverheadMotion {
  double s, l, s_rate, l_rate, lambda, force, torque;
};

// λ = -m(g+z'')/z,  s = x - z x''/(g+z''),  l² = (x-s)² + z²,  F = mt s'' - (x-s)λ,  M = r(J/r² l'' - lλ)
OverheadMotion closed_form(double t) {
  const test::OverheadCraneData d;
  std::array<double, 5> x{}, z{};
  test::RestToRest(0.0, 5.0, d.duration).series(t, Side::left, x);
  test::RestToRest(-4.0, -1.0, d.duration).series(t, Side::left, z);
  const Series ax = {2 * x[2], 6 * x[3], 12 * x[4]}, az = {d.g + 2 * z[2], 6 * z[3], 12 * z[4]},
               zs = {z[0], z[1], z[2]};
  const Series away = product(zs, product(ax, inverse(az)));  // x - s
  Series squared_length = product(away, away);
  for (std::size_t k = 0; k < 3; ++k) squared_length[k] += product(zs, zs)[k];
  const Series l = root(squared_length);
  const double lambda = -d.m * az[0] / z[0];
  return {x[0] - away[0],
          l[0],
          x[1] - away[1],
          l[1],
          lambda,
          d.mt * 2 * (x[2] - away[2]) - away[0] * lambda,
          d.r * (d.J / (d.r * d.r) * 2 * l[2] - l[0] * lambda)};
}

// Largest errors at the nodes from `since` on. The first two unknowns are s and l.
struct Errors {
  double position = 0.0, velocity = 0.0, force = 0.0, torque = 0.0;
};

Errors errors(const DaeMotion& motion, double since = 0.0) {
  const auto F = static_cast<Eigen::Index>(motion.column("F")), M = static_cast<Eigen::Index>(motion.column("M"));
  Errors e;
  const auto grow = [](double& largest, double error) { largest = std::max(largest, std::abs(error)); };
  for (std::size_t i = 1; i < motion.t.size(); ++i) {
    if (motion.t[i] < since) continue;
    const auto row = static_cast<Eigen::Index>(i);
    const OverheadMotion exact = closed_form(motion.t[i]);
    grow(e.position, motion.value(row, 0) - exact.s);
    grow(e.position, motion.value(row, 1) - exact.l);
    grow(e.velocity, motion.rate(row, 0) - exact.s_rate);
    grow(e.velocity, motion.rate(row, 1) - exact.l_rate);
    grow(e.force, motion.value(row, F) - exact.force);
    grow(e.torque, motion.value(row, M) - exact.torque);
  }
  return e;
}

// Published errors have four digits.
constexpr double four_digits = 6e-4;
// Positions follow from algebraic equations at each node: a few roundings of numbers up to 5.
constexpr double exact_position = 1e-14;

void expect_error(double found, double published) { EXPECT_NEAR(found, published, four_digits * published); }

TEST(ClosedForm, AgreesWithPublishedValues) {
  const OverheadMotion mid = closed_form(1.5), quarter = closed_form(0.75);
  constexpr double printed = 1e-11;  // relative, of numbers shown to 12 digits
  EXPECT_NEAR(mid.force, 6.87007358509, 6.87 * printed);
  EXPECT_NEAR(mid.torque, -92.5752122356, 92.6 * printed);
  EXPECT_NEAR(quarter.s, 1.65813292408, 1.7 * printed);
  EXPECT_NEAR(quarter.force, 417.51828439, 418 * printed);
  EXPECT_NEAR(quarter.torque, -139.218377455, 139 * printed);
}

TEST(ImplicitEuler, HasThePublishedErrorsOnTheIndexThreeForm) {
  const ServoProblem p = test::overhead_crane();
  const ServoProblem minimal = test::overhead_crane(test::CraneCoding::minimal).problem;
  const std::vector<double> steps = {0.1, 0.01, 0.001};
  const std::vector<double> velocity = {5.297e-1, 5.412e-2, 5.414e-3}, force = {70.04, 11.52, 1.257};
  const std::vector<double> torque = {3.844, 0.4376, 0.0438}, torque_minimal = {2.299, 0.2602, 0.0261};
  constexpr double three_digits = 2e-3;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Errors e = errors(run(extension(p, 3), p, "implicit-euler", steps[k]));
    EXPECT_LT(e.position, exact_position);
    expect_error(e.velocity, velocity[k]);
    expect_error(e.force, force[k]);
    expect_error(e.torque, torque[k]);
    const Errors m = errors(run(extension(minimal, 3, 2), minimal, "implicit-euler", steps[k]));
    EXPECT_LT(m.position, exact_position);
    expect_error(m.force, force[k]);
    EXPECT_NEAR(m.torque, torque_minimal[k], three_digits * torque_minimal[k]);
  }
}

TEST(ImplicitEuler, HasThePublishedErrorsOnTheProjectedForms) {
  const ServoProblem p = test::overhead_crane();
  const ServoProblem minimal = test::overhead_crane(test::CraneCoding::minimal).problem;
  const ReducedDae redundant = project(p.dae, ProjectionForm::redundant, p.guess);
  const ReducedDae dependent = project(p.dae, ProjectionForm::dependent, p.guess);
  const ReducedDae generalised = project(minimal.dae, ProjectionForm::redundant, minimal.guess);
  const std::vector<double> steps = {0.1, 0.01}, of_generalised = {2.807, 0.2942}, of_dependent = {2.496, 0.2716};
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const Errors r = errors(run(redundant, p, "implicit-euler", steps[k]));
    const Errors extended_form = errors(run(extension(p, 3), p, "implicit-euler", steps[k]));
    const Errors d = errors(run(dependent, p, "implicit-euler", steps[k]));
    const Errors g = errors(run(generalised, minimal, "implicit-euler", steps[k]));
    expect_error(r.torque, extended_form.torque);
    expect_error(d.torque, of_dependent[k]);
    expect_error(g.torque, of_generalised[k]);
    for (const Errors& e : {r, d, g}) {
      EXPECT_LT(e.position, exact_position);
      expect_error(e.force, extended_form.force);
    }
  }
}

TEST(ImplicitEuler, HasThePublishedErrorsOnTheOriginalIndexFiveForm) {
  const ServoProblem p = test::overhead_crane();
  const std::vector<double> steps = {0.1, 0.01, 0.001}, force = {116, 22, 2.5}, torque = {15, 1.6, 0.16};
  constexpr double two_digits = 3e-2;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const DaeMotion motion = integrate(p.dae, test::scheme("implicit-euler"), 0.0, 3.0, steps[k], p.guess);
    ASSERT_TRUE(motion.complete);
    EXPECT_NEAR(errors(motion).force, force[k], two_digits * force[k]);
    EXPECT_NEAR(errors(motion).torque, torque[k], two_digits * torque[k]);
  }
}

// Order of convergence between two steps.
double order(double coarse, double fine, double ratio) { return std::log(coarse / fine) / std::log(ratio); }

// Away from the jump of the fifth derivative of the path at its start. Inputs are second differences of exact
// positions, so each method shows the order of its formula applied twice: 1, 2, and s - 1 = 2 for Radau IIA.
TEST(Integrators, ConvergeOnTheIndexThreeFormWithTheirOrders) {
  constexpr double tolerance = 0.1;  // of observed orders
  for (const bool minimal : {false, true}) {
    const ServoProblem p = minimal ? test::overhead_crane(test::CraneCoding::minimal).problem : test::overhead_crane();
    const ReducedDae r = extension(p, 3, minimal ? 2 : 0);
    const std::vector<double> expected = {1.0, 2.0, 2.0}, expected_velocity = {1.0, 2.0, 3.0};
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const std::string_view name = test::dae_schemes()[k];
      const Errors coarse = errors(run(r, p, name, 0.01), 0.3), fine = errors(run(r, p, name, 0.005), 0.3);
      EXPECT_NEAR(order(coarse.force, fine.force, 2.0), expected[k], tolerance) << name;
      EXPECT_NEAR(order(coarse.torque, fine.torque, 2.0), expected[k], tolerance) << name;
      EXPECT_NEAR(order(coarse.velocity, fine.velocity, 2.0), expected_velocity[k], tolerance) << name;
      EXPECT_LT(fine.position, exact_position) << name;
    }
  }
}

TEST(Integrators, AreExactOnTheIndexOneForm) {
  const ServoProblem p = test::overhead_crane();
  const ReducedDae r = extension(p, 1);
  constexpr double round_off = 2e-12;  // of sums of forces up to 1e3
  for (const std::string_view name : test::dae_schemes())
    for (const double h : {0.1, 0.01}) {
      const Errors e = errors(run(r, p, name, h));
      EXPECT_LT(e.position, exact_position);
      EXPECT_LT(e.velocity, exact_position);
      EXPECT_LT(e.force, round_off);
      EXPECT_LT(e.torque, round_off);
    }
}

// ---- Larger cranes: the index-1 form is exact at every node and serves as reference ----

double largest_difference(const DaeMotion& a, const DaeMotion& b, std::string_view unknown) {
  const auto i = static_cast<Eigen::Index>(a.column(unknown)), j = static_cast<Eigen::Index>(b.column(unknown));
  return (a.value.col(i) - b.value.col(j)).tail(a.value.rows() - 1).cwiseAbs().maxCoeff();
}

struct Published {
  ServoProblem problem;
  std::string_view position;
  std::vector<std::string_view> inputs;
  std::vector<double> steps;
  std::vector<std::vector<double>> errors;  // by step and input
};

TEST(ImplicitEuler, HasThePublishedErrorsForLargerCranes) {
  const std::vector<Published> cases = {
      {test::rotary_crane_dependent(),
       "phi",
       {"Mb", "Ft", "Mw"},
       {1, 0.1},
       {{38.6, 0.99, 0.053}, {4.31, 0.248, 0.0062}}},
      {test::rotary_crane_redundant(), "x2", {"F1", "F2", "Mb"}, {1, 0.1}, {{1.12, 0.53, 54.4}, {0.245, 0.062, 6.34}}},
      {test::navy_crane_planar(), "L1", {"u1", "u2", "u3"}, {0.1, 0.01}, {{561, 53, 280}, {61.7, 6.1, 31.8}}}};
  constexpr double two_digits = 1.5e-2;
  for (const Published& c : cases)
    for (std::size_t k = 0; k < c.steps.size(); ++k) {
      const DaeMotion exact = run(extension(c.problem, 1), c.problem, "implicit-euler", c.steps[k]);
      const DaeMotion found = run(all_outputs_alike(c.problem), c.problem, "implicit-euler", c.steps[k]);
      EXPECT_LT(largest_difference(found, exact, c.position), 10 * exact_position);
      for (std::size_t i = 0; i < c.inputs.size(); ++i)
        EXPECT_NEAR(largest_difference(found, exact, c.inputs[i]), c.errors[k][i], two_digits * c.errors[k][i])
            << c.inputs[i];
    }
}

// Ten coordinates with a singular mass matrix: the redundant form takes the steps of the minimal extension, and the
// dependent one converges with them to the exact inputs.
TEST(ImplicitEuler, HasThePublishedErrorsOnProjectedFormsWithASingularMassMatrix) {
  const ServoProblem p = test::rotary_crane_redundant();
  const std::vector<std::string_view> inputs = {"F1", "F2", "Mb"};
  const std::vector<double> steps = {1, 0.1};
  const std::vector<std::vector<double>> published = {{1.12, 0.53, 54.4}, {0.245, 0.062, 6.34}};
  constexpr double two_digits = 1.5e-2, same_order = 1.5;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const DaeMotion exact = run(extension(p, 1), p, "implicit-euler", steps[k]);
    const DaeMotion redundant = run(project(p.dae, ProjectionForm::redundant, p.guess), p, "implicit-euler", steps[k]);
    const DaeMotion dependent = run(project(p.dae, ProjectionForm::dependent, p.guess), p, "implicit-euler", steps[k]);
    EXPECT_LT(largest_difference(redundant, exact, "x2"), 10 * exact_position);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      EXPECT_NEAR(largest_difference(redundant, exact, inputs[i]), published[k][i], two_digits * published[k][i]);
      EXPECT_LT(largest_difference(dependent, exact, inputs[i]), same_order * published[k][i]) << inputs[i];
    }
  }
}

// The projected equations say Dᵀ F = 0 at every node, with the D that the literature finds by inspection.
TEST(Projection, LeavesNoDynamicsAlongTheFreeDirections) {
  constexpr double h = 0.05, zero = 1e-8;  // N: forces up to 1e3, accelerations from differences, ε |q| m/h² = 1e-11
  const ServoProblem p = test::overhead_crane();
  const ServoProblem minimal = test::overhead_crane(test::CraneCoding::minimal).problem;
  for (const int form : {0, 1, 2}) {
    const ServoProblem& problem = form == 2 ? minimal : p;
    const ReducedDae r =
        project(problem.dae, form == 1 ? ProjectionForm::dependent : ProjectionForm::redundant, problem.guess);
    const DaeMotion m = run(r, problem, "implicit-euler", h);
    JetEvaluator evaluator(problem.dae);
    for (Eigen::Index i = 1; i < m.value.rows(); ++i) {
      Jet jet;
      jet.t = m.t[static_cast<std::size_t>(i)];
      jet.side = Side::left;
      for (Eigen::Index j = 0; j < static_cast<Eigen::Index>(problem.dae.unknowns.size()); ++j)
        jet.x.push_back({m.value(i, j), m.rate(i, j), (m.rate(i, j) - m.rate(i - 1, j)) / h});
      for (Derivatives& x : jet.x)
        if (std::isnan(x[1])) x.resize(1);
      Matrix F;
      evaluator.residuals(jet, 0, F);
      if (form == 0) {
        EXPECT_NEAR(F(0), 0.0, zero);
        EXPECT_NEAR(F(1), 0.0, zero);
      } else if (form == 1) {
        EXPECT_NEAR(F(0) + (m.value(i, 0) - m.value(i, 2)) / m.value(i, 1) * F(1), 0.0, zero);
      } else {
        const double l = m.value(i, 1), phi = m.value(i, 2);
        EXPECT_NEAR(-F(0) + std::sin(phi) * F(1) + std::cos(phi) / l * F(2), 0.0, zero);
      }
    }
  }
}

}  // namespace
}  // namespace invar

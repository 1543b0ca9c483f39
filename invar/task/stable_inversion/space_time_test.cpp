// The bounded motion at all instants at once: against an independent program with the same discretisation, closed forms
// of periodic motions, and how the work grows.
#include "invar/task/stable_inversion/space_time.h"

#include <gtest/gtest.h>

#include <cmath>

#include "invar/base/error.h"
#include "invar/dae/test_servo_systems.h"
#include "invar/read/read_problem.h"
#include "invar/task/inverse_structure/inverse_structure.h"
#include "invar/task/invert/invert.h"
#include "invar/task/stable_inversion/stable_inversion.h"
#include "invar/task/stable_inversion/test_elastic_beam.h"

namespace invar {
namespace {

using test::beam_arm;
using test::BeamKind;

struct Sample {
  double t, torque;  // t from the begin of the move
};

// M (q⁺ - 2q + q⁻)/h² + ∂V + Gᵀλ = Bu with h = 2.5 ms and rest at -0.3 s and 0.8 s, solved by another program.
struct Reference {
  int elements;
  BeamKind kind;
  double largest;
  Sample samples[4];
};

TEST(SpaceTime, InputsOfBeamsAreThoseOfAnotherProgramWithTheSameDifferences) {
  const Reference references[] = {{4,
                                   BeamKind::rigid_sections,
                                   13.61495552,
                                   {{-0.05, 0.3324322685}, {0, 3.149350924}, {0.1, 12.92650737}, {0.2, 9.247940205}}},
                                  {8,
                                   BeamKind::rigid_sections,
                                   14.11574193,
                                   {{-0.05, 0.3209885115}, {0, 3.174679405}, {0.1, 12.56008008}, {0.2, 9.140638547}}},
                                  {4,
                                   BeamKind::stretch_and_shear,
                                   13.63808313,
                                   {{-0.05, 0.3276669753}, {0, 3.172058366}, {0.1, 12.94285524}, {0.2, 9.170271524}}},
                                  {8,
                                   BeamKind::stretch_and_shear,
                                   14.14844678,
                                   {{-0.05, 0.3155677546}, {0, 3.19770909}, {0.1, 12.57623658}, {0.2, 9.104779127}}}};
  for (const Reference& r : references) {
    Problem p = read_problem_text(beam_arm(r.elements, r.kind), "arm.toml");
    InvertSettings& settings = p.settings.of<InvertSettings>();
    settings.method = "space-time";
    settings.pre_actuation = settings.post_actuation = 0.0;
    settings.extrapolate = false;
    settings.rest_at_both_ends = true;
    settings.verify = false;
    const Inversion run = invert(p);
    ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
    ASSERT_EQ(run.trajectory.rows(), 441u);
    for (const Sample& s : r.samples) {
      const auto row = static_cast<std::size_t>(std::lround((s.t + 0.3) / 0.0025));
      EXPECT_NEAR(run.trajectory.value(row, "u"), s.torque, 1e-6 * r.largest) << r.elements << " elements, t = " << s.t;
    }
  }
}

// Zeros of the same beams by an independent program, and of 16 elements, whose gain at high frequency is 1e-16.
TEST(SpaceTime, ZerosNeedNoElimination) {
  struct Zeros {
    int elements;
    BeamKind kind;
    double slowest, second, oscillation;
  };
  for (const Zeros& z : {Zeros{8, BeamKind::rigid_sections, 49.1764063, 247.826371, 0.0},
                         Zeros{16, BeamKind::rigid_sections, 49.8056083, 263.409561, 0.0},
                         Zeros{16, BeamKind::stretch_and_shear, 50.6642341, 285.642169, 228.469742}}) {
    const InverseStructure s = analyse_inverse(read_problem_text(beam_arm(z.elements, z.kind), "arm.toml"));
    EXPECT_EQ(s.zero.kind, ZeroDynamics::Kind::unstable);
    const auto has = [&](std::complex<double> wanted) {
      for (const std::complex<double>& found : s.zero.eigenvalues)
        if (std::abs(found - wanted) < 1e-4 * std::abs(wanted)) return true;
      return false;
    };
    for (const double sign : {-1.0, 1.0}) {
      EXPECT_TRUE(has(sign * z.slowest)) << z.elements;
      EXPECT_TRUE(has(sign * z.second)) << z.elements;
      EXPECT_TRUE(z.oscillation == 0.0 || has({0.0, sign * z.oscillation})) << z.elements;
    }
    EXPECT_NE(in_words(s).find("faster ones"), std::string::npos) << "only the slowest are listed: " << in_words(s);
  }
}

BoundedMotion bounded_beam(int elements, double until) {
  const Problem p = read_problem_text(beam_arm(elements, BeamKind::rigid_sections), "arm.toml");
  const InverseStructure s = analyse_inverse(p);
  StableInversionSettings settings;
  settings.engine = StableInversionSettings::Engine::space_time;
  settings.end = until;
  settings.guess = s.start;
  settings.k = s.extra_orders;
  settings.zero = s.zero;
  settings.pre_actuation = settings.post_actuation = 0.0;
  settings.extrapolate = false;
  for (int k = 0; k <= std::lround(until / 0.005); ++k) settings.times.push_back(0.005 * k);
  return stable_inversion(s.dae, s.formal, settings);
}

// What a Newton step costs, and how many there are. In elements the growth lies between linear and quadratic: an
// elimination of space-time leaves separators, each as long as the beam.
TEST(SpaceTime, WorkGrowsLinearlyWithInstants) {
  const BoundedMotion shorter = bounded_beam(4, 1.1), longer = bounded_beam(4, 2.2), longest = bounded_beam(4, 4.4),
                      finer = bounded_beam(8, 1.1);
  for (const BoundedMotion* motion : {&shorter, &longer, &longest, &finer})
    ASSERT_EQ(motion->status, BoundedMotion::Status::converged) << fault_in_words(*motion);
  const auto entries = [](const BoundedMotion& m) { return static_cast<double>(m.factor_entries); };
  // Instants of the motion and those of rest before and after it have pivots and thus fill of their own, so that the
  // whole is not proportional; but twice the further instants have twice the further entries.
  constexpr double twice = 2.05;
  EXPECT_LT(entries(longest) - entries(longer), twice * (entries(longer) - entries(shorter)));
  EXPECT_LT(entries(finer), 3.5 * entries(shorter));
  EXPECT_LE(longer.iterations, shorter.iterations + 5);
  EXPECT_LE(longest.iterations, shorter.iterations + 5);
  EXPECT_LE(finer.iterations, shorter.iterations + 5);
}

// The pendulum upside down on a cart whose position is c sin ωt: L φ'' - g φ = c ω² sin ωt has the one bounded solution
// φ = -c ω² sin ωt/(L ω² + g); linear, so that the small angle is exact.
std::string cart(double until) {
  return "name = \"cart\"\n[system]\ncoordinates = [\"s\", \"phi\"]\n"
         "kinetic = \"1.25*s'^2 + 0.3*s'*phi' + 0.09*phi'^2\"\npotential = \"-1.4715*phi^2\"\n"
         "[[system.input]]\nname = \"F\"\nforce = { s = \"1\" }\n[[system.output]]\nname = \"cart\"\nexpr = \"s\"\n"
         "[[trajectory]]\noutputs = [\"cart\"]\nexpr = [\"0.3*sin(4*t)\"]\n[initial]\ns = 0\nphi = 0\n"
         "[invert]\nstep = 0.005\nperiodic = true\nuntil = " +
         std::to_string(until) + "\n";
}

TEST(SpaceTime, APeriodicReferenceHasAPeriodicMotion) {
  constexpr double L = 0.6, g = 9.81, c = 0.3, w = 4.0, M = 2.5, m = 0.5;
  Problem p = read_problem_text(cart(1.0), "cart.toml");
  p.settings.of<InvertSettings>().until = 2.0 * M_PI / w;
  const Inversion run = invert(p);
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  EXPECT_EQ(run.summary.method, "space-time");
  const double angle = -c * w * w / (L * w * w + g), force = -M * c * w * w - m * L * angle * w * w;
  for (std::size_t k = 0; k < run.trajectory.rows(); k += 10) {
    const double s = std::sin(w * run.trajectory.value(k, "t"));
    // What extrapolation leaves of differences, and rounding over h².
    EXPECT_NEAR(run.trajectory.value(k, "phi"), angle * s, 1e-8);
    EXPECT_NEAR(run.trajectory.value(k, "F"), force * s, 1e-6);
  }
}

TEST(SpaceTime, WhatDoesNotRepeatItselfIsRefused) {
  const Inversion run = invert(read_problem_text(cart(1.0), "cart.toml"));
  EXPECT_EQ(run.summary.status, RunStatus::failed);
  EXPECT_NE(run.summary.message.find("do not repeat themselves"), std::string::npos) << run.summary.message;
  Problem p = read_problem_text(cart(1.0), "cart.toml");
  p.settings.of<InvertSettings>().method = "taylor";
  try {
    invert(p);
    FAIL();
  } catch (const InputError& e) {
    EXPECT_STREQ(e.what(), "periodic = true: taylor follows a start or comes from rest; use method = \"space-time\"");
  }
}

// The hub of the beam goes on turning: the straight arm that turns steadily, a relative equilibrium in directors.
TEST(SpaceTime, ABeamMayEndInSteadyRotation) {
  Problem p = read_problem_text(beam_arm(4, BeamKind::rigid_sections, true), "arm.toml");
  p.settings.of<InvertSettings>().verify = false;
  const Inversion run = invert(p);
  ASSERT_EQ(run.summary.status, RunStatus::done) << run.summary.message;
  const Trajectory& t = run.trajectory;
  const std::size_t last = t.rows() - 1;
  double largest = 0.0;
  for (std::size_t k = 0; k <= last; ++k) largest = std::max(largest, std::abs(t.value(k, "u")));
  EXPECT_LT(std::abs(t.value(last, "u")), 1e-4 * largest) << "steady rotation needs no torque";
  EXPECT_NEAR(std::atan2(t.value(last, "s0"), t.value(last, "c0")),
              std::atan2(t.value(last, "y4"), t.value(last, "x4")), 1e-4)
      << "the arm is straight again";
}

}  // namespace
}  // namespace invar

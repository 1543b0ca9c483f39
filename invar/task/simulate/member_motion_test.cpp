// Motions of beams and strings: against another program with ever finer meshes and steps, and laws that hold for every
// step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "invar/read/read_problem.h"
#include "invar/task/run/simulate_settings.h"
#include "invar/task/simulate/simulate.h"

namespace invar {
namespace {

Simulation motion_of(const std::string& text) {
  Simulation outcome = simulate(read_problem_text(text, "model.toml"));
  EXPECT_EQ(outcome.summary.status, RunStatus::done) << outcome.summary.message;
  return outcome;
}

std::string run_settings(double until, double step, const std::string& more = "") {
  return "[simulate]\nuntil = " + std::to_string(until) + "\nstep = " + std::to_string(step) + "\n" + more;
}

std::size_t row_at(const Trajectory& rows, double t) {
  for (std::size_t k = 0; k < rows.rows(); ++k)
    if (std::abs(rows.value(k, "t") - t) < 1e-9) return k;
  ADD_FAILURE() << "no row at " << t;
  return 0;
}

Vector3 place_at(const Trajectory& rows, double t, const std::string& output) {
  const std::size_t k = row_at(rows, t);
  return {rows.value(k, output + ".x"), rows.value(k, output + ".y"), rows.value(k, output + ".z")};
}

double change_after(const Trajectory& rows, double t, const std::string& column) {
  const std::size_t begin = row_at(rows, t);
  double largest = 0.0;
  for (std::size_t k = begin; k < rows.rows(); ++k)
    largest = std::max(largest, std::abs(rows.value(k, column) - rows.value(begin, column)));
  return largest;
}

// What Newton's method leaves of every step, 1e-13, over hundreds of them.
constexpr double kept = 2e-10;
double size_of(const Trajectory& rows, const std::string& column) {
  double largest = 1.0;
  for (const double x : rows.column(column)) largest = std::max(largest, std::abs(x));
  return largest;
}

std::string look_at(const std::string& name, const std::string& place) {
  return "[[output]]\nname = \"" + name + "\"\npoint = " + place + "\n";
}

// A beam in flight, after a force and a moment at its end have thrown it.
std::string thrown_beam(double until, double step) {
  return R"toml(
name = "flying"
[[beam]]
name = "beam"
points = [[6, 0, 0], [0, 8, 0]]
normal = [0, 0, 1]
elements = 8
GA = 1e4
EA = 1e4
EI = 500
GJ = 500
mass_per_length = 1
inertia_per_length = [10, 10, 10]
[[force]]
on = "beam"
s = 0
force = ["(5 - abs(2*t - 5) + abs(5 - abs(2*t - 5)))*2", 0, 0]
torque = [0, "-(5 - abs(2*t - 5) + abs(5 - abs(2*t - 5)))*10", "-(5 - abs(2*t - 5) + abs(5 - abs(2*t - 5)))*20"]
)toml" + look_at("start", "{ on = \"beam\", s = 0 }") +
         look_at("middle", "{ on = \"beam\", s = 5 }") + look_at("end", "{ on = \"beam\", s = 10 }") +
         run_settings(until, step);
}

TEST(MemberMotion, AFlyingBeamKeepsItsMomentaAndItsEnergy) {
  const Simulation outcome = motion_of(thrown_beam(7.5, 0.0125));
  const Trajectory& rows = outcome.trajectory;
  // From t = 5 on nothing acts.
  const double energy = size_of(rows, "energy.total"), momentum = size_of(rows, "momentum.x"),
               turning = size_of(rows, "angular_momentum.z");
  EXPECT_LT(change_after(rows, 5.0, "energy.total"), kept * energy);
  for (const std::string axis : {"x", "y", "z"}) {
    EXPECT_LT(change_after(rows, 5.0, "momentum." + axis), kept * momentum);
    EXPECT_LT(change_after(rows, 5.0, "angular_momentum." + axis), kept * turning);
  }
  EXPECT_NEAR(rows.value(row_at(rows, 5.0), "momentum.x"), 50.0, 1e-9);  // the integral of the force
  // The other program extrapolates; our steps of 0.0125 s leave an error of second order.
  EXPECT_LT((place_at(rows, 2.5, "end") - Vector3(4.0237958, 8.4955302, -0.73301591)).norm(), 2e-3);
  EXPECT_LT((place_at(rows, 5.0, "middle") - Vector3(15.383924, 3.8982668, -0.10405329)).norm(), 4e-3);
}

TEST(MemberMotion, StepsOfAFlyingBeamConvergeWithOrderTwo) {
  const Vector3 limit(4.0237958, 8.4955302, -0.73301591);
  const auto error = [&](double step) {
    return (place_at(motion_of(thrown_beam(2.5, step)).trajectory, 2.5, "end") - limit).norm();
  };
  EXPECT_NEAR(std::log2(error(0.05) / error(0.025)), 2.0, 0.2);
}

std::string right_angle(int elements, double step) {
  const std::string stiffness =
      "normal = [0, 0, 1]\nGA = 1e6\nEA = 1e6\nEI = 1e3\nGJ = 1e3\nmass_per_length = 1\ninertia_per_length = [10, 10, "
      "20]\nelements = " +
      std::to_string(elements) + "\n";
  return "name = \"frame\"\n[[beam]]\nname = \"one\"\npoints = [[0, 0, 0], [10, 0, 0]]\nfrom = \"ground\"\n" +
         stiffness + "[[beam]]\nname = \"two\"\npoints = [[10, 0, 0], [10, 10, 0]]\nfrom = { on = \"one\", s = 10 }\n" +
         stiffness +
         "[[force]]\non = \"one\"\ns = 10\nforce = [0, 0, \"25*(1 - abs(t - 1) + abs(1 - abs(t - 1)))\"]\n" +
         look_at("elbow", "{ on = \"one\", s = 10 }") + look_at("tip", "{ on = \"two\", s = 10 }") +
         run_settings(4.0, step);
}

// Two beams that share the axes of their corner.
TEST(MemberMotion, ARightAngleFrameSwingsAsElsewhere) {
  const Trajectory rows = motion_of(right_angle(4, 0.01)).trajectory;
  EXPECT_LT((place_at(rows, 2.0, "elbow") - Vector3(8.9888959, 0.26738748, 4.1152355)).norm(), 2e-3);
  EXPECT_LT((place_at(rows, 4.0, "tip") - Vector3(10.441994, 9.293785, 3.5090497)).norm(), 3e-3);
  EXPECT_LT(change_after(rows, 2.0, "energy.total"), kept * size_of(rows, "energy.kinetic"));
}

std::string soft_pendulum(const std::string& beam, int elements = 8, double until = 0.5) {
  return R"toml(
name = "pendulum"
[world]
gravity = [0, 0, -9.81]
[[beam]]
name = "beam"
points = [[0, 0, 0], [1, 0, 0]]
normal = [0, 0, 1]
mass_per_length = 1
inertia_per_length = [1e-3, 1e-3, 2e-3]
elements = )toml" +
         std::to_string(elements) + "\n" + beam + R"toml(
[[joint]]
name = "pin"
type = "spherical"
between = ["ground", { on = "beam", s = 0 }]
at = [0, 0, 0]
)toml" + look_at("tip", "{ on = \"beam\", s = 1 }") +
         run_settings(until, 0.001);
}
constexpr const char* soft = "GA = 2e3\nEA = 4e3\nEI = 0.5\nGJ = 0.4";

TEST(MemberMotion, ASoftPendulumSwingsAsElsewhere) {
  const Trajectory rows = motion_of(soft_pendulum(soft)).trajectory;
  EXPECT_LT((place_at(rows, 0.25, "tip") - Vector3(0.91151648, 0.0, -0.36025243)).norm(), 1e-4);
  EXPECT_LT((place_at(rows, 0.5, "tip") - Vector3(-0.10343683, 0.0, -0.99649203)).norm(), 2e-4);
  EXPECT_LT(change_after(rows, 0.0, "energy.total"), 1e-10);  // round-off of 500 steps, of 5 J
}

// The tip of two elements of two nodes is 0.76 m off at the end, that of eight of three nodes a tenth of a millimetre.
TEST(MemberMotion, ElementsThatAreTooCoarseForAMotionAreWarnedOf) {
  const auto is_coarse = [](const std::string& elements) {
    const Simulation outcome = motion_of(soft_pendulum(std::string(soft) + elements, 2, 0.5));
    return std::ranges::any_of(outcome.summary.warnings,
                               [](const std::string& w) { return w.find("too coarse") != std::string::npos; });
  };
  EXPECT_TRUE(is_coarse("\nelement_nodes = 2"));
  const Simulation fine = motion_of(soft_pendulum(soft));
  EXPECT_TRUE(fine.summary.warnings.empty()) << fine.summary.warnings.front();
}

// A stress η C e' takes η (Δe)ᵀC Δe/h in every step: the energy falls in each of them.
TEST(MemberMotion, DampingTakesEnergyInEveryStep) {
  const Trajectory rows = motion_of(soft_pendulum(std::string(soft) + "\ndamping = 0.01", 4)).trajectory;
  const std::vector<double> energy = rows.column("energy.total");
  for (std::size_t k = 1; k < energy.size(); ++k) EXPECT_LE(energy[k], energy[k - 1] + 1e-13);  // round-off of 5 J
  EXPECT_LT(energy.back(), energy.front() - 0.01);
}

// What is ever stiffer against shear and extension moves ever more as if it were rigid against them.
TEST(MemberMotion, RigidIsTheLimitOfStiff) {
  const auto tip = [](const std::string& beam) {
    return place_at(motion_of(soft_pendulum(beam, 4, 0.3)).trajectory, 0.3, "tip");
  };
  const Vector3 rigid = tip("EI = 0.5\nGJ = 0.4\nrigid = [\"shear\", \"extension\"]");
  const double far = (tip("GA = 2e4\nEA = 4e4\nEI = 0.5\nGJ = 0.4") - rigid).norm(),
               near = (tip("GA = 2e6\nEA = 4e6\nEI = 0.5\nGJ = 0.4") - rigid).norm();
  EXPECT_LT(near, 0.05 * far);  // like one over the stiffness, and what steps do not follow
  EXPECT_LT(near, 1e-4);
}

// A beam in the plane is one in space whose forces lie in the plane.
TEST(MemberMotion, InThePlaneItIsTheSame) {
  const auto text = [](const std::string& world, const std::string& points, const std::string& rest) {
    return "name = \"p\"\n[world]\n" + world + "[[beam]]\nname = \"beam\"\n" + points + rest +
           "elements = 4\nfrom = \"ground\"\nmass_per_length = 1\nEA = 4e3\n" +
           look_at("tip", "{ on = \"beam\", s = 1 }") + run_settings(0.3, 0.001);
  };
  const Trajectory plane = motion_of(text("dimension = 2\ngravity = [0, -9.81]\n", "points = [[0, 0], [1, 0]]\n",
                                          "GA = 2e3\nEI = 0.5\ninertia_per_length = 1e-3\n"))
                               .trajectory;
  const Trajectory space =
      motion_of(text("gravity = [0, -9.81, 0]\n", "points = [[0, 0, 0], [1, 0, 0]]\nnormal = [0, 0, 1]\n",
                     "GA = 2e3\nEI = 0.5\nGJ = 0.4\ninertia_per_length = [1e-3, 1e-3, 2e-3]\n"))
          .trajectory;
  for (const std::string column : {"tip.x", "tip.y"})
    EXPECT_NEAR(plane.value(plane.rows() - 1, column), space.value(space.rows() - 1, column), 1e-9)
        << column;  // Newton
}

TEST(MemberMotion, AStringWithALoadSwingsAsElsewhere) {
  const std::string text = R"toml(
name = "cable"
[world]
gravity = [0, 0, -9.81]
[[point]]
name = "load"
mass = 1
position = [0, 0, "-(1 + 9.81*2/200 - 9.81*0.5/200)"]
velocity = [1.8, 0.9, 0]
[[string]]
name = "cable"
curve = [0, 0, "-(s + 9.81*2*s/200 - 9.81*s^2/2/200)"]
length = 1
velocity = ["1.8*s", "0.9*s^2", 0]
elements = 8
mass_per_length = 1
EA = 200
from = "ground"
to = "load"
[[output]]
name = "tip"
point = "load"
)toml" + run_settings(1.0, 0.001);
  const Trajectory rows = motion_of(text).trajectory;
  EXPECT_LT((place_at(rows, 0.5, "tip") - Vector3(0.50997645, 0.24041045, -0.8578047)).norm(), 5e-6);
  EXPECT_LT((place_at(rows, 1.0, "tip") - Vector3(0.043497127, 0.022055688, -1.0823679)).norm(), 1e-5);
  EXPECT_LT(change_after(rows, 0.0, "energy.total"), 1e-11);  // round-off of 1000 steps, of 15 J
}

TEST(MemberMotion, OtherCoordinatesAreRefusedWithTheReason) {
  for (const std::string formulation : {"minimal", "lie"}) {
    try {
      read_problem_text(soft_pendulum(soft), "model.toml", {}, formulation);
      FAIL() << formulation;
    } catch (const std::exception& error) {
      EXPECT_NE(std::string(error.what()).find("use the formulation \"director\""), std::string::npos) << error.what();
    }
  }
}

}  // namespace
}  // namespace invar

// Inputs by inversion: the overhead crane against its flat solution written by hand, the rate for the cable
// manipulator, and how the cost grows with the number of points and with the length of a chain. Fails if it is slower
// than promised.
#include <array>
#include <cmath>
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/ratios.h"
#include "invar/read/read_problem.h"
#include "invar/task/inverse_structure/continuation.h"
#include "invar/task/inverse_structure/grouped_sweeps.h"
#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar {
namespace {

constexpr int rounds = 60;
constexpr double against_formula = 40.0;
constexpr double manipulator_rate = 5000.0;  // points per second
constexpr double linear = 1.3;               // time per point at 4n and at n points
constexpr double tolerance = 1e-9;           // relative, of all values against the formula
// Series are multiplied term by term: from 2 to 6 masses their length, and so the cost of one unknown, grows by 3
// squared.
constexpr double chain_growth = 9.0;

// A problem ready to be followed over n equal intervals.
struct Run {
  InverseStructure structure;
  PathPlan course;
  JetPath path;
  std::shared_ptr<GroupedSweeps> sweeps;

  Run(const std::string& model, std::size_t n) {
    const auto examples = std::filesystem::path(__FILE__).parent_path().parent_path() / "examples";
    const Problem problem = read_problem((examples / model).string());
    structure = analyse_inverse(problem);
    const double until = problem.settings.of<InvertSettings>().until;
    for (std::size_t k = 0; k <= n; ++k) course.grid.push_back(until * static_cast<double>(k) / static_cast<double>(n));
    course.knots = knots_of(structure.dae, until);
    for (const DaeUnknown& x : structure.dae.unknowns) course.kinds.push_back(x.kind);
    course.extra = 1;  // inputs at the points are wanted, no expansions between them
  }
  // Many instants together, in lanes or by machine code.
  void together(bool compiled = false) {
    sweeps = grouped_sweeps(structure, course.grid.back(), 0);
    if (compiled && sweeps)
      sweeps->wanted.compile({"cc", (std::filesystem::temp_directory_path() / "invar-bench").string()});
    course.grouped = sweeps.get();
    course.extra = 0;
  }
  void operator()() { path = follow(structure.solve, structure.start, course); }
  bool complete() const { return path.status == JetPath::Status::done && path.jets.size() == course.grid.size(); }
};

struct CraneSolution {
  double s, l, lambda, F, M;
};

// c = 126T⁵ - 420T⁶ + 540T⁷ - 315T⁸ + 70T⁹ and four derivatives in time.
std::array<double, 5> rest_to_rest(double t) {
  constexpr double w = 1.0 / 3.0;
  const double T = t * w, T2 = T * T, T3 = T2 * T;
  return {T3 * T2 * (126.0 + T * (-420.0 + T * (540.0 + T * (-315.0 + T * 70.0)))),
          w * T2 * T2 * (630.0 + T * (-2520.0 + T * (3780.0 + T * (-2520.0 + T * 630.0)))),
          w * w * T3 * (2520.0 + T * (-12600.0 + T * (22680.0 + T * (-17640.0 + T * 5040.0)))),
          w * w * w * T2 * (7560.0 + T * (-50400.0 + T * (113400.0 + T * (-105840.0 + T * 35280.0)))),
          w * w * w * w * T * (15120.0 + T * (-151200.0 + T * (453600.0 + T * (-529200.0 + T * 211680.0))))};
}

// λ = -m (g + z'')/z, s = x - z w with w = x''/(g + z''), l² = (x - s)² + z², F = mt s'' - (x - s) λ, M = r (J/r² l'' -
// l λ).
CraneSolution flat_crane(double t) {
  constexpr double mt = 10.0, m = 100.0, J = 0.1, r = 0.1, g = 9.81;
  const std::array<double, 5> c = rest_to_rest(t);
  const double x = 5.0 * c[0], x2 = 5.0 * c[2], x3 = 5.0 * c[3], x4 = 5.0 * c[4];
  const double z = -4.0 + 3.0 * c[0], z1 = 3.0 * c[1], z2 = 3.0 * c[2], z3 = 3.0 * c[3], z4 = 3.0 * c[4];
  const double a = g + z2;
  const double w = x2 / a, w1 = (x3 - w * z3) / a, w2 = (x4 - 2.0 * w1 * z3 - w * z4) / a;
  const double e = z * w, e1 = z1 * w + z * w1, e2 = z2 * w + 2.0 * z1 * w1 + z * w2;
  const double l = std::sqrt(e * e + z * z), l1 = (e * e1 + z * z1) / l;
  const double l2 = (e1 * e1 + e * e2 + z1 * z1 + z * z2 - l1 * l1) / l;
  const double lambda = -m * a / z;
  return {x - e, l, lambda, mt * (x2 - e2) - e * lambda, r * (J / (r * r) * l2 - l * lambda)};
}

// Largest difference of s, l, λ, F, M to the formula, relative to the largest value of each.
double difference(const Run& run) {
  std::array<double, 5> worst{}, size{};
  for (const Jet& jet : run.path.jets) {
    const CraneSolution c = flat_crane(jet.t);
    const std::array<double, 5> exact = {c.s, c.l, c.lambda, c.F, c.M},
                                found = {jet.x[0][0], jet.x[1][0], jet.x[4][0], jet.x[5][0], jet.x[6][0]};
    for (std::size_t i = 0; i < exact.size(); ++i) {
      worst[i] = std::max(worst[i], std::abs(found[i] - exact[i]));
      size[i] = std::max(size[i], std::abs(exact[i]));
    }
  }
  double largest = 0.0;
  for (std::size_t i = 0; i < worst.size(); ++i) largest = std::max(largest, worst[i] / size[i]);
  return largest;
}

bool print_bar(const std::string& what, double value, double bar, bool met) {
  fmt::print("{:<36}{:>10.0f}{:>8.0f}{:>7}\n", what, value, bar, met ? "PASS" : "FAIL");
  return met;
}

int run() {
  constexpr std::size_t n = 1000;
  Run crane("overhead_crane_inverse/model.toml", n), fine("overhead_crane_inverse/model.toml", 4 * n);
  Run one_by_one("overhead_crane_inverse/model.toml", n), machine("overhead_crane_inverse/model.toml", n);
  crane.together();
  fine.together();
  machine.together(true);
  constexpr std::size_t many_points = 2000;
  Run manipulator("cable_manipulator_rotation/model.toml", 400),
      manipulator_lanes("cable_manipulator_rotation/model.toml", many_points),
      manipulator_machine("cable_manipulator_rotation/model.toml", many_points);
  manipulator_lanes.together();
  manipulator_machine.together(true);
  const std::array<std::string, 5> lengths = {"two", "model", "four", "five", "six"};
  std::deque<Run> chains;
  for (const std::string& length : lengths) chains.emplace_back("spring_chain_inverse/" + length + ".toml", n);

  std::vector<CraneSolution> by_hand(n + 1);
  std::vector<Candidate> candidates = {
      {"crane: formula by hand",
       [&] {
         for (std::size_t k = 0; k <= n; ++k) by_hand[k] = flat_crane(crane.course.grid[k]);
       },
       n + 1,
       {}},
      {"crane: inversion", [&] { crane(); }, n + 1, against_formula},
      {"crane: inversion, 4 times the points", [&] { fine(); }, 4 * n + 1, linear, 1},
      {"cable manipulator", [&] { manipulator(); }, 401, {}},
      {"crane: compiled", [&] { machine(); }, n + 1, {}},
      {"crane: one point after the other", [&] { one_by_one(); }, n + 1, {}},
      {"cable manipulator: lanes", [&] { manipulator_lanes(); }, many_points + 1, {}},
      {"cable manipulator: compiled", [&] { manipulator_machine(); }, many_points + 1, {}}};
  for (std::size_t k = 0; k < chains.size(); ++k)
    candidates.push_back({fmt::format("chain of {}, per point and unknown", k + 2), [&run = chains[k]] { run(); },
                          (n + 1) * chains[k].structure.dae.unknowns.size(),
                          k > 0 ? std::optional(chain_growth) : std::nullopt, k > 0 ? std::size_t{8} : std::size_t{0}});
  const std::vector<double> ns = fastest(candidates, rounds);
  bool met = print_ratios(candidates, ns);
  const double rate = 1e9 / ns[3];
  met = print_bar("cable manipulator, points per second", rate, manipulator_rate, rate >= manipulator_rate) && met;
  fmt::print("cable manipulator, points per second: interpreted {:.0f}, lanes {:.0f}, compiled {:.0f}\n", rate,
             1e9 / ns[6], 1e9 / ns[7]);

  bool complete = crane.complete() && fine.complete() && manipulator.complete();
  for (const Run& chain : chains) complete = complete && chain.complete();
  if (!complete) fmt::print("FAIL: an inversion did not reach its end\n");
  const double error = difference(crane);
  fmt::print("crane, largest relative difference to the formula: {:.1e}\n", error);
  if (!(error <= tolerance)) fmt::print("FAIL: inversion and formula disagree\n");
  return met && complete && error <= tolerance ? 0 : 1;
}

}  // namespace
}  // namespace invar

int main() { return invar::run(); }

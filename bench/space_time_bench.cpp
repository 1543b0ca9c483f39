// How the time of a whole inversion with space-time grows with the elements of an elastic arm and with the instants:
// exponents, from the fastest of interleaved rounds.
#include <array>
#include <chrono>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "invar/read/read_problem.h"
#include "invar/task/inverse_structure/invert_settings.h"
#include "invar/task/invert/invert.h"
#include "invar/task/stable_inversion/test_elastic_beam.h"

namespace invar {
namespace {

constexpr int rounds = 3;

struct BeamRun {
  int elements;
  double step;
  double seconds = std::numeric_limits<double>::infinity();

  bool time(test::BeamKind kind) {
    Problem p = read_problem_text(test::beam_arm(elements, kind, false, 0.5 * M_PI, step), "arm.toml");
    InvertSettings& settings = p.settings.of<InvertSettings>();
    settings.method = "space-time";
    settings.extrapolate = false;
    settings.verify = false;
    const auto begin = std::chrono::steady_clock::now();
    const bool done = invert(p).summary.status == RunStatus::done;
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    seconds = std::min(seconds, spent.count());
    return done;
  }
};

// Each run has twice as much to do as the one before.
bool print_exponents(const char* of, const std::array<BeamRun, 3>& runs, double bar) {
  const double first = std::log2(runs[1].seconds / runs[0].seconds),
               second = std::log2(runs[2].seconds / runs[1].seconds);
  const bool met = second <= bar;
  fmt::print("{:<36}{:>8.2f}{:>8.2f}{:>8.2f}{:>7}{:>12.0f} ms\n", of, first, second, bar, met ? "PASS" : "FAIL",
             1e3 * runs[2].seconds);
  return met;
}

int run() {
  // In instants linear. In elements an elimination whose fronts are as long as the beam: from 1 while other work
  // prevails to 3 for ever longer beams.
  constexpr double instants_bar = 1.2, elements_bar = 2.3;
  bool good = true;
  fmt::print("{:<36}{:>8}{:>8}{:>8}\n", "exponent, from doubling to doubling", "first", "second", "bar");
  for (const auto& [kind, name] : {std::pair(test::BeamKind::rigid_sections, "rigid sections"),
                                   std::pair(test::BeamKind::stretch_and_shear, "stretch and shear")}) {
    std::array<BeamRun, 3> elements{{{4, 0.0025}, {8, 0.0025}, {16, 0.0025}}},
        instants{{{4, 0.005}, {4, 0.0025}, {4, 0.00125}}};
    for (int round = 0; round < rounds; ++round)
      for (std::size_t i = 0; i < 3; ++i) good = elements[i].time(kind) && instants[i].time(kind) && good;
    good = print_exponents(fmt::format("elements 4, 8, 16: {}", name).c_str(), elements, elements_bar) && good;
    good = print_exponents(fmt::format("instants n, 2n, 4n: {}", name).c_str(), instants, instants_bar) && good;
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace invar

int main() { return invar::run(); }

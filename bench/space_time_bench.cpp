// How the time of a whole inversion with space-time, from the text of the model to its inputs, grows with the elements
// of an elastic arm and with the instants: exponents of processor time, from the fastest of interleaved rounds.
#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <limits>
#include <span>
#include <string>

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
    const std::string text = test::beam_arm(elements, kind, false, 0.5 * M_PI, step);
    const std::clock_t begin = std::clock();
    Problem p = read_problem_text(text, "arm.toml");
    InvertSettings& settings = p.settings.of<InvertSettings>();
    settings.method = "space-time";
    settings.extrapolate = false;
    settings.verify = false;
    const bool done = invert(p).summary.status == RunStatus::done;
    seconds = std::min(seconds, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
    if (!done) fmt::print("{} elements with steps of {}: no inputs found\n", elements, step);
    return done;
  }
};

// Each run has twice as much to do as the one before. The exponent of the first `judged` doublings together counts;
// that of every single one is told.
bool print_exponents(const std::string& of, std::span<const BeamRun> runs, double bar, std::size_t judged) {
  const auto exponent = [&](std::size_t from, std::size_t to) {
    return std::log2(runs[to].seconds / runs[from].seconds) / static_cast<double>(to - from);
  };
  std::string single;
  for (std::size_t i = 1; i < runs.size(); ++i) single += fmt::format("{:>7.2f}", exponent(i - 1, i));
  const double whole = exponent(0, judged);
  const bool met = whole <= bar;
  fmt::print("{:<38}{:<24}{:>7.2f}{:>7.2f}{:>6}{:>9.0f} ms\n", of, single, whole, bar, met ? "PASS" : "FAIL",
             1e3 * runs.back().seconds);
  return met;
}

int run() {
  // Linear growth, and some noise. From 16 elements on more motions are slow enough to be carried from instant to
  // instant, until the mesh shows no more of them, and the first attempt on a mesh may fail: that is told, not judged.
  constexpr double bar = 1.1;
  bool good = true;
  fmt::print("{:<38}{:<24}{:>7}{:>7}{:>18}\n", "exponents, from doubling to doubling", "", "whole", "bar", "the last");
  for (const auto& [kind, name] : {std::pair(test::BeamKind::rigid_sections, "rigid sections"),
                                   std::pair(test::BeamKind::stretch_and_shear, "stretch and shear")}) {
    std::array<BeamRun, 4> elements{{{4, 0.0025}, {8, 0.0025}, {16, 0.0025}, {32, 0.0025}}};
    std::array<BeamRun, 3> instants{{{4, 0.005}, {4, 0.0025}, {4, 0.00125}}};
    for (int round = 0; round < rounds; ++round) {
      for (BeamRun& one : elements) good = one.time(kind) && good;
      for (BeamRun& one : instants) good = one.time(kind) && good;
    }
    good = print_exponents(fmt::format("elements 4 to 32: {}", name), elements, bar, 2) && good;
    good = print_exponents(fmt::format("instants n, 2n, 4n: {}", name), instants, bar, 2) && good;
  }
  return good ? 0 : 1;
}

}  // namespace
}  // namespace invar

int main() { return invar::run(); }

// Optimal control of an arm with six joints in directors, against the same in joint coordinates: joints leave six of 78
// coordinates free, and what they fix must not cost anything. Solves begin with the straight line; whole runs try
// several guesses and judge what they find by simulations in the coordinates of the run. Processor time counts, the
// least of the rounds.
//
// The bar holds for schemes that keep constraints at velocity level: their programs have as many unknowns either way.
// Mid-point and energy-momentum schemes also hand on velocities across the constraints, 38 numbers in place of six.
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "bench/ratios.h"
#include "invar/base/error.h"
#include "invar/program/ipopt_solver.h"
#include "invar/read/read_problem.h"
#include "invar/task/optimize/first_guess.h"
#include "invar/task/optimize/optimize.h"
#include "invar/task/optimize/prepare_optimum.h"

namespace invar {
namespace {

constexpr int rounds = 3;
constexpr double most = 2.0;
constexpr std::size_t intervals = 160;

// What the script writes; the benchmark is run where `make` is.
std::string model_text() {
  const std::string command = "python3 bench/models/arm.py --intervals 80";
  FILE* pipe = ::popen(command.c_str(), "r");
  std::string text;
  for (int c = 0; pipe != nullptr && (c = std::fgetc(pipe)) != EOF;) text.push_back(static_cast<char>(c));
  expects(pipe != nullptr && ::pclose(pipe) == 0, "the script of the model runs");
  return text;
}

double seconds_of(const std::function<void()>& work) {
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < rounds; ++round) {
    const std::clock_t begin = std::clock();
    work();
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return least;
}

struct Spent {
  double solve = 0.0, whole = 0.0;
  int iterations = 0;
  bool solved = false;
};

Spent measure(const std::string& text, const std::string& formulation, const std::string& scheme) {
  Problem problem = read_problem_text(text, "arm.toml", {}, formulation);
  problem.settings.of<OptimizeSettings>().scheme = scheme;
  Spent spent;
  spent.whole = seconds_of([&] { optimize(problem); });
  const Prepared prepared(problem);
  const OptimalTask task = prepare_optimum(prepared);
  Transcription form(task.system, task.scheme, task.settings, {}, {}, task.joints);
  MeshMotion guess = first_guess(task, form, intervals, GuessKind::line).value();
  form.guess_unknowns(guess);
  const NonlinearProgram program = form.program(intervals, task.first_node(), task.goal.ranges);
  const std::vector<double> start = form.pack(guess);
  Solution found;
  spent.solve = seconds_of([&] { found = solve(program, start); });
  spent.solved = found.status == SolverStatus::solved;
  spent.iterations = found.iterations;
  return spent;
}

int run() {
  const std::string text = model_text();
  fmt::print("{:<24}{:>22}{:>22}{:>8}{:>6}{:>6}{:>34}\n", "160 intervals", "minimal: iterations, s",
             "director: iterations, s", "ratio", "bar", "", "whole run, 80 intervals, s: ratio");
  bool met = true;
  for (const char* scheme : {"variational", "variational-midpoint", "radau5", "midpoint", "energy-momentum"}) {
    const Spent minimal = measure(text, "minimal", scheme), director = measure(text, "director", scheme);
    const double ratio = director.solve / minimal.solve;
    const bool promised = find_scheme(scheme)->info.velocity_at_nodes;
    const bool good = minimal.solved && director.solved && (!promised || ratio <= most);
    met = met && good;
    fmt::print("{:<24}{:>12}{:>10.3f}{:>12}{:>10.3f}{:>8.2f}{:>6}{:>6}{:>12.2f}{:>10.2f}{:>12.2f}\n", scheme,
               minimal.iterations, minimal.solve, director.iterations, director.solve, ratio,
               promised ? fmt::format("{:.1f}", most) : "", promised || !good ? (good ? "PASS" : "FAIL") : "",
               minimal.whole, director.whole, director.whole / minimal.whole);
  }
  return met ? 0 : 1;
}

}  // namespace
}  // namespace invar

int main() { return invar::run(); }

// One whole Newton iteration of a step of the energy-momentum scheme as one function, interpreted, as machine code and
// in lanes, against the general way: the tape interpreted, a sparse refactorisation and two solutions. Then whole steps
// with the one and the other, as a simulation takes them. Fails if the rotary crane is slower than promised.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "bench/ratios.h"
#include "invar/math/klu_solver.h"
#include "invar/math/linear_solver.h"
#include "invar/math/newton_line.h"
#include "invar/read/read_problem.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/task/run/inputs.h"
#include "invar/task/run/problem_start.h"
#include "invar/task/run/simulate_settings.h"

namespace invar {
namespace {

constexpr int rounds = 60;
constexpr std::size_t points = 32;  // in lanes
constexpr int first_steps = 300;    // after which pivots are known
constexpr int learning = 200;       // solutions
constexpr double finer = 0.25;      // steps than those of the examples, so that all stay within their motion
constexpr int steps = 20;           // of a round
constexpr double any_work = 1e5;
constexpr double same = 1e-9;  // digits of a correction with either order of pivots, relative to the largest
constexpr double compiled_bar = 0.2, lanes_bar = 0.1;

struct Case {
  const char* name;
  const char* folder;
  bool promised;
};

// A stepper that has gone so far that it has what it learns on the way.
struct Motion {
  Stepper stepper;
  Stepper::Inputs inputs;
  double h;
  Stepper::Memory begin;

  Motion(const GivenStart& start, const NewtonOptions& options, const Stepper::Inputs& u, double step, bool compile)
      : stepper(start.system(), *find_scheme("energy-momentum"), {.scheme = {}, .newton = options}),
        inputs(u),
        h(step) {
    if (compile) stepper.compile({});
    stepper.start(start.point().state, h);
    for (int k = 0; k < first_steps; ++k) stepper.advance(h, inputs);
    stepper.save(begin);
  }
  void operator()() {
    stepper.restore(begin);
    for (int k = 0; k < steps; ++k) stepper.advance(h, inputs);
  }
};

// The matrix with rows of size one, as LinearSolver hands it to KLU.
std::vector<double> with_scaled_rows(const Pattern& pattern, std::span<const double> values) {
  std::vector<double> size(pattern.rows, 0.0), scaled(values.begin(), values.end());
  for (std::size_t e = 0; e < values.size(); ++e)
    size[pattern.row[e]] = std::max(size[pattern.row[e]], std::abs(values[e]));
  for (std::size_t e = 0; e < values.size(); ++e) scaled[e] /= size[pattern.row[e]];
  return scaled;
}

double largest_difference(std::span<const double> x, std::span<const double> y) {
  double most = 0.0, size = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    most = std::max(most, std::abs(x[i] - y[i]));
    size = std::max(size, std::abs(x[i]));
  }
  return most / size;
}

bool run_case(const Case& c) {
  const Problem problem = read_problem(std::string("examples/") + c.folder + "/model.toml", {}, "director");
  const SimulateSettings& settings = problem.settings.of<SimulateSettings>();
  const GivenStart start(problem);
  InputValues values(problem.system, settings.inputs, problem.signals);
  const Stepper::Inputs inputs = [&values](double t, std::span<double> u) { values(t, u); };
  const double h = finer * settings.step;
  Motion general(start, {.keep_factors = true, .in_line_after = NewtonOptions::never}, inputs, h, false);
  Motion in_line(start, {.keep_factors = true, .in_line_after = learning}, inputs, h, false);
  Motion general_code(start, {.keep_factors = true, .in_line_after = NewtonOptions::never}, inputs, h, true);
  Motion line_code(start, {.keep_factors = true, .in_line_after = learning}, inputs, h, true);

  const Function& f = general.stepper.residual_function();
  const Pattern& pattern = general.stepper.pattern();
  const auto n = static_cast<std::size_t>(pattern.cols);
  const std::vector<double> in(general.stepper.arguments().begin(), general.stepper.arguments().end());
  const std::optional<Function> line = newton_line(f, pattern, 0, in, any_work);
  if (!line) return false;
  const Function compiled = line->compiled({}), wide = line->compiled_lanes({});
  Scratch scratch, line_scratch, lanes_scratch, wide_scratch;
  std::vector<double> out(f.output_count()), line_out(line->output_count()), b(n), lanes_in, lanes_out;
  for (const double x : in) lanes_in.insert(lanes_in.end(), points, x);
  lanes_out.resize(points * line_out.size());

  f(in, out, scratch);
  const std::vector<double> scaled = with_scaled_rows(pattern, std::span(out).subspan(n));
  const std::vector<double> none(n, 0.0);
  LinearSolver solver(pattern);
  bool well = solver.factor(std::span<const double>(out).subspan(n));
  for (std::size_t i = 0; i < n; ++i) b[i] = -out[i];
  solver.solve(b);
  (*line)(in, line_out, line_scratch);
  const NewtonLine at(line_out);
  const double difference = largest_difference(b, at.correction);
  well = well && difference <= same;
  fmt::print("\n{}: {} unknowns, tape of {} instructions, whole iteration {}; corrections differ by {:.1e}{}\n", c.name,
             n, f.instruction_count(), line->instruction_count(), difference, well ? "" : " FAIL");

  KluSolver klu(pattern);
  const auto bar = [&c](double most) { return c.promised ? std::optional(most) : std::nullopt; };
  const std::vector<Candidate> candidates = {
      {"tape, refactorisation, two solutions",
       [&] {
         f(in, out, scratch);
         klu.factor(scaled, none);
         for (int k = 0; k < 2; ++k) {
           std::copy_n(out.begin(), n, b.begin());
           klu.solve(b);
         }
       },
       1,
       {}},
      {"one function, interpreted", [&] { (*line)(in, line_out, line_scratch); }, 1, {}},
      {"as machine code", [&] { compiled(in, line_out, line_scratch); }, 1, bar(compiled_bar)},
      {"in lanes, interpreted, each", [&] { line->lanes(points, lanes_in, lanes_out, lanes_scratch); }, points, {}},
      {"in lanes, machine code, each", [&] { wide.lanes(points, lanes_in, lanes_out, wide_scratch); }, points,
       bar(lanes_bar)},
      {"a step in general, interpreted", std::ref(general), steps, {}},
      {"a step in line, interpreted", std::ref(in_line), steps, {}, 5},
      {"a step in general, machine code", std::ref(general_code), steps, {}, 5},
      {"a step in line, machine code", std::ref(line_code), steps, {}, 5}};
  return print_ratios(candidates, fastest(candidates, rounds)) && well;
}

int run() {
  bool well = true;
  for (const Case& c : {Case{"double pendulum", "double_pendulum_bodies", false}, Case{"heavy top", "heavy_top", false},
                        Case{"four bars", "four_bars", false}, Case{"Andrews", "andrews_bodies", false},
                        Case{"rotary crane", "rotary_crane_bodies", true}})
    well = run_case(c) && well;
  return well ? 0 : 1;
}

}  // namespace
}  // namespace invar

int main() { return invar::run(); }

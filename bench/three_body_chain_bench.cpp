// Residual and Jacobian of one energy-momentum step of three bodies in director coordinates: written by hand, against
// the graph interpreted, in vector lanes and compiled to C. Fails if the graph is slower than promised.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <random>
#include <span>

#include "bench/ratios.h"
#include "bench/three_body_chain_by_hand.h"
#include "bench/three_body_chain_system.h"
#include "invar/math/linear_solver.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/tape/machine_code.h"

namespace invar {
namespace {

constexpr std::size_t in_count = sizeof(by_hand::Arguments) / sizeof(double);
constexpr std::size_t out_count = sizeof(by_hand::Result) / sizeof(double);
// Numbers of points for lanes: few, in the caches, the last pack not full, rows that collide in the caches, beyond the
// caches. The yardstick is the hand-written code on as many points, since a sweep wants all results and not the last
// one. The bar is for sets that stay in the caches, with rows of an odd number of cache lines: larger ones are limited
// by memory and are best handed over in such sets.
constexpr std::array<std::size_t, 6> point_counts = {8, 24, 72, 100, 512, 1000};
constexpr std::size_t most_with_bar = 72;
constexpr std::size_t point_count = 64;
constexpr int rounds = 1000;
constexpr double tolerance = 1e-12;  // sums of a few dozen terms of size one, differently ordered

// There are 660 results for 820 instructions: storing them takes most of the time.
// Kept on an AMD EPYC with AVX-512 (0.24 and 0.40 of hand-written, GCC 12). An Intel Xeon with AVX-512 gains less from
// lanes: 0.40 to 0.44 and 0.73 to 0.81 (GCC 13).
constexpr double wide_bar = 0.3, narrow_bar = 0.5;  // eight at a time, with AVX-512; four, with AVX2
constexpr std::size_t narrow = 4, wide = 8;

struct Point {
  by_hand::Arguments in;
  by_hand::Result out;
};

std::span<const double> numbers(const by_hand::Arguments& in) {
  return {reinterpret_cast<const double*>(&in), in_count};
}
std::span<const double> numbers(const by_hand::Result& out) {
  return {reinterpret_cast<const double*>(&out), out_count};
}

std::vector<Point> random_points() {
  std::mt19937_64 random(20);
  std::uniform_real_distribution<double> any(-1.0, 1.0), positive(0.5, 1.5);
  std::vector<Point> points(point_count);
  for (Point& point : points) {
    std::array<double, in_count> x;
    for (double& value : x) value = any(random);
    std::memcpy(&point.in, x.data(), sizeof(point.in));
    point.in.h = 0.01;
    for (auto& body : point.in.p.inertia)
      for (double& inertia : body) inertia = positive(random);
    by_hand::residual_and_jacobian(point.in, point.out);
  }
  return points;
}

// Largest difference, relative where the numbers are larger than one.
double difference(std::span<const double> x, std::span<const double> y) {
  double worst = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double d = std::abs(x[i] - y[i]) / std::max(1.0, std::abs(x[i]));
    if (!(d <= worst)) worst = d;
  }
  return worst;
}

// Numbers of n points (the given ones again and again), one quantity after the other.
struct Lanes {
  std::size_t n;
  std::vector<double> memory;
  std::span<double> in, out;
  Scratch scratch;

  Lanes(const std::vector<Point>& points, std::size_t count) : n(count), memory((in_count + out_count) * n + 16) {
    // On lines of the cache: a vector access across two of them takes twice the time.
    constexpr std::size_t line = 64 / sizeof(double);
    const std::size_t first = line - reinterpret_cast<std::uintptr_t>(memory.data()) / sizeof(double) % line;
    in = std::span(memory).subspan(first, in_count * n);
    out = std::span(memory).subspan((first + in_count * n + line - 1) / line * line + first % line, out_count * n);
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t i = 0; i < in_count; ++i) in[i * n + p] = numbers(points[p % points.size()].in)[i];
  }
  void evaluate(const Function& f) { f.lanes(n, in, out, scratch); }
  std::vector<double> result(std::size_t p) const {
    std::vector<double> one(out_count);
    for (std::size_t i = 0; i < out_count; ++i) one[i] = out[i * n + p];
    return one;
  }
};

bool agree(const std::vector<Point>& points, const Function& interpreted, const Function& compiled, Lanes& lanes) {
  Scratch scratch;
  std::vector<double> out(out_count);
  double worst = 0.0;
  lanes.evaluate(interpreted);
  for (std::size_t p = 0; p < point_count; ++p) {
    const std::span<const double> expected = numbers(points[p].out);
    interpreted(numbers(points[p].in), out, scratch);
    worst = std::max(worst, difference(expected, out));
    compiled(numbers(points[p].in), out, scratch);
    worst = std::max(worst, difference(expected, out));
    worst = std::max(worst, difference(expected, lanes.result(p)));
  }
  fmt::print("largest difference to the hand-written values: {:.1e}\n", worst);
  return worst <= tolerance;
}

int run() {
  const Stepper stepper(ThreeBodyChain::system(), *find_scheme("energy-momentum"));
  const Function& interpreted = stepper.residual_function();
  const Pattern& pattern = stepper.pattern();
  fmt::print("{} unknowns, {} Jacobian entries; tape: {} instructions, {} registers\n", pattern.cols, pattern.size(),
             interpreted.instruction_count(), interpreted.register_count());
  if (interpreted.input_count() != in_count || interpreted.output_count() != out_count) {
    fmt::print("FAIL: the hand-written step has another shape\n");
    return 1;
  }
  const Function compiled = interpreted.compiled({}), wide_code = interpreted.compiled_lanes({}),
                 narrow_code = interpreted.compiled_lanes({}, narrow);
  if (!compiled.is_compiled() || !wide_code.has_compiled_lanes() || !narrow_code.has_compiled_lanes()) {
    fmt::print("FAIL: no C compiler\n");
    return 1;
  }
  std::vector<Point> points = random_points();
  Lanes lanes(points, point_count);
  if (!agree(points, interpreted, compiled, lanes)) {
    fmt::print("FAIL: hand-written and graph disagree\n");
    return 1;
  }

  by_hand::Arguments& x = points[0].in;
  by_hand::Result by_hand_result;
  // All write to the same place: how inputs and results lie to each other in memory changes times by a quarter.
  const std::span<double> out(reinterpret_cast<double*>(&by_hand_result), out_count);
  std::vector<double> b(by_hand::unknown_count);
  Scratch scratch;
  LinearSolver solver(pattern, LinearSolver::Kind::sparse);
  bool regular = true;
  std::vector<Candidate> candidates = {
      {"hand-written", [&] { by_hand::residual_and_jacobian(x, by_hand_result); }, 1, {}},
      {"graph compiled to C", [&] { compiled(numbers(x), out, scratch); }, 1, 1.0},
      {"graph interpreted", [&] { interpreted(numbers(x), out, scratch); }, 1, 8.0},
      {"sparse refactorisation and solution",
       [&] {
         regular = solver.factor(by_hand_result.jacobian) && regular;
         std::copy_n(out.begin(), b.size(), b.begin());
         solver.solve(b);
       },
       1,
       {}}};
  const double bar = vector_unit(any_width).width >= wide ? wide_bar : narrow_bar;
  std::deque<Lanes> sweeps;
  std::deque<std::vector<Point>> plain;
  for (const std::size_t n : point_counts) {
    Lanes& in_lanes = sweeps.emplace_back(points, n);
    std::vector<Point>& one_by_one = plain.emplace_back(n);
    for (std::size_t p = 0; p < n; ++p) one_by_one[p] = points[p % points.size()];
    candidates.push_back({fmt::format("hand-written, {} points, each", n),
                          [&one_by_one] {
                            for (Point& p : one_by_one) by_hand::residual_and_jacobian(p.in, p.out);
                          },
                          n,
                          {}});
    candidates.push_back({fmt::format("graph in lanes, {} points, each", n),
                          [&interpreted, &in_lanes] { in_lanes.evaluate(interpreted); }, n,
                          n <= most_with_bar ? std::optional(1.5) : std::nullopt, candidates.size() - 1});
    candidates.push_back({fmt::format("compiled lanes, {} points, each", n),
                          [&wide_code, &in_lanes] { in_lanes.evaluate(wide_code); }, n,
                          n <= most_with_bar ? std::optional(bar) : std::nullopt, candidates.size() - 2});
    candidates.push_back({fmt::format("the same, four at a time, {}", n),
                          [&narrow_code, &in_lanes] { in_lanes.evaluate(narrow_code); }, n,
                          n <= most_with_bar ? std::optional(narrow_bar) : std::nullopt, candidates.size() - 3});
  }
  const bool met = print_ratios(candidates, fastest(candidates, rounds));
  if (!regular) fmt::print("FAIL: the Jacobian is singular\n");
  return met && regular ? 0 : 1;
}

}  // namespace
}  // namespace invar

int main() { return invar::run(); }

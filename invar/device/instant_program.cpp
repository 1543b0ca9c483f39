// See instant_program.h.
#include "invar/device/instant_program.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <numeric>

#include "invar/device/step_kernel.h"
#include "invar/device/sweep_coefficients.h"
#include "invar/tape/statements.h"

namespace invar {

namespace {

constexpr int sweeps_at_first = 12, most_sweeps_then = 6;  // the latter as in sweep.cpp

double order_factorial(std::size_t n) { return std::tgamma(static_cast<double>(n) + 1.0); }

auto reference_writer(const Sweep& sweep) {
  return [references = sweep.references(), lengths = sweep.reference_lengths()](
             double t, double h, const StepProgram::Inputs&, std::span<double> row) {
    row[0] = t + h;
    std::size_t at = 1;
    for (std::size_t r = 0; r < references.size(); ++r) {
      references[r].function->series(row[0], Side::right, row.subspan(at, lengths[r]));
      at += lengths[r];
    }
  };
}

// X from the coefficients before: of none, one, two or three instants, or by the cubic through four.
std::string prediction(std::size_t needed, std::size_t wanted) {
  return fmt::format(R"c(
    const long long age = (long long)known;
    const double *const x1 = past + (age + 3) % 4 * {0} * n, *const x2 = past + (age + 2) % 4 * {0} * n;
    const double *const x3 = past + (age + 1) % 4 * {0} * n, *const x4 = past + age % 4 * {0} * n;
    UNROLL for (int k = 0; k < {0}; ++k)
      X[k] = age == 0   ? node[{1} + k]
             : age == 1 ? x1[k * n]
             : age == 2 ? 2.0 * x1[k * n] - x2[k * n]
             : age == 3 ? 3.0 * (x1[k * n] - x2[k * n]) + x3[k * n]
                        : 4.0 * (x1[k * n] + x3[k * n]) - 6.0 * x2[k * n] - x4[k * n];
)c",
                     needed, wanted);
}

}  // namespace

StepProgram instant_program(const Sweep& sweep, std::span<const Jet> samples, std::span<const WantedValue> wanted,
                            std::size_t own, std::size_t every) {
  const std::vector<SweepCoefficient> needed = needed_coefficients(sweep);
  const std::vector<double> scale = change_scales(sweep, samples, needed);
  const std::size_t coefficients = sweep.function().output_count(), values = wanted.size(), n = needed.size();
  const std::vector<std::size_t>& lengths = sweep.reference_lengths();
  const std::size_t references = std::accumulate(lengths.begin(), lengths.end(), std::size_t{0});
  StepProgram program;
  program.state = values + n;
  program.watched = values;
  program.every = every;
  program.memory = 2 + 4 * n;
  program.own = own;
  program.row = 1 + references;
  program.write_row = reference_writer(sweep);

  std::vector<std::size_t> place(coefficients, coefficients);
  for (std::size_t k = 0; k < n; ++k) place[needed[k].place] = k;
  const auto input = [&](std::size_t k) {
    if (k < coefficients) return place[k] < coefficients ? element("X", place[k]) : std::string("0.0");
    k -= coefficients;
    if (k < references) return fmt::format("LOAD(row[{}])", 1 + k);
    k -= references;
    return k == 0 ? std::string("LOAD(row[0])") : element("own", k - 1);
  };
  const auto output = [&](std::size_t k, std::span<const std::string> value) {
    std::string text;
    if (place[k] < coefficients) text += element("Y", place[k]) + " = " + value[0] + ";\n";
    for (std::size_t w = 0; w < values; ++w)
      if (sweep.first(wanted[w].unknown) + wanted[w].order == k)
        text += fmt::format("now[{}] = {} * {};\n", w, kernel_number(order_factorial(wanted[w].order)), value[0]);
    return text;
  };
  const KernelFunction all_stages =
      kernel_function("all_stages", "const double *X, const double *row, const double *own, double *Y, double *now",
                      "X, row, own, Y, now", sweep.function(), {.input = input, .output = output});
  std::string changes;
  for (std::size_t k = 0; k < n; ++k) {
    changes += fmt::format("      change = fabs(Y[{0}] - X[{0}]) * {1};\n      worst = fmax(worst, change);\n", k,
                           kernel_number(scale[k]));
    if (needed[k].order == 0) changes += "      off = fmax(off, change);\n";
    changes += fmt::format("      sum += 0.0 * Y[{0}];\n      X[{0}] = Y[{0}];\n", k);
  }

  StepText text;
  text.tables = all_stages.definition;
  text.begin = R"c(
  double *const past = A->array[5] + 2 * n + p;
  double known = A->array[5][p], iterations = A->array[5][n + p];
)c";
  text.step = fmt::format("    double X[{0}], Y[{0}], now[{1}];\n", n + 1, values + 1) + prediction(n, values) +
              fmt::format(R"c(
    int done = 0;
    ROLL for (int k = 0; k < (age == 0 ? {} : {}); ++k) {{
      iterations += 1.0;
)c",
                          sweeps_at_first, most_sweeps_then) +
              all_stages.call + "      double change = 0.0, worst = 0.0, off = 0.0, sum = 0.0;\n" + changes +
              fmt::format(R"c(
      if (!(sum == 0.0) || (k == 0 && age > 1 && off > {0})) break;
      done = worst <= {1};
      if (done) break;
    }}
    UNROLL for (int k = 0; k < {2}; ++k) done &= now[k] - now[k] == 0.0;
    leave = !done;
    if (done) {{
      UNROLL for (int k = 0; k < {2}; ++k) node[k] = now[k];
      double *const latest = past + age % 4 * {3} * n;
      UNROLL for (int k = 0; k < {3}; ++k) latest[k * n] = X[k];
      known += 1.0;
    }}
)c",
                          kernel_number(worthless_prediction), kernel_number(sweep_is_solved), values, n);
  text.end = "\n  A->array[5][p] = known;\n  A->array[5][n + p] = iterations;\n";
  program.kernel = step_kernel(program, text);
  return program;
}

std::vector<double> instant_node(const Sweep& sweep, const Jet& jet, std::span<const WantedValue> wanted) {
  std::vector<double> node;
  const auto derivative = [&](std::size_t j, std::size_t n) { return n < jet.x[j].size() ? jet.x[j][n] : 0.0; };
  for (const WantedValue& w : wanted) node.push_back(derivative(w.unknown, w.order));
  for (const SweepCoefficient& c : needed_coefficients(sweep))
    node.push_back(derivative(c.unknown, c.order) / order_factorial(c.order));
  return node;
}

}  // namespace invar

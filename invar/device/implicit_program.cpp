// See step_program.h; newton.h for what is small and what is round-off.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <memory>

#include "invar/device/step_kernel.h"
#include "invar/math/newton_line.h"
#include "invar/tape/statements.h"

namespace invar {

namespace {

constexpr double most_work = 2e4;               // of an elimination
constexpr int most_iterations = 8;              // of which each contracts by half
constexpr double worth_judging = 1e-9;          // corrections of this size, relative, may leave nothing but round-off
constexpr double most_loss_of_rows = 1.0 / 64;  // as in newton_line.cpp

// Unknowns of so many steps lead to the next, by the polynomial through them: of more where an iteration, with so many
// operations, takes much more than to load those of three further steps.
constexpr std::size_t few_steps = 4, more_steps = 7, dear_iteration = 2500;

// Texts of the arguments of a step's functions.
class StepArguments {
 public:
  StepArguments(const StepFormulas& f, const KernelParameters& parameters) : f_(f), parameters_(parameters) {}

  // Rows are t, h, inputs, given functions.
  std::string operator()(std::size_t k) const {
    if (k < f_.unknowns()) return element("x", k);
    if (k + 2 == f_.node || k + 1 == f_.node) return row(k + 2 - f_.node);
    if (k < f_.inputs) return element("node", k - f_.node);
    if (k < f_.parameters) return row(2 + k - f_.inputs);
    if (k < f_.pace()) return parameter_text(parameters_, k - f_.parameters);
    if (k == f_.pace()) return "fabs(" + row(1) + ")";
    if (k < f_.first_given()) return "0.0";
    return row(2 + f_.parameters - f_.inputs + k - f_.first_given());
  }

 private:
  static std::string row(std::size_t k) { return fmt::format("LOAD(row[{}])", k); }
  const StepFormulas& f_;
  const KernelParameters& parameters_;
};

auto into(const char* array) {
  return [array](std::size_t k, std::span<const std::string> value) {
    return element(array, k) + " = " + value[0] + ";\n";
  };
}

// The size of a correction relative to the unknowns, those of each kind by the largest of them.
std::string correction_length(const std::vector<int>& kinds) {
  const int count = *std::ranges::max_element(kinds) + 1;
  std::string text;
  text += fmt::format("double g[{0}], squares[{0}], length = 0.0;\n", count);
  text += fmt::format("UNROLL for (int k = 0; k < {}; ++k) g[k] = 1e-300, squares[k] = 0.0;\n", count);
  for (std::size_t j = 0; j < kinds.size(); ++j)
    text += fmt::format("g[{0}] = fmax(g[{0}], fabs(x[{1}]) + fabs(c[{1}]));\nsquares[{0}] += c[{1}] * c[{1}];\n",
                        kinds[j], j);
  text += fmt::format("UNROLL for (int k = 0; k < {}; ++k) length += squares[k] / g[k] / g[k];\n", count);
  return text + "length = sqrt(length);\n";
}

std::shared_ptr<std::vector<double>> room(std::size_t size) { return std::make_shared<std::vector<double>>(size); }

double most_loss(std::size_t n) {
  return most_loss_of_rows / (static_cast<double>(n) * std::numeric_limits<double>::epsilon());
}

// If none serves everywhere, that of the first place.
std::optional<Function> correction_that_serves(const StepFormulas& f, std::span<const std::vector<double>> places) {
  std::optional<Function> first;
  Scratch scratch;
  std::vector<double> out(f.unknowns() + 1);
  for (const std::vector<double>& place : places) {
    std::optional<Function> correction = newton_correction(f.residual, f.pattern, 0, place, most_work);
    if (!correction) continue;
    const bool serves = std::ranges::all_of(places, [&](const std::vector<double>& other) {
      (*correction)(other, out, scratch);
      return out.back() <= most_loss(f.unknowns());
    });
    if (serves) return correction;
    if (!first) first = std::move(correction);
  }
  return first;
}

// x_k = Σ_i (-1)^(i+1) C(count, i) times unknown k of i steps ago.
std::string extrapolation(std::size_t count, std::size_t unknowns) {
  std::string places, sum;
  double binomial = 1.0;
  for (std::size_t i = 1; i <= count; ++i) {
    binomial *= static_cast<double>(count - i + 1) / static_cast<double>(i);
    places += fmt::format("      const double *const x{} = past + (age + {}) % {} * {} * n;\n", i, count - i, count,
                          unknowns);
    sum += fmt::format(" {} {} * x{}[k * n]", i % 2 == 1 ? '+' : '-', kernel_number(binomial), i);
  }
  return places + fmt::format("      UNROLL for (int k = 0; k < {}; ++k) x[k] = 0.0{};\n", unknowns, sum);
}

auto row_writer(const StepFormulas& f) {
  return [f, scratch = std::make_shared<Scratch>(), instants = room(f.given.size()), series = room(0)](
             double t, double h, const StepProgram::Inputs& inputs, std::span<double> row) {
    row[0] = t;
    row[1] = h;
    for (std::size_t k = 0; f.input_width > 0 && k < f.fractions.size(); ++k)
      inputs(t + f.fractions[k] * h, row.subspan(2 + k * f.input_width, f.input_width));
    if (f.given.empty()) return;
    f.instants(row.first(2), *instants, *scratch);
    double* value = row.data() + row.size() - f.given.size();
    for (std::size_t k = 0; k < f.given.size(); ++k) {
      const std::size_t order = f.given[k].order;
      series->resize(order + 1);
      f.given[k].function->series((*instants)[k], (*instants)[k] > t ? Side::left : Side::right, *series);
      value[k] = series->back();
      for (std::size_t i = 2; i <= order; ++i) value[k] *= static_cast<double>(i);
    }
  };
}

}  // namespace

std::optional<StepProgram> implicit_program(const StepFormulas& f, double tolerance, std::span<const double> place,
                                            const KernelParameters& parameters, std::size_t watched,
                                            std::size_t every) {
  const std::vector<double> places[] = {{place.begin(), place.end()}};
  return implicit_program(f, tolerance, places, parameters, watched, every);
}

std::optional<StepProgram> implicit_program(const StepFormulas& f, double tolerance,
                                            std::span<const std::vector<double>> places,
                                            const KernelParameters& parameters, std::size_t watched,
                                            std::size_t every) {
  const std::optional<Function> correction = correction_that_serves(f, places);
  if (!correction) return std::nullopt;
  const std::size_t steps_remembered = correction->instruction_count() > dear_iteration ? more_steps : few_steps;
  const Function sizes = newton_sizes(f.residual, f.pattern, 0);
  const std::size_t n = f.unknowns(), arguments = f.residual.input_count();
  const double epsilon = std::numeric_limits<double>::epsilon();
  const StepArguments argument(f, parameters);

  StepProgram program;
  program.state = f.node_size;
  program.watched = watched;
  program.every = every;
  program.memory = 2 + steps_remembered * n;
  program.own = parameters.own.size();
  program.row = 2 + (f.parameters - f.inputs) + f.given.size();
  program.write_row = row_writer(f);

  const auto with_sizes = [&](std::size_t k) {
    if (k < arguments) return argument(k);
    if (k < arguments + n) return element("c", k - arguments);
    return element("g", static_cast<std::size_t>(f.kinds[k - arguments - n]));
  };
  const auto judge = [&](std::size_t, std::span<const std::string> of) {
    return fmt::format(
        "is[0] &= fabs({0}) <= {4} * ({1}) + 1e-300;\nis[1] &= fabs({0}) <= {4} * ({2}) + 1e-300;\n"
        "is[2] &= fabs({3}) <= {4} * (({1}) + ({2})) + 1e-300;\n",
        of[0], of[1], of[2], of[3], kernel_number(tolerance));
  };
  const std::string place = "const double *x, const double *node, const double *row, const double *own";
  const KernelFunction guess =
      kernel_function("guess", "double *x, const double *node, const double *row, const double *own",
                      "x, node, row, own", f.guess, {.input = argument, .output = into("x")});
  const KernelFunction correct = kernel_function("correct", place + ", double *c", "x, node, row, own, c", *correction,
                                                 {.input = argument, .output = into("c")});
  const KernelFunction sizes_of =
      kernel_function("sizes", place + ", const double *c, const double *g, int *is", "x, node, row, own, c, g, is",
                      sizes, {.input = with_sizes, .output = judge, .group = 4});
  const KernelFunction carry = kernel_function("carry", place + ", double *next", "x, node, row, own, next", f.carry,
                                               {.input = argument, .output = into("next")});
  StepText text;
  text.tables = guess.definition + correct.definition + sizes_of.definition + carry.definition;
  text.begin = R"c(
  double *const past = A->array[5] + 2 * n + p;
  double known = A->array[5][p], iterations = A->array[5][n + p];
)c";
  text.step = fmt::format(R"c(
    double x[{0}], c[{0} + 1];
    const long long age = (long long)known;
    if (age < {1}) {{
)c",
                          n, steps_remembered) +
              guess.call + "    } else {\n" + extrapolation(steps_remembered, n) +
              fmt::format(R"c(
    }}
    int found = 0;
    double before = INFINITY;
    ROLL for (int iteration = 0; iteration < {}; ++iteration) {{
      iterations += 1.0;
)c",
                          most_iterations) +
              correct.call + correction_length(f.kinds) +
              fmt::format(R"c(
      if (!(c[{3}] <= {0}) || !(length < INFINITY)) break;
      const int shrinks = length <= (iteration < 2 ? 1.0 : 0.5) * before || length <= {1};
      if (length <= {2} || !shrinks) {{
        int is[3] = {{1, 1, 1}};  /* small, at its floor, solved by the elimination */
)c",
                          kernel_number(most_loss(n)), kernel_number(8 * epsilon * std::sqrt(static_cast<double>(n))),
                          kernel_number(worth_judging), n) +
              sizes_of.call +
              fmt::format(R"c(
        if (!is[2]) break;
        found = is[0] || (is[1] && (!shrinks || length <= {1}));
        if (!found && !shrinks) break;
      }}
      if (shrinks) UNROLL for (int k = 0; k < {0}; ++k) x[k] += c[k];
      if (found) break;
      before = fmax(length, 1e-300);
    }}
    leave = !found;
    if (found) {{
      double next[{2}];
)c",
                          n, kernel_number(tolerance), f.node_size) +
              carry.call +
              fmt::format(R"c(
      double sum = 0.0;
      UNROLL for (int k = 0; k < {1}; ++k) sum += 0.0 * next[k];
      leave = !(sum == 0.0);
      if (!leave) {{
        UNROLL for (int k = 0; k < {1}; ++k) node[k] = next[k];
        double *const latest = past + age % {2} * {0} * n;
        UNROLL for (int k = 0; k < {0}; ++k) latest[k * n] = x[k];
        known += 1.0;
      }}
    }}
)c",
                          n, f.node_size, steps_remembered);
  text.end = "\n  A->array[5][p] = known;\n  A->array[5][n + p] = iterations;\n";
  program.kernel = step_kernel(program, text);
  return program;
}

}  // namespace invar

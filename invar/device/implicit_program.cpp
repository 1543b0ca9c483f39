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

constexpr double most_work = 2e4;              // of an elimination
constexpr int most_iterations = 8;             // of which each contracts by half
constexpr double worth_judging = 1e-9;         // corrections of this size, relative, may leave nothing but round-off
constexpr double most_loss_of_rows = 1.0 / 64;  // as in newton_line.cpp
constexpr std::size_t differences = 4;         // of the unknowns of steps before, from which the next are guessed

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
  for (int g = 0; g < count; ++g) text += fmt::format("double g{0} = 1e-300, c{0} = 0.0;\n", g);
  for (std::size_t j = 0; j < kinds.size(); ++j)
    text += fmt::format("g{0} = fmax(g{0}, fabs(x[{1}]) + fabs(c[{1}]));\nc{0} += c[{1}] * c[{1}];\n", kinds[j], j);
  text += "double length = 0.0;\n";
  for (int g = 0; g < count; ++g) text += fmt::format("length += c{0} / g{0} / g{0};\n", g);
  return text + "length = sqrt(length);\n";
}

std::shared_ptr<std::vector<double>> room(std::size_t size) { return std::make_shared<std::vector<double>>(size); }

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

std::optional<StepProgram> implicit_program(const StepFormulas& f, double tolerance, std::span<const double> typical,
                                            const KernelParameters& parameters, std::size_t watched) {
  const std::optional<Function> correction = newton_correction(f.residual, f.pattern, 0, typical, most_work);
  if (!correction) return std::nullopt;
  const Function sizes = newton_sizes(f.residual, f.pattern, 0);
  const std::size_t n = f.unknowns(), arguments = f.residual.input_count();
  const double epsilon = std::numeric_limits<double>::epsilon();
  const StepArguments argument(f, parameters);

  StepProgram program;
  program.state = f.node_size;
  program.watched = watched;
  program.memory = 2 + differences * n;
  program.own = parameters.own.size();
  program.row = 2 + (f.parameters - f.inputs) + f.given.size();
  program.write_row = row_writer(f);

  const auto loss_and_correction = [n](std::size_t k, std::span<const std::string> value) {
    return (k == n ? "loss" : element("c", k)) + " = " + value[0] + ";\n";
  };
  const auto with_sizes = [&](std::size_t k) {
    if (k < arguments) return argument(k);
    if (k < arguments + n) return element("c", k - arguments);
    return fmt::format("g{}", f.kinds[k - arguments - n]);
  };
  const auto judge = [&](std::size_t, std::span<const std::string> of) {
    return fmt::format(
        "small = small && fabs({0}) <= {4} * ({1}) + 1e-300;\nfloor = floor && fabs({0}) <= {4} * ({2}) + 1e-300;\n"
        "serves = serves && fabs({3}) <= {4} * (({1}) + ({2})) + 1e-300;\n",
        of[0], of[1], of[2], of[3], kernel_number(tolerance));
  };
  StepText text;
  text.begin = std::string(R"c(
  double *const past = A->array[5] + 2 * n + p;
  double known = A->array[5][p], iterations = A->array[5][n + p];
)c");
  text.step = fmt::format("    double x[{0}], c[{0}];\n    if (known < {1}.0) {{\n", n, differences) +
              statements(f.guess, {.input = argument, .output = into("x")}) +
              fmt::format(
                  R"c(    }} else {{
      UNROLL for (int k = 0; k < {0}; ++k) {{
        x[k] = past[k * n];
        UNROLL for (int d = 1; d < {2}; ++d) x[k] += past[(d * {0} + k) * n];
      }}
    }}
    int found = 0;
    double before = INFINITY;
    ROLL for (int iteration = 0; iteration < {1}; ++iteration) {{
      double loss;
      iterations += 1.0;
      {{
)c",
                  n, most_iterations, differences) +
              statements(*correction, {.input = argument, .output = loss_and_correction}) + "      }\n" +
              correction_length(f.kinds) +
              fmt::format(
                  R"c(      if (!(loss <= {0}) || !(length < INFINITY)) break;
      const int shrinks = length <= 0.5 * before || length <= {1};
      if (length <= {2} || !shrinks) {{
        int small = 1, floor = 1, serves = 1;
        {{
)c",
                  kernel_number(most_loss_of_rows / (static_cast<double>(n) * epsilon)),
                  kernel_number(8 * epsilon * std::sqrt(static_cast<double>(n))), kernel_number(worth_judging)) +
              statements(sizes, {.input = with_sizes, .output = judge, .group = 4}) +
              fmt::format(
                  R"c(        }}
        if (!serves) break;
        found = small || (floor && (!shrinks || length <= {1}));
        if (!found && !shrinks) break;
      }}
      if (shrinks) UNROLL for (int k = 0; k < {0}; ++k) x[k] += c[k];
      if (found) break;
      before = fmax(length, 1e-300);
    }}
    leave = !found;
    if (found) {{
      double next[{2}];
      {{
)c",
                  n, kernel_number(tolerance), f.node_size) +
              statements(f.carry, {.input = argument, .output = into("next")}) +
              fmt::format(
                  R"c(      }}
      double sum = 0.0;
      UNROLL for (int k = 0; k < {1}; ++k) sum += 0.0 * next[k];
      leave = !(sum == 0.0);
      if (!leave) {{
        UNROLL for (int k = 0; k < {1}; ++k) node[k] = next[k];
        UNROLL for (int k = 0; k < {0}; ++k) {{
          double change = x[k];
          UNROLL for (int d = 0; d < {2}; ++d) {{
            double *const at = past + (d * {0} + k) * n;
            const double older = *at;
            *at = change;
            change -= older;
          }}
        }}
        known += 1.0;
      }}
    }}
)c",
                  n, f.node_size, differences);
  text.end = "\n  A->array[5][p] = known;\n  A->array[5][n + p] = iterations;\n";
  program.kernel = step_kernel(program, text);
  return program;
}

}  // namespace invar

// See step_program.h. The stages are a loop around the one copy of the accelerations; their results stand in arrays,
// as in lane_steps.cpp, and are added in the same order.
#include <fmt/format.h>

#include "invar/base/error.h"
#include "invar/device/step_kernel.h"
#include "invar/expr/lists.h"
#include "invar/scheme/steps/lane_steps.h"
#include "invar/system/articulated.h"
#include "invar/system/reference_values.h"
#include "invar/tape/statements.h"

namespace invar {

namespace {

// Rows of equal length.
std::string table(const char* name, const std::vector<std::vector<double>>& rows, std::size_t length) {
  std::string text = fmt::format("CONSTANT double {}[{}] = {{", name, rows.size() * length);
  for (const std::vector<double>& row : rows)
    for (std::size_t k = 0; k < length; ++k) text += kernel_number(k < row.size() ? row[k] : 0.0) + ", ";
  return text + "};\n";
}

// |p| = 1 and p·p' = 0 of Euler parameters.
std::string unit_lengths(const std::vector<std::size_t>& balls, std::size_t n) {
  std::string text;
  for (const std::size_t ball : balls)
    text += fmt::format(
        R"c(    {{
      double length = 0.0, along = 0.0;
      UNROLL for (int k = {0}; k < {1}; ++k) length += x[k] * x[k];
      const double share = 1.0 / sqrt(length);
      UNROLL for (int k = {0}; k < {1}; ++k) along += (x[k] *= share) * x[{2} + k];
      UNROLL for (int k = {0}; k < {1}; ++k) x[{2} + k] -= along * x[k];
    }}
)c",
        ball, ball + 4, n);
  return text;
}

}  // namespace

StepProgram explicit_program(const System& system, const RungeKutta& method, std::span<const Reference> references,
                             const KernelParameters& parameters, std::size_t watched, std::size_t every) {
  expects(LaneSteps::fits(system), "accelerations that are formulas");
  const Equations e = equations(system);
  const Exprs acceleration = lane_accelerations(system, e);
  const auto given = std::make_shared<ReferenceValues>(acceleration, references);
  Exprs arguments = {e.t};
  for (const Exprs& part : {e.q, e.v, e.u, invar::parameters(system), given->symbols()}) append(arguments, part);
  const Function function(arguments, acceleration, "accelerations");

  const std::size_t n = system.coordinates.size(), inputs = system.inputs.size(), stages = method.c.size();
  const std::size_t stage_row = 1 + inputs + given->symbols().size();
  StepProgram program;
  program.state = 2 * n;
  program.watched = watched;
  program.every = every;
  program.own = parameters.own.size();
  program.row = 1 + stages * stage_row;
  program.write_row = [given, c = method.c, inputs, stage_row](double t, double h, const StepProgram::Inputs& u,
                                                               std::span<double> row) {
    row[0] = h;
    for (std::size_t i = 0; i < c.size(); ++i) {
      const std::span<double> of = row.subspan(1 + i * stage_row, stage_row);
      of[0] = t + c[i] * h;
      if (inputs > 0) u(of[0], of.subspan(1, inputs));
      (*given)(of[0], of.subspan(1 + inputs), c[i] * h > 0.0 ? Side::left : Side::right);
    }
  };

  const auto input = [&](std::size_t k) {
    if (k == 0) return std::string("LOAD(at[0])");
    if (k <= 2 * n) return element("x", k - 1);
    k -= 1 + 2 * n;
    if (k < inputs) return fmt::format("LOAD(at[{}])", 1 + k);
    k -= inputs;
    if (k < parameters.values.size()) return parameter_text(parameters, k);
    return fmt::format("LOAD(at[{}])", 1 + inputs + k - parameters.values.size());
  };
  const auto output = [](std::size_t k, std::span<const std::string> value) {
    return element("a", k) + " = " + value[0] + ";\n";
  };
  const std::vector<std::size_t> balls = is_open_tree(system) ? system.tree->balls() : std::vector<std::size_t>();
  const auto sum = [&](const char* weights) {
    return fmt::format(
        R"c(      const double w = h * {1};
      if (w != 0.0) UNROLL for (int k = 0; k < {0}; ++k) {{
        x[k] += w * rate[j * {0} + k];
        x[{0} + k] += w * change[j * {0} + k];
      }}
)c",
        n, weights);
  };
  StepText text;
  text.tables = table("stage_weight", method.a, stages) + table("end_weight", {method.end_weights()}, stages);
  text.step = fmt::format(
      R"c(    const double h = LOAD(row[0]);
    double x[{0}], rate[{1}], change[{1}];
    ROLL for (int i = 0; i < {2}; ++i) {{
      const double *const at = row + 1 + i * {3};
      UNROLL for (int k = 0; k < {0}; ++k) x[k] = node[k];
      ROLL for (int j = 0; j < i; ++j) {{
)c",
      2 * n, stages * n, stages, stage_row);
  text.step += sum(fmt::format("stage_weight[i * {} + j]", stages).c_str()) + "      }\n";
  if (!balls.empty()) text.step += "      if (i > 0) {\n" + unit_lengths(balls, n) + "      }\n";
  text.step += fmt::format("      double a[{0}];\n      {{\n", n) +
               statements(function, {.input = input, .output = output}) +
               fmt::format(
                   R"c(      }}
      UNROLL for (int k = 0; k < {0}; ++k) {{
        rate[i * {0} + k] = x[{0} + k];
        change[i * {0} + k] = a[k];
        if (!(a[k] - a[k] == 0.0)) leave = 1;
      }}
      if (leave) break;
    }}
    if (!leave) {{
      UNROLL for (int k = 0; k < {1}; ++k) x[k] = node[k];
      ROLL for (int j = 0; j < {2}; ++j) {{
)c",
                   n, 2 * n, stages) +
               sum("end_weight[j]") + "      }\n" + unit_lengths(balls, n) +
               fmt::format("      UNROLL for (int k = 0; k < {}; ++k) node[k] = x[k];\n    }}\n", 2 * n);
  program.kernel = step_kernel(program, text);
  return program;
}

}  // namespace invar

// See step_kernel.h.
#include "invar/device/step_kernel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>

namespace invar {

std::string kernel_number(double x) {
  if (!(x - x == 0.0)) return x > 0 ? "INFINITY" : x < 0 ? "(-INFINITY)" : "NAN";
  const std::string text = fmt::format("{:.17g}", x);
  const bool whole = text.find_first_of(".e") == std::string::npos;
  return "(" + text + (whole ? ".0)" : ")");
}

std::string element(const char* name, std::size_t k) { return fmt::format("{}[{}]", name, k); }

std::string parameter_text(const KernelParameters& parameters, std::size_t k) {
  const auto own = std::ranges::find(parameters.own, k);
  if (own == parameters.own.end()) return kernel_number(parameters.values[k]);
  return fmt::format("own[{}]", own - parameters.own.begin());
}

KernelFunction kernel_function(const std::string& name, const std::string& parameters, const std::string& arguments,
                               const Function& function, const StatementText& text) {
  constexpr std::size_t longest_inline = 2500, longest_part = 1000;  // operations
  const bool is_long = function.instruction_count() > longest_inline;
  const StatementParts parts =
      statements_in_parts(function, text, is_long ? longest_part : std::numeric_limits<std::uint32_t>::max());
  KernelFunction result;
  result.call = fmt::format("double w[{}];\n", parts.passed + 1);
  for (std::size_t k = 0; k < parts.text.size(); ++k) {
    result.definition +=
        fmt::format("static {} void {}{}({}, double *w)\n{{\n", is_long ? "APART" : "INLINE", name, k, parameters) +
        parts.text[k] + "  (void)w;\n}\n\n";
    result.call += fmt::format("{}{}({}, w);\n", name, k, arguments);
  }
  result.call = "{\n" + result.call + "}\n";
  return result;
}

std::string step_kernel(const StepProgram& program, const StepText& text) {
  std::string begin_range, range, end_range;
  if (program.watched > 0) {
    begin_range = fmt::format(R"c(
  double low[{0}], high[{0}];
  UNROLL for (int k = 0; k < {0}; ++k) {{
    low[k] = A->array[4][k * n + p];
    high[k] = A->array[4][(k + {0}) * n + p];
  }}
)c",
                              program.watched);
    range = fmt::format(R"c(
    if ((s + 1) % {1} == 0) UNROLL for (int k = 0; k < {0}; ++k) {{
      low[k] = fmin(low[k], node[k]);
      high[k] = fmax(high[k], node[k]);
    }}
)c",
                        program.watched, program.every);
    end_range = fmt::format(R"c(
  UNROLL for (int k = 0; k < {0}; ++k) {{
    A->array[4][k * n + p] = low[k];
    A->array[4][(k + {0}) * n + p] = high[k];
  }}
)c",
                            program.watched);
  }
  return text.tables +
         fmt::format(R"c(
static INLINE void invar_point(const invar_arguments *A, const long long p)
{{
  const long long n = A->count;
  double node[{0}];
  if (A->array[3][p] != 0.0) return;
  UNROLL for (int k = 0; k < {0}; ++k) node[k] = A->array[0][k * n + p];
  double own[{1} + 1];
  UNROLL for (int k = 0; k < {1}; ++k) own[k] = A->array[1][k * n + p];
)c",
                     program.state, program.own) +
         begin_range + text.begin +
         fmt::format(R"c(
  double left = 0.0;
  ROLL for (long long s = A->first; s < A->last; ++s) {{
    const double *const row = A->array[2] + (s - A->first) * {};
    int leave = 0;
)c",
                     program.row) +
         text.step + R"c(
    if (leave) {
      left = (double)(s + 1);
      break;
    }
)c" + range +
         "  }\n" + text.end + end_range +
         fmt::format(R"c(
  A->array[3][p] = left;
  UNROLL for (int k = 0; k < {0}; ++k) A->array[0][k * n + p] = node[k];
}}
)c",
                     program.state);
}

}  // namespace invar

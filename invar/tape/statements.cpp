// See statements.h.
#include "invar/tape/statements.h"

#include <algorithm>
#include <array>

#include "invar/base/error.h"
#include "invar/tape/c_helpers.h"
#include "invar/tape/few_live.h"
#include "invar/tape/straight_line.h"

namespace invar {

namespace {

const std::string helper_prefix = "invar_";

std::vector<std::uint32_t> output_values(const StraightLine& line) {
  std::vector<std::uint32_t> outputs;
  for (const StraightLine::Value v : line.outputs()) outputs.push_back(static_cast<std::uint32_t>(v));
  return outputs;
}

}  // namespace

std::string statement_helpers() {
  std::string prefix = helper_prefix;
  prefix.pop_back();
  return c_helper_sign(prefix) + c_helper_stumpff(prefix) + c_helper_lerch(prefix);
}

std::vector<bool> used_inputs(const Function& function) {
  const StraightLine line(function);
  const std::span<const TapeValue> values = line.values();
  std::vector<bool> used(function.input_count());
  const std::vector<std::uint32_t> outputs = output_values(line);
  const auto use = [&](std::uint32_t v) {
    if (values[v].code == Code::symbol) used[values[v].a] = true;
  };
  for (const std::uint32_t v : depth_first_order(values, outputs))
    for (const std::uint32_t operand : operands(values[v])) use(operand);
  for (const std::uint32_t v : outputs) use(v);
  return used;
}

std::string statements(const Function& function, const StatementText& text) {
  const StraightLine line(function);
  const std::span<const TapeValue> values = line.values();
  const std::vector<std::uint32_t> outputs = output_values(line);
  expects(text.group > 0 && outputs.size() % text.group == 0, "whole groups of outputs");
  const auto operand = [&](std::uint32_t v) {
    if (values[v].code == Code::constant) return c_literal(values[v].number);
    return values[v].code == Code::symbol ? text.input(values[v].a) : "v" + std::to_string(v);
  };
  std::vector<std::size_t> missing(outputs.size() / text.group);  // of each group
  std::vector<std::vector<std::size_t>> groups_of(values.size());
  for (std::size_t k = 0; k < outputs.size(); ++k)
    if (!is_leaf(values[outputs[k]])) {
      ++missing[k / text.group];
      groups_of[outputs[k]].push_back(k / text.group);
    }
  std::string result;
  std::vector<std::string> known(text.group);
  const auto write_group = [&](std::size_t g) {
    for (std::size_t k = 0; k < text.group; ++k) known[k] = operand(outputs[g * text.group + k]);
    result += text.output(g * text.group, known);
  };
  for (std::size_t g = 0; g < missing.size(); ++g)
    if (missing[g] == 0) write_group(g);
  for (const std::uint32_t v : order_with_few_live(values, outputs)) {
    const TapeValue& value = values[v];
    const bool family = value.code == Code::stumpff || value.code == Code::lerch;
    const int count = operand_count(value.code);
    const std::array<std::string, 3> of = {count > 0 && !family ? operand(value.a) : "",
                                           count > 1 ? operand(value.b) : "", count > 2 ? operand(value.c) : ""};
    const bool signs =
        value.code == Code::negate || (value.code >= Code::add && value.code <= Code::divide) || count > 2 ||
        value.code == Code::negated_product;
    result += "const double v" + std::to_string(v) + " = " +
              c_operation(value.code, signs ? "" : c_function(value.code, helper_prefix), value.a, of) + ";\n";
    for (const std::size_t g : groups_of[v])
      if (--missing[g] == 0) write_group(g);
  }
  return result;
}

}  // namespace invar

// See statements.h.
#include "invar/tape/statements.h"

#include <algorithm>
#include <array>
#include <limits>

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

StatementParts statements_in_parts(const Function& function, const StatementText& text, std::size_t longest) {
  const StraightLine line(function);
  const std::span<const TapeValue> values = line.values();
  const std::vector<std::uint32_t> outputs = output_values(line);
  expects(text.group > 0 && outputs.size() % text.group == 0, "whole groups of outputs");
  const std::vector<std::uint32_t> order = order_with_few_live(values, outputs);
  std::vector<std::uint32_t> part(values.size(), 0), place(values.size(), 0), slot(values.size(), no_index);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    part[order[i]] = static_cast<std::uint32_t>(i / longest);
  }

  // A group is written in the part that finds its last value.
  std::vector<std::size_t> missing(outputs.size() / text.group);
  std::vector<std::uint32_t> written_in(missing.size(), 0), written_at(missing.size(), 0);
  std::vector<std::vector<std::size_t>> groups_of(values.size());
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    const std::size_t g = k / text.group;
    if (is_leaf(values[outputs[k]])) continue;
    ++missing[g];
    written_in[g] = std::max(written_in[g], part[outputs[k]]);
    written_at[g] = std::max(written_at[g], place[outputs[k]]);
    groups_of[outputs[k]].push_back(g);
  }
  StatementParts result;
  result.text.resize(std::max<std::size_t>(1, (order.size() + longest - 1) / longest));
  // Entries of w are used again when nobody reads them any more.
  std::vector<bool> is_passed(values.size());
  std::vector<std::uint32_t> last_read(values.size(), 0);
  const auto read = [&](std::uint32_t v, std::uint32_t in, std::uint32_t at) {
    if (is_leaf(values[v])) return;
    if (part[v] != in) is_passed[v] = true;
    last_read[v] = std::max(last_read[v], at);
  };
  for (const std::uint32_t v : order)
    for (const std::uint32_t operand : operands(values[v])) read(operand, part[v], place[v]);
  for (std::size_t k = 0; k < outputs.size(); ++k)
    read(outputs[k], written_in[k / text.group], written_at[k / text.group]);
  std::vector<std::vector<std::uint32_t>> ending(order.size() + 1);  // slots, by the place after their last use
  std::vector<std::uint32_t> unused;
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    unused.insert(unused.end(), ending[i].begin(), ending[i].end());
    if (!is_passed[order[i]]) continue;
    if (unused.empty()) unused.push_back(static_cast<std::uint32_t>(result.passed++));
    slot[order[i]] = unused.back();
    unused.pop_back();
    ending[last_read[order[i]] + 1].push_back(slot[order[i]]);
  }

  const auto passed = [&](std::uint32_t v) { return "w[" + std::to_string(slot[v]) + "]"; };
  const auto operand = [&](std::uint32_t v, std::uint32_t in) {
    if (values[v].code == Code::constant) return c_literal(values[v].number);
    if (values[v].code == Code::symbol) return text.input(values[v].a);
    return part[v] == in ? "v" + std::to_string(v) : passed(v);
  };
  std::vector<std::string> known(text.group);
  const auto write_group = [&](std::size_t g) {
    for (std::size_t k = 0; k < text.group; ++k) known[k] = operand(outputs[g * text.group + k], written_in[g]);
    result.text[written_in[g]] += text.output(g * text.group, known);
  };
  for (std::size_t g = 0; g < missing.size(); ++g)
    if (missing[g] == 0) write_group(g);
  for (const std::uint32_t v : order) {
    const TapeValue& value = values[v];
    const bool family = value.code == Code::stumpff || value.code == Code::lerch;
    const int count = operand_count(value.code);
    const std::array<std::string, 3> of = {count > 0 && !family ? operand(value.a, part[v]) : "",
                                           count > 1 ? operand(value.b, part[v]) : "",
                                           count > 2 ? operand(value.c, part[v]) : ""};
    const bool signs = value.code == Code::negate || (value.code >= Code::add && value.code <= Code::divide) ||
                       value.code > Code::lerch;
    std::string& to = result.text[part[v]];
    to += "const double v" + std::to_string(v) + " = " +
          c_operation(value.code, signs ? "" : c_function(value.code, helper_prefix), value.a, of) + ";\n";
    if (slot[v] != no_index) to += passed(v) + " = v" + std::to_string(v) + ";\n";
    for (const std::size_t g : groups_of[v])
      if (--missing[g] == 0) write_group(g);
  }
  return result;
}

std::string statements(const Function& function, const StatementText& text) {
  return statements_in_parts(function, text, std::numeric_limits<std::uint32_t>::max()).text.front();
}

}  // namespace invar

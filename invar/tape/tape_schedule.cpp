// An order of evaluation that keeps few values alive, and registers for them.
//
// Depth first from the outputs, and at every operation first the operand that needs most registers
// [R. Sethi, J. D. Ullman, J. ACM 17 (1970) 715-728]: optimal for trees, a good guess for graphs. Then, within short
// windows, equal operations are brought together so that the interpreter runs through them without a decision.
// Registers are handed out by a linear scan.
#include <algorithm>
#include <array>
#include <utility>

#include "invar/base/error.h"
#include "invar/tape/tape.h"

namespace invar {

namespace {

// Each new operation costs the interpreter a branch that it cannot foresee, unless it runs through a short tape again and
// again. Measured, of steps of beams of 2, 10, 100 elements: 64 takes 1.6, 2, 1.4 times as long; longer ones gain little.
constexpr std::size_t window = 512;

// Operands, the one that needs most registers first, else as they stand.
Operands sorted(const TapeValue& v, std::span<const std::uint16_t> need) {
  Operands o = operands(v);
  const auto order = [&](std::size_t i) {
    if (need[o.of[i]] < need[o.of[i + 1]]) std::swap(o.of[i], o.of[i + 1]);
  };
  if (o.count >= 2) order(0);
  if (o.count == 3) order(1), order(0);
  return o;
}

// Registers to evaluate each value if it shared nothing with others.
std::vector<std::uint16_t> register_needs(std::span<const TapeValue> values) {
  std::vector<std::uint16_t> need(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_leaf(values[i])) continue;
    int most = 1, held = 0;
    for (const std::uint32_t operand : sorted(values[i], need)) {
      most = std::max(most, need[operand] + held);
      if (need[operand] > 0) ++held;
    }
    need[i] = static_cast<std::uint16_t>(std::min(most, 0xffff));
  }
  return need;
}

// Reorders one window: takes all that can be done of one operation, then turns to the operation with most to do.
class Grouping {
 public:
  explicit Grouping(std::span<const TapeValue> values) : values_(values), position_(values.size(), no_index) {}

  void group(std::span<std::uint32_t> order) {
    waiting_for_.assign(order.size(), 0);
    users_.assign(order.size(), {});
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      for (const std::uint32_t operand : operands(values_[order[i]])) {
        if (position_[operand] == no_index) continue;
        ++waiting_for_[i];
        users_[position_[operand]].push_back(i);
      }
      position_[order[i]] = i;
      if (waiting_for_[i] == 0) ready(order[i]).push_back(i);
    }
    for (const std::uint32_t v : order) position_[v] = no_index;
    const std::vector<std::uint32_t> before(order.begin(), order.end());
    for (std::size_t done = 0; done < order.size();) {
      auto& most =
          *std::max_element(ready_.begin(), ready_.end(), [](auto& x, auto& y) { return x.size() < y.size(); });
      for (std::size_t next = 0; next < most.size(); ++next) {
        const std::uint32_t i = most[next];
        order[done++] = before[i];
        for (const std::uint32_t user : users_[i])
          if (--waiting_for_[user] == 0) ready(before[user]).push_back(user);
      }
      most.clear();
    }
  }

 private:
  std::vector<std::uint32_t>& ready(std::uint32_t v) { return ready_[static_cast<std::size_t>(values_[v].code)]; }

  std::span<const TapeValue> values_;
  std::vector<std::uint32_t> position_;  // in the window, of every value
  std::vector<int> waiting_for_;         // operands not yet done
  std::vector<std::vector<std::uint32_t>> users_;
  std::array<std::vector<std::uint32_t>, 32> ready_;  // by operation
};

void group_operations(std::span<const TapeValue> values, std::span<std::uint32_t> order) {
  Grouping grouping(values);
  for (std::size_t first = 0; first < order.size(); first += window)
    grouping.group(order.subspan(first, std::min(window, order.size() - first)));
}

// Registers of the leaves: numbers and inputs have fixed places. Numbers that only dead or joined values used are gone.
std::vector<std::uint32_t> place_leaves(std::span<const TapeValue> values, std::span<const std::uint32_t> order,
                                        std::span<const std::uint32_t> outputs, Tape& tape) {
  std::vector<std::uint32_t> place(values.size(), no_index);
  const auto place_constant = [&](std::uint32_t v) {
    if (values[v].code != Code::constant || place[v] != no_index) return;
    place[v] = static_cast<std::uint32_t>(tape.constants.size());
    tape.constants.push_back(values[v].number);
  };
  for (const std::uint32_t v : order)
    for (const std::uint32_t operand : operands(values[v])) place_constant(operand);
  for (const std::uint32_t v : outputs) place_constant(v);
  for (std::uint32_t v = 0; v < values.size(); ++v)
    if (values[v].code == Code::symbol) place[v] = static_cast<std::uint32_t>(tape.first_input()) + values[v].a;
  return place;
}

}  // namespace

Operands operands(const TapeValue& v) {
  if (v.code == Code::stumpff || v.code == Code::lerch) return {{v.b}, 1};
  return {{v.a, v.b, v.c}, operand_count(v.code)};
}

std::vector<std::uint32_t> depth_first_order(std::span<const TapeValue> values,
                                             std::span<const std::uint32_t> outputs) {
  const std::vector<std::uint16_t> need = register_needs(values);
  std::vector<std::uint32_t> order;
  std::vector<bool> done(values.size());
  std::vector<std::uint32_t> stack;
  for (const std::uint32_t output : outputs) {
    stack.push_back(output);
    while (!stack.empty()) {
      const std::uint32_t top = stack.back();
      const auto waiting = [&](std::uint32_t v) { return !done[v] && !is_leaf(values[v]); };
      const Operands o = sorted(values[top], need);
      const auto* next = std::find_if(o.begin(), o.end(), waiting);
      if (next != o.end()) {
        stack.push_back(*next);
        continue;
      }
      stack.pop_back();
      if (!waiting(top)) continue;
      done[top] = true;
      order.push_back(top);
    }
  }
  return order;
}

Tape schedule(std::span<const TapeValue> values, std::span<const std::uint32_t> outputs, std::size_t input_count) {
  Tape tape;
  tape.input_count = input_count;
  std::vector<std::uint32_t> order = depth_first_order(values, outputs);
  group_operations(values, order);
  std::vector<std::uint32_t> place = place_leaves(values, order, outputs, tape);
  tape.register_count = tape.first_result();

  std::vector<std::uint32_t> last_use(values.size(), 0);
  for (std::uint32_t i = 0; i < order.size(); ++i)
    for (const std::uint32_t operand : operands(values[order[i]])) last_use[operand] = i;
  for (const std::uint32_t output : outputs) last_use[output] = no_index;

  tape.code.reserve(order.size());
  std::vector<std::uint32_t> unused;
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    const TapeValue& v = values[order[i]];
    for (const std::uint32_t operand : operands(v)) {
      if (last_use[operand] != i || is_leaf(values[operand])) continue;
      last_use[operand] = no_index;  // an operand that occurs twice is released once
      unused.push_back(place[operand]);
    }
    if (unused.empty()) unused.push_back(static_cast<std::uint32_t>(tape.register_count++));
    const std::uint32_t to = place[order[i]] = unused.back();
    unused.pop_back();
    expects(to <= Instruction::last_register, "fewer than sixteen million registers");
    const bool family = v.code == Code::stumpff || v.code == Code::lerch;
    const int count = operand_count(v.code);
    tape.code.push_back({.code = static_cast<std::uint32_t>(v.code),
                         .to = to & Instruction::last_register,
                         .a = family ? v.a : place[v.a],
                         .b = count >= 2 ? place[v.b] : 0,
                         .c = count == 3 ? place[v.c] : 0});
  }
  for (const std::uint32_t output : outputs) tape.outputs.push_back(place[output]);
  for (const Instruction& i : tape.code) {
    if (tape.runs.empty() || tape.runs.back().code != i.operation()) tape.runs.push_back({i.operation(), 0});
    ++tape.runs.back().length;
  }
  return tape;
}

}  // namespace invar

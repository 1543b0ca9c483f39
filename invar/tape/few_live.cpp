// See few_live.h.
#include "invar/tape/few_live.h"

#include <algorithm>
#include <limits>

namespace invar {

namespace {

// For the operations of an order: who uses each value, and how often.
struct Uses {
  std::vector<std::vector<std::uint32_t>> users;  // once each
  explicit Uses(std::span<const TapeValue> values, std::span<const std::uint32_t> order) : users(values.size()) {
    for (const std::uint32_t v : order)
      for (const std::uint32_t operand : operands(values[v]))
        if (!is_leaf(values[operand]) && (users[operand].empty() || users[operand].back() != v))
          users[operand].push_back(v);
  }
};

// Distinct operands that are computed.
std::vector<std::uint32_t> computed_operands(std::span<const TapeValue> values, std::uint32_t v) {
  std::vector<std::uint32_t> result;
  for (const std::uint32_t operand : operands(values[v]))
    if (!is_leaf(values[operand]) && std::ranges::find(result, operand) == result.end()) result.push_back(operand);
  return result;
}

// The given order, but what frees at least as many values as it brings to life comes as soon as it can.
class Eager {
 public:
  Eager(std::span<const TapeValue> values, std::span<const std::uint32_t> order)
      : values_(values), uses_(values, order), waiting_(values.size()), left_(values.size()), done_(values.size()) {
    for (const std::uint32_t v : order) {
      waiting_[v] = computed_operands(values, v).size();
      left_[v] = uses_.users[v].size();
    }
    for (const std::uint32_t v : order) {
      take(v);
      while (!open_.empty()) {
        const std::uint32_t next = open_.back();
        open_.pop_back();
        if (!done_[next] && waiting_[next] == 0 && frees(next)) take(next);
      }
    }
  }
  std::vector<std::uint32_t> order;

 private:
  bool frees(std::uint32_t v) const {
    std::size_t dying = 0;
    for (const std::uint32_t operand : computed_operands(values_, v)) dying += left_[operand] == 1 ? 1 : 0;
    return dying >= (uses_.users[v].empty() ? 0 : 1);
  }
  void take(std::uint32_t v) {
    if (done_[v]) return;
    done_[v] = true;
    order.push_back(v);
    for (const std::uint32_t operand : computed_operands(values_, v))
      if (--left_[operand] == 1)
        for (const std::uint32_t user : uses_.users[operand])
          if (!done_[user]) open_.push_back(user);
    for (const std::uint32_t user : uses_.users[v]) {
      --waiting_[user];
      open_.push_back(user);
    }
  }

  std::span<const TapeValue> values_;
  Uses uses_;
  std::vector<std::size_t> waiting_, left_;  // operands not yet there; users still to come
  std::vector<bool> done_;
  std::vector<std::uint32_t> open_;
};

// From the end.
std::vector<std::uint32_t> backward_order(std::span<const TapeValue> values, std::span<const std::uint32_t> order) {
  const Uses uses(values, order);
  std::vector<std::size_t> left(values.size());
  std::vector<bool> live(values.size());
  std::vector<std::uint32_t> ready, result;
  for (const std::uint32_t v : order) {
    left[v] = uses.users[v].size();
    if (left[v] == 0) ready.push_back(v);
  }
  while (!ready.empty()) {
    std::size_t best = 0;
    int least = std::numeric_limits<int>::max();
    for (std::size_t i = ready.size(); i-- > 0;) {  // the youngest first
      int births = live[ready[i]] ? -1 : 0;
      for (const std::uint32_t operand : computed_operands(values, ready[i])) births += live[operand] ? 0 : 1;
      if (births >= least) continue;
      least = births;
      best = i;
      if (births < 0) break;
    }
    const std::uint32_t v = ready[best];
    ready.erase(ready.begin() + static_cast<std::ptrdiff_t>(best));
    result.push_back(v);
    for (const std::uint32_t operand : computed_operands(values, v)) {
      live[operand] = true;
      if (--left[operand] == 0) ready.push_back(operand);
    }
  }
  std::ranges::reverse(result);
  return result;
}

}  // namespace

OrderCost cost_of_order(std::span<const TapeValue> values, std::span<const std::uint32_t> order,
                        std::size_t registers) {
  std::vector<std::vector<std::uint32_t>> uses(values.size());  // instants, the next one last
  for (std::uint32_t i = static_cast<std::uint32_t>(order.size()); i-- > 0;)
    for (const std::uint32_t operand : computed_operands(values, order[i])) uses[operand].push_back(i);
  OrderCost cost;
  std::vector<std::uint32_t> held;
  std::vector<bool> in_register(values.size()), in_memory(values.size());
  std::size_t live = 0;
  const auto hold = [&](std::uint32_t v) {
    if (held.size() >= registers) {
      const auto next_use = [&](std::uint32_t other) { return uses[other].back(); };
      const auto farthest = std::ranges::max_element(held, {}, next_use);
      if (!in_memory[*farthest]) ++cost.stores;
      in_memory[*farthest] = true;
      in_register[*farthest] = false;
      *farthest = held.back();
      held.pop_back();
    }
    held.push_back(v);
    in_register[v] = true;
  };
  for (const std::uint32_t v : order) {
    const std::vector<std::uint32_t> read = computed_operands(values, v);
    for (const std::uint32_t operand : read)
      if (!in_register[operand]) {
        ++cost.loads;
        hold(operand);
      }
    for (const std::uint32_t operand : read) {
      uses[operand].pop_back();
      if (!uses[operand].empty()) continue;
      std::erase(held, operand);
      --live;
    }
    if (uses[v].empty()) continue;
    hold(v);
    cost.most_live = std::max(cost.most_live, ++live);
  }
  return cost;
}

std::vector<std::uint32_t> order_with_few_live(std::span<const TapeValue> values,
                                               std::span<const std::uint32_t> outputs, std::size_t registers) {
  constexpr std::size_t longest_search = 30000;  // operations, beyond which looking through all would take minutes
  std::vector<std::uint32_t> best = depth_first_order(values, outputs);
  std::vector<std::vector<std::uint32_t>> others = {best};
  std::ranges::sort(others.back());  // as they stand
  others.push_back(Eager(values, best).order);
  if (best.size() <= longest_search) {
    others.push_back(backward_order(values, best));
    others.push_back(Eager(values, others.back()).order);
  }
  const auto transfers = [&](const std::vector<std::uint32_t>& order) {
    const OrderCost cost = cost_of_order(values, order, registers);
    return std::pair(cost.stores + cost.loads, cost.most_live);
  };
  auto least = transfers(best);
  for (std::vector<std::uint32_t>& order : others)
    if (const auto cost = transfers(order); cost < least) {
      least = cost;
      best = std::move(order);
    }
  return best;
}

}  // namespace invar

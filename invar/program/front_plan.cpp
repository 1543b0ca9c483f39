// See front_plan.h; the only file that knows AMD.
#include "invar/program/front_plan.h"

#include <amd.h>

#include <algorithm>
#include <numeric>

#include "invar/base/error.h"

namespace invar {

namespace {

// Unknowns as they are ordered: alone, or in pairs.
struct Group {
  int first, second = -1;
  int size() const { return second < 0 ? 1 : 2; }
};

std::vector<Group> pair_up(std::size_t size, std::span<const SymmetricEntry> entries, std::span<const double> sizes) {
  constexpr double none = 1e-8;
  std::vector<double> diagonal(size, 0.0);
  for (std::size_t e = 0; e < entries.size(); ++e)
    if (entries[e].row == entries[e].col) diagonal[static_cast<std::size_t>(entries[e].row)] = sizes[e];
  const auto open = [&](int i) { return diagonal[static_cast<std::size_t>(i)] <= none; };
  // Candidates, the largest entries first; the order of equal ones is that of the matrix.
  std::vector<std::size_t> order;
  for (std::size_t e = 0; e < entries.size(); ++e)
    if (entries[e].row != entries[e].col && (open(entries[e].row) || open(entries[e].col))) order.push_back(e);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  std::vector<int> partner(size, -1);
  for (const std::size_t e : order) {
    int& a = partner[static_cast<std::size_t>(entries[e].row)];
    int& b = partner[static_cast<std::size_t>(entries[e].col)];
    if (a < 0 && b < 0) a = entries[e].col, b = entries[e].row;
  }
  std::vector<Group> groups;
  for (int i = 0; i < static_cast<int>(size); ++i)
    if (const int other = partner[static_cast<std::size_t>(i)]; other < 0)
      groups.push_back({i});
    else if (i < other)
      groups.push_back({i, other});
  return groups;
}

using Lists = std::vector<std::vector<int>>;

// Neighbours of every group, by their numbers.
Lists neighbours(std::size_t size, std::span<const SymmetricEntry> entries, const std::vector<Group>& groups) {
  std::vector<int> group(size);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const int i : {groups[g].first, groups[g].second})
      if (i >= 0) group[static_cast<std::size_t>(i)] = static_cast<int>(g);
  Lists lists(groups.size());
  for (const SymmetricEntry& e : entries) {
    const int a = group[static_cast<std::size_t>(e.row)], b = group[static_cast<std::size_t>(e.col)];
    if (a == b) continue;
    lists[static_cast<std::size_t>(a)].push_back(b);
    lists[static_cast<std::size_t>(b)].push_back(a);
  }
  for (auto& list : lists) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  return lists;
}

std::vector<int> minimum_degree(const Lists& lists) {
  const int n = static_cast<int>(lists.size());
  std::vector<int> start{0}, row, order(lists.size());
  row.reserve(1);  // a pattern without entries is one, too
  for (const auto& list : lists) {
    row.insert(row.end(), list.begin(), list.end());
    start.push_back(static_cast<int>(row.size()));
  }
  const int status = amd_order(n, start.data(), row.data(), order.data(), nullptr, nullptr);
  expects(status == AMD_OK, "an order of the pivots");
  return order;
}

// A front in the making, in numbers of the order.
struct Draft {
  std::vector<int> pivots, border;  // groups; the border in their order
  int parent = -1;
  std::vector<int> children;
  bool merged = false;
};

class Drafting {
 public:
  Drafting(const std::vector<Group>& groups, const Lists& lists, const std::vector<int>& order)
      : groups_(groups), order_(order), drafts_(order.size()) {
    std::vector<int> place(order.size()), mark(order.size(), -1);
    for (std::size_t k = 0; k < order.size(); ++k) place[static_cast<std::size_t>(order[k])] = static_cast<int>(k);
    for (int k = 0; k < static_cast<int>(order.size()); ++k) {
      Draft& d = at(k);
      d.pivots = {k};
      mark[static_cast<std::size_t>(k)] = k;
      const auto add = [&](int other) {
        if (other <= k || std::exchange(mark[static_cast<std::size_t>(other)], k) == k) return;
        d.border.push_back(other);
      };
      for (const int g : lists[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])])
        add(place[static_cast<std::size_t>(g)]);
      for (const int child : d.children)
        for (const int other : at(child).border) add(other);
      if (d.border.empty()) continue;
      d.parent = *std::min_element(d.border.begin(), d.border.end());
      at(d.parent).children.push_back(k);
    }
    for (int k = 0; k < static_cast<int>(order.size()); ++k) take_in_children(k);
  }

  FrontPlan plan() const {
    FrontPlan result;
    for (int k = 0; k < static_cast<int>(drafts_.size()); ++k)
      if (!at(k).merged && at(k).parent < 0) write(k, result);
    return result;
  }

 private:
  struct Size {
    double pivots, all;
    double work() const { return pivots * (all * (all - pivots) + pivots * pivots / 3.0) + all * all + 500.0; }
  };

  Draft& at(int k) { return drafts_[static_cast<std::size_t>(k)]; }
  const Draft& at(int k) const { return drafts_[static_cast<std::size_t>(k)]; }
  const Group& group(int k) const { return groups_[static_cast<std::size_t>(order_[static_cast<std::size_t>(k)])]; }
  double count(const std::vector<int>& list) const {
    double sum = 0.0;
    for (const int k : list) sum += group(k).size();
    return sum;
  }
  Size size(const Draft& d) const {
    const double p = count(d.pivots);
    return {p, p + count(d.border)};
  }

  // A child is eliminated with its parent where that costs little more than to add what is left of it.
  void take_in_children(int k) {
    Draft& d = at(k);
    std::vector<int> kept;
    Size own = size(d);
    for (const int c : std::exchange(d.children, {})) {
      Draft& child = at(c);
      const Size of = size(child), both{own.pivots + of.pivots, own.all + of.pivots};
      if (both.work() > own.work() + of.work()) {
        kept.push_back(c);
        continue;
      }
      own = both;
      child.merged = true;
      d.pivots.insert(d.pivots.begin(), child.pivots.begin(), child.pivots.end());
      kept.insert(kept.end(), child.children.begin(), child.children.end());
    }
    for (const int c : kept) at(c).parent = k;
    d.children = std::move(kept);
  }

  int write(int k, FrontPlan& result) const {
    const Draft& d = at(k);
    std::vector<int> children;
    for (const int c : d.children) children.push_back(write(c, result));
    const int place = static_cast<int>(result.fronts.size());
    for (const int c : children) result.fronts[static_cast<std::size_t>(c)].parent = place;
    FrontPlan::Front front;
    const auto expand = [&](const std::vector<int>& list, std::vector<int>& to) {
      for (const int j : list)
        for (const int i : {group(j).first, group(j).second})
          if (i >= 0) to.push_back(i);
    };
    expand(d.pivots, front.pivots);
    expand(d.border, front.border);
    result.work += size(d).work();
    result.fronts.push_back(std::move(front));
    return place;
  }

  const std::vector<Group>& groups_;
  const std::vector<int>& order_;
  std::vector<Draft> drafts_;
};

}  // namespace

FrontPlan plan_fronts(std::size_t size, std::span<const SymmetricEntry> entries, std::span<const double> sizes) {
  const std::vector<Group> groups = pair_up(size, entries, sizes);
  const Lists lists = neighbours(size, entries, groups);
  const std::vector<int> order = minimum_degree(lists);
  FrontPlan plan = Drafting(groups, lists, order).plan();
  std::vector<std::size_t> front_of(size);
  for (std::size_t f = 0; f < plan.fronts.size(); ++f)
    for (const int i : plan.fronts[f].pivots) front_of[static_cast<std::size_t>(i)] = f;
  for (std::size_t e = 0; e < entries.size(); ++e) {
    const auto a = static_cast<std::size_t>(entries[e].row), b = static_cast<std::size_t>(entries[e].col);
    plan.fronts[std::min(front_of[a], front_of[b])].entries.push_back(e);
  }
  return plan;
}

}  // namespace invar

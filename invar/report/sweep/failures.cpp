#include "invar/report/sweep/failures.h"

#include <algorithm>
#include <map>
#include <utility>

namespace invar {
namespace {

constexpr std::size_t most_named = 12;

// The words without their numbers.
std::string wording(const std::string& reason) {
  std::string words;
  bool in_number = false;
  for (const char c : reason) {
    const bool digit = c >= '0' && c <= '9';
    const bool goes_on = in_number && (c == '.' || c == '-' || c == '+' || c == 'e');
    if (digit && !in_number) words += '#';
    in_number = digit || goes_on;
    if (!in_number) words += c;
  }
  return words;
}

}  // namespace

std::vector<FailureGroup> failures_of(const SweepTable& table) {
  std::map<std::pair<CaseStatus, std::string>, std::size_t> places;
  std::vector<FailureGroup> groups;
  for (std::size_t k = 0; k < table.cases(); ++k) {
    if (table.status[k] == CaseStatus::done) continue;
    const auto [found, is_new] = places.try_emplace({table.status[k], wording(table.reasons[k])}, groups.size());
    if (is_new) groups.push_back({.status = table.status[k], .reason = table.reasons[k], .count = 0, .cases = {}});
    FailureGroup& group = groups[found->second];
    ++group.count;
    if (group.cases.size() < most_named) group.cases.push_back(k);
  }
  std::ranges::stable_sort(groups, std::ranges::greater{}, &FailureGroup::count);
  return groups;
}

}  // namespace invar

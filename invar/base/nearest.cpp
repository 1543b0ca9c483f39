// The known name nearest to a mistyped one: optimal string alignment distance, the Damerau-Levenshtein distance in
// which no piece is edited twice [F. Damerau, Comm. ACM 7 (1964) 171-176].
#include <algorithm>
#include <array>
#include <utility>

#include "invar/base/nearest.h"

namespace invar {
namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return result;
}

// Insertions, deletions, changes and swaps of neighbours that turn a into b.
std::size_t distance(std::string_view a, std::string_view b) {
  std::array<std::vector<std::size_t>, 3> rows;
  for (auto& row : rows) row.resize(b.size() + 1);
  auto& [before, last, now] = rows;
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

// One slip in three letters is a typing error; one in two is another name.
std::size_t tolerance(std::size_t length) { return std::min<std::size_t>(length / 3, 3); }

}  // namespace

std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& known) {
  const std::string wanted = lower(name);
  std::pair<std::size_t, std::size_t> best;  // ignoring case, then minding it
  const std::string* found = nullptr;
  for (const std::string& candidate : known) {
    const std::size_t shorter = std::min(name.size(), candidate.size());
    const std::size_t longer = std::max(name.size(), candidate.size());
    if (longer - shorter > tolerance(longer)) continue;  // also keeps huge names cheap
    const std::pair d(distance(wanted, lower(candidate)), distance(name, candidate));
    if (d.first > tolerance(longer) || (found && best <= d)) continue;
    best = d;
    found = &candidate;
  }
  return found ? std::optional(*found) : std::nullopt;
}

}  // namespace invar

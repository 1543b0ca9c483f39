// Times several ways to do the same work against the first of them, or another one: rounds are interleaved and the
// fastest round of each counts, so that a disturbance of the machine hits all alike and then drops out.
#pragma once

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

namespace invar {

struct Candidate {
  std::string name;
  std::function<void()> run;
  std::size_t units;          // pieces of work done by one call
  std::optional<double> bar;  // largest admissible ratio
  std::size_t against = 0;    // the candidate that it is compared with
};

// The compiler must assume that memory was read and written here.
inline void keep_results() { asm volatile("" ::: "memory"); }

// Of this thread: rounds that last longer than a slice of the scheduler must not count what others do meanwhile.
inline double processor_ns() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e9 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec);
}

// Nanoseconds per piece of work.
inline double time_round(const Candidate& candidate, std::size_t calls) {
  candidate.run();  // brings back to the caches what the others have driven out
  const double begin = processor_ns();
  for (std::size_t i = 0; i < calls; ++i) {
    candidate.run();
    keep_results();
  }
  return (processor_ns() - begin) / static_cast<double>(calls * candidate.units);
}

// So many calls that a round lasts long against the resolution of the clock, but short against a slice of the
// scheduler.
inline std::size_t calls_per_round(const Candidate& candidate) {
  constexpr double round_ns = 100e3;
  time_round(candidate, 3);
  const double call_ns = time_round(candidate, 5) * static_cast<double>(candidate.units);
  return std::max<std::size_t>(1, static_cast<std::size_t>(round_ns / call_ns));
}

inline std::vector<double> fastest(const std::vector<Candidate>& candidates, int rounds) {
  std::vector<std::size_t> calls;
  for (const Candidate& c : candidates) calls.push_back(calls_per_round(c));
  std::vector<double> best(candidates.size(), std::numeric_limits<double>::infinity());
  for (int round = 0; round < rounds; ++round)
    for (std::size_t i = 0; i < candidates.size(); ++i)
      best[i] = std::min(best[i], time_round(candidates[i], calls[i]));
  return best;
}

// Prints the table; false if a bar is missed.
inline bool print_ratios(const std::vector<Candidate>& candidates, const std::vector<double>& ns) {
  bool all_met = true;
  fmt::print("{:<36}{:>8}{:>8}{:>7}{:>12}\n", "", "ratio", "bar", "", "(ns)");
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const Candidate& c = candidates[i];
    const double ratio = ns[i] / ns[c.against];
    const bool met = !c.bar || ratio <= *c.bar;
    all_met = all_met && met;
    fmt::print("{:<36}{:>8.2f}{:>8}{:>7}{:>12.0f}\n", c.name, ratio, c.bar ? fmt::format("{:.2f}", *c.bar) : "",
               !c.bar ? ""
               : met  ? "PASS"
                      : "FAIL",
               ns[i]);
  }
  return all_met;
}

}  // namespace invar

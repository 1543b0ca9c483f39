// How far a sweep is, for scripts: status.json, written anew about once a second and complete at every moment.
#pragma once

#include <chrono>
#include <filesystem>
#include <string_view>

#include "invar/sweep/sweep_journals.h"

namespace invar {

class SweepStatus {
 public:
  // `at_hand` cases are to be run by this program.
  SweepStatus(const SweepJournals& journals, std::uint64_t at_hand);

  // One case more has ended; returns the part of the work at hand that is done.
  double ended();
  // "running", "interrupted", "done"
  void write(std::string_view state) const;

 private:
  using Clock = std::chrono::steady_clock;
  const SweepJournals& journals_;
  const std::uint64_t at_hand_;
  std::uint64_t ended_ = 0;
  const Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
};

}  // namespace invar

// Why cases failed, each reason once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "invar/record/sweep/sweep_table.h"

namespace invar {

struct FailureGroup {
  CaseStatus status = CaseStatus::failed;
  std::string reason;  // of the first of them: those of the others differ in numbers
  std::size_t count = 0;
  std::vector<std::uint64_t> cases;  // the first ones
};

// The most frequent one first.
std::vector<FailureGroup> failures_of(const SweepTable& table);

}  // namespace invar

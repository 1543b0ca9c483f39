// What is kept of one run of a sweep.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "invar/record/sweep/sweep_table.h"
#include "invar/task/sweep/recording.h"

namespace invar {

struct CaseRecord {
  std::uint64_t number = 0;  // of the case, from 0
  CaseStatus status = CaseStatus::done;
  std::string reason;  // why it is not done
  std::vector<NamedNumber> numbers;
  std::vector<NamedSeries> series;
};

}  // namespace invar

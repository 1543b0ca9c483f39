// The page of a sweep: each figure over what was varied, how often it takes which values, what it depends on, its worst
// cases, and why cases failed.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "invar/record/sweep/sweep_table.h"

namespace invar {

struct ReportedSweep {
  const SweepTable& table;
  std::string folder = {};  // of the results, as a command would name it
  // Reads a series of table.series: a row for each case. Without it there are no bands over time.
  std::function<std::vector<std::vector<double>>(const std::string& name)> series = {};
  std::map<std::uint64_t, std::string> reports = {};  // where cases have reports of their own, seen from the page
};

// The page, complete in itself.
std::string sweep_page(const ReportedSweep& sweep);

}  // namespace invar

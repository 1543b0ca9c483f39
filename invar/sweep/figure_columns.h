// Numbers of records under columns by name.
#pragma once

#include <vector>

#include "invar/sweep/case_record.h"

namespace invar {

class FigureColumns {
 public:
  explicit FigureColumns(std::vector<std::string> names) : names_(std::move(names)) {}

  // The numbers of a record in the order of the names, NaN where it has none.
  std::vector<double> row(const CaseRecord& record) const;

 private:
  std::vector<std::string> names_;
};

}  // namespace invar

// From records of cases to the table of a sweep.
#pragma once

#include <vector>

#include "invar/sweep/case_record.h"

namespace invar {

// Puts records, which come in the order of their cases, under columns by name: those of the first record first, then
// what later ones add.
class FigureColumns {
 public:
  void add(const CaseRecord& record);
  const std::vector<std::string>& names() const { return names_; }
  // The numbers of a record in the order of the names, NaN where it has none.
  std::vector<double> row(const CaseRecord& record) const;

 private:
  std::vector<std::string> names_;
};

}  // namespace invar

// Which part of a report the columns of a result belong to and in which unit they are, as far as names and formulas
// tell.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "invar/model/problem/problem.h"

namespace invar {

// By the prefix or the prime that the recorder gives; "coordinates" for a plain name.
std::string group_of(const std::string& column);

// The same for the columns of one problem, which outlives this, found at once.
class ColumnGroups {
 public:
  explicit ColumnGroups(const Problem& problem);

  // With inputs and outputs told from coordinates; nothing for a column that only the table has.
  std::optional<std::string> shown(const std::string& column) const;
  // Its unit, where a model of bodies, [units] or a formula tells it; empty otherwise.
  std::string unit_of(const std::string& column) const;

 private:
  struct Tables;
  std::shared_ptr<const Tables> tables_;
};

// The units of what sentences about a run name: coordinates, inputs, outputs and errors, momenta, and constraints if
// all of them have the same.
std::map<std::string, std::string> named_units(const Problem& problem);

// What an output shall follow; nothing if it follows nothing.
const TimeFunction* path_of(const Problem& problem, const std::string& output);
std::vector<double> values_at(const TimeFunction& path, const std::vector<double>& time);

}  // namespace invar

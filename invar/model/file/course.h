// How a signal or an output runs over time, as [[signal]] and [[trajectory]] say it: by a profile, via points, a file
// of samples or formulas. Only the readers of this folder include it.
#pragma once

#include <initializer_list>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "invar/model/file/reading.h"
#include "invar/model/trajectory/profile.h"

namespace invar::model {

struct Course {
  TimeFunctionPtr function;
  std::optional<double> constant;  // if that is all it is
  double end = 0.0;                // when it comes to rest
};

// What is said once for each of several outputs, or without a list for one signal.
struct Wanted {
  std::vector<std::string> names;  // also those of the columns of a file
  bool is_list;
  bool differentiated = false;  // as outputs are, but not signals
};

// The one of `profile`, `via`, `file` and `expr` that is given; nothing if none is and `from` and `to` are enough.
const Entry* find_form(Section& section);

// Complains about `start`, `times` and the like, unless they are among the fitting ones.
void refuse_details(Section& section, const std::string& form, std::initializer_list<std::string_view> fitting = {});

// All but `expr`.
std::vector<Course> read_courses(const Reading& reading, Section& section, const Entry* form, const Wanted& wanted);

// A trajectory for the orientation of a body; `prescribed` are the names that have one already.
void read_turn(Reading& reading, Section& section, std::set<std::string>& prescribed);

// The entries of a list with one entry per name; a single one needs no list.
std::vector<const Value*> read_entries(const Section& section, const Entry& entry, const Wanted& wanted);

}  // namespace invar::model

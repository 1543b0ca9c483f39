// Many runs of a task with other values of parameters at once, on a device: what is known of the rows of each.
//
// All that is built is built once, whatever the cases; a case gives the same bits with whatever others it is run.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "invar/model/problem/overrides.h"

namespace invar {

class RunBatch {
 public:
  virtual ~RunBatch() = default;

  struct Column {
    std::string name;
    bool watched = false;  // are its extremes over all rows known, too?
  };
  virtual const std::vector<Column>& columns() const = 0;
  virtual std::string device() const = 0;
  // So many cases at a time fill the device and do not take long.
  virtual std::size_t portion() const = 0;

  // By column.
  struct Case {
    std::vector<double> end;              // the last row; empty: this case needs a run of its own
    std::vector<double> least, greatest;  // of those that are watched; others are as at the end
  };
  struct Help {
    std::size_t threads = 1;          // that make starts and look at ends
    std::function<bool()> stop = {};  // is asked now and then
  };
  // Nothing if it was stopped.
  virtual std::optional<std::vector<Case>> run(std::span<const Overrides> cases, const Help& help) = 0;
};

}  // namespace invar

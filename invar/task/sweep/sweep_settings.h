// [sweep]: which task is run how often with which values, and what is kept of each run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "invar/model/problem/setting_error.h"
#include "invar/sample/design.h"

namespace invar {

struct SweepSettings {
  struct Varied {
    std::string name;    // of a parameter, or a place of the file: "initial.x"
    std::string values;  // as ValueSet reads them
  };
  std::string task = "simulate";
  std::vector<Varied> over;
  std::string cases;  // a CSV file with a column for each quantity and a row for each case; empty: none
  std::uint64_t samples = 0, seed = 1;
  std::string sampling = "random";
  std::vector<std::string> record;  // empty: as usual
  std::string device = "cpu";       // or "cuda", or "auto": whichever takes less time
  double limit = 0.0;               // seconds that a run may take; 0: any
  double memory = 0.0;              // bytes that a run may need; 0: any

  // In place of the values that this quantity had, if it was varied already.
  void vary(const std::string& name, const std::string& values);
  // What is recorded: "figures" and "end", of which a GPU has only the end.
  std::vector<std::string> recorded() const;
};

// The first setting that breaks a rule.
std::optional<SettingError> find_error(const SweepSettings& settings);

// All that is varied; reads the CSV file. InputError about what is wrong with it.
Design design_of(const SweepSettings& settings);

namespace model {
struct Reading;
class Section;
// [sweep]
void read_sweep(Reading& reading, Section& top);
}  // namespace model

}  // namespace invar

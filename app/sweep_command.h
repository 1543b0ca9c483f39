// `invar sweep`: one task, many times, with other values each time.
#pragma once

#include "app/command_line.h"

namespace invar::app {

int sweep(const CommandLine& command);
// `invar report FOLDER`. Each case that --case names is run once more, into FOLDER/case-N.
int report_sweep(const CommandLine& command);

// The value of --part, "3/16".
SweepPart part_of(const std::string& text);
// The value of --over, "m=50:500:10", and of --record, "figures,F.peak".
SweepSettings::Varied varied(const std::string& text);
// InputError if the same is varied already.
void add_varied(const SweepSettings::Varied& given, std::vector<SweepSettings::Varied>& over);
std::vector<std::string> separated(const std::string& text);

}  // namespace invar::app

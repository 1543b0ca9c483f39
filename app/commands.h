// The commands of the program: each prints, writes its results and returns the exit status.
#pragma once

#include "app/command_line.h"

namespace invar::app {

// 0 done, 1 the model or the command line is wrong, 2 the numerics failed, 3 results cannot be written, 130
// interrupted.
int run(const CommandLine& command);

}  // namespace invar::app

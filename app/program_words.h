// The commands by which the program tells about itself.
#pragma once

#include "app/command_line.h"

namespace invar::app {

int list(const CommandLine& line);
int help(const CommandLine& line);
int completion(const CommandLine& line);
int manual(const CommandLine& line);
int print_schema(const CommandLine& line);

}  // namespace invar::app

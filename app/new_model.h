// `invar new` and `invar init`: models and projects to start from.
#pragma once

#include "app/command_line.h"

namespace invar::app {

int new_model(const CommandLine& line);
int new_project(const CommandLine& line);

}  // namespace invar::app

// What the commands do that work on models and results: each prints, writes its results and returns the exit status.
#pragma once

#include "app/command_line.h"
#include "invar/model/problem/problem.h"

namespace invar::app {

// 0 done, 1 the model or the command line is wrong, 2 the numerics failed, 3 results cannot be written, 130
// interrupted.
int run(const CommandLine& command);

// The model, with settings of the task as the command line wants them.
Problem problem_for(const CommandLine& command, const Task& task);

int check_model(const CommandLine& command);
int run_task(const CommandLine& command);
// The report of a result folder once more, or several of them compared in one page.
int report(const CommandLine& command);

}  // namespace invar::app

// invar watch: runs a model again at every save and shows its page in a browser.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/command_line.h"

namespace invar::app {

int watch(const CommandLine& command);

// The model and the files beside it that it names.
std::vector<std::filesystem::path> files_of_model(const std::filesystem::path& model);

// Which task a model is made for: the first that it has a table of, in the order of `table`; else its simulation.
std::string task_of_model(const std::filesystem::path& model);

// An error with the lines of the file around the place that it names, as JSON: "error", "line" (0 if it names none) and
// "excerpt", a list of lines with their numbers.
std::string told_error(const std::string& message, const std::filesystem::path& model);

}  // namespace invar::app

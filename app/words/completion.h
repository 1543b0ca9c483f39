// Scripts that complete commands, options and their values in a shell, from the table of commands.
#pragma once

#include <string>

namespace invar::app {

// `shell` is bash, zsh or fish.
std::string completion_script(const std::string& shell);

}  // namespace invar::app

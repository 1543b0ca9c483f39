// What the program says about itself at a terminal, from the table of commands.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/words/command.h"

namespace invar::app {

std::string overview();                          // invar --help
std::string help_on(const Command& command);     // invar VERB --help
std::string usage(const Command& command);       // "invar simulate MODEL [options]"
std::string shown_option(const Option& option);  // "--step H"

// Lines of at most 80 columns with this indent; a blank line between paragraphs.
std::string wrapped(std::string_view text, std::size_t indent = 0);
// Rows of two columns, the second wrapped.
std::string two_columns(const std::vector<std::pair<std::string, std::string>>& rows);

struct ExitStatus {
  int status;
  std::string_view meaning;
};
inline constexpr ExitStatus exit_statuses[] = {
    {0, "all is done"},
    {1, "the model or the command line is wrong; nothing is written"},
    {2,
     "the numerics failed, or the result did not pass the checks of it; what was computed so far is written and "
     "marked incomplete"},
    {3,
     "all is done, but what was found could not be delivered: standard output or standard error is closed or full, "
     "or the disk is full. The message says which, and a result folder is there whole or not at all"},
    {130,
     "interrupted (Ctrl-C or SIGTERM, heeded at any point of the computation); likewise, or only the summary if "
     "there are no results yet"},
};

}  // namespace invar::app

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
     "nothing is wrong with the model, but the system does not do its part: results cannot be stored (the disk is "
     "full or read-only, the folder is gone, a permission is missing), a file cannot be read, there is not enough "
     "memory, or standard output or standard error is closed or full. The message says which, and where what was "
     "computed is kept if there is room anywhere; an earlier result is as it was"},
    {130,
     "interrupted (Ctrl-C or SIGTERM, heeded within a second whatever is under way); what was computed so far is "
     "written and marked incomplete, beside an earlier result that is complete"},
};

}  // namespace invar::app

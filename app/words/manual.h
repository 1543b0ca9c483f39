// The manual page and docs/command_line.md, from the table of commands.
#pragma once

#include <string>

namespace invar::app {

std::string manual_page();      // roff, for man(1)
std::string manual_markdown();  // docs/command_line.md

}  // namespace invar::app

// What `invar help TOPIC` knows: commands, options, schemes, functions of formulas, examples, exit statuses …
#pragma once

#include <string>
#include <vector>

namespace invar::app {

std::vector<std::string> help_topics();
// All that is called so; InputError with what may have been meant if there is nothing.
std::string help_about(const std::string& topic);

}  // namespace invar::app

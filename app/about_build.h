// What this program was built from, for reports of mistakes: `invar --version --full`.
#pragma once

#include <string>

namespace invar::app {

std::string about_this_build();

}  // namespace invar::app

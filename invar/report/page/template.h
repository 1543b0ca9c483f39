// The page of the viewer as it was built, viewer/dist/report.html, within the program.
#pragma once

#include <string_view>

namespace invar {

std::string_view page_template();

}  // namespace invar

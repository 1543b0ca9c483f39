// The page around a report that is replaced now and then: exchanges it without losing the place, and shows errors over
// it.
#pragma once

#include <string_view>

namespace invar::app {

// Of the events that it waits for (JSON): "report", a number that changes with the report; "error", or none; "excerpt",
// lines with their numbers, and "line", the one at fault; "said", a few words.
std::string_view watch_page();

}  // namespace invar::app

// Words of the command line as values; InputError says what is wrong with one, and what to write.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace invar::app {

// `what` opens messages: "--step".
double number(const std::string& text, const std::string& what);
double seconds(const std::string& text, const std::string& what);  // "60", "60s"; positive
double bytes(const std::string& text, const std::string& what);    // "500MB", "2GB"; positive
double whole_number(const std::string& text, const std::string& what);
std::vector<double> numbers(const std::string& text, const std::string& what);  // commas between; none if empty
std::pair<std::string, double> assignment(const std::string& text);             // of --set

// InputError with the nearest known one, or all of them, if it is none of them.
void require_known(const std::string& text, const std::vector<std::string>& known, const std::string& what);

// "a, b or c"
std::string one_of(const std::vector<std::string>& words);

}  // namespace invar::app

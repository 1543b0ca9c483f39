// Whole text files, with a limit on their size.
#pragma once

#include <cstddef>
#include <string>

namespace invar::model {

// Throws an InputError that names the file if it cannot be read or holds more than `limit` bytes.
std::string read_text_file(const std::string& path, std::size_t limit);

}  // namespace invar::model

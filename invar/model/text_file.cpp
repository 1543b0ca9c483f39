// Whole text files, with a limit on their size.
#include "invar/model/text_file.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "invar/expr/error.h"
#include "invar/model/message.h"

namespace invar::model {

std::string read_text_file(const std::string& path, std::size_t limit) {
  const auto fail = [&](const std::string& message) { throw InputError(display(path) + ": " + message); };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail("is a folder, not a file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("cannot be opened: " + std::generic_category().message(errno != 0 ? errno : ENOENT));
  // Read piece by piece instead of asking for the size, which pipes and devices do not have.
  constexpr std::size_t piece = std::size_t{1} << 16;
  std::string text;
  while (file && text.size() <= limit) {
    const std::size_t old = text.size();
    text.resize(old + std::min(piece, limit + 1 - old));
    file.read(text.data() + old, static_cast<std::streamsize>(text.size() - old));
    text.resize(old + static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) fail("cannot be read");
  if (text.size() > limit) fail("larger than " + std::to_string(limit >> 20) + " MB");
  return text;
}

}  // namespace invar::model

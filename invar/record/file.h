// Whole files in and out; what the system refuses becomes an InputError with its reason.
#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "invar/base/error.h"

namespace invar {

// Nothing is wrong with what the user asks for, but the system does not store it: a full disk, a missing permission.
class OutputError : public InputError {
 public:
  using InputError::InputError;
};

// What holds more than `limit` bytes, or is a folder, is an InputError too.
std::string read_text(const std::filesystem::path& path, std::size_t limit = std::numeric_limits<std::size_t>::max());
void write_text(const std::filesystem::path& path, std::string_view text);

// A file written piece by piece; an OutputError tells why it cannot be. Only after close() is it known that all of it
// was stored.
class OutputFile {
 public:
  explicit OutputFile(const std::filesystem::path& path);
  void write(std::string_view text);
  void close();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  std::string name_;
  std::unique_ptr<std::FILE, Close> file_;
};

}  // namespace invar

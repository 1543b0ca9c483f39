// Whole files in and out; what the system refuses becomes an InputError with its reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>

#include "invar/base/error.h"

namespace invar {

// Nothing is wrong with what the user asks for, but the system does not do it: a missing permission, a broken disk.
class FileError : public InputError {
 public:
  using InputError::InputError;
};

// It does not store it: the disk is full, too.
class OutputError : public FileError {
 public:
  using FileError::FileError;
};

// What holds more than `limit` bytes, or is no file (but a folder, a pipe, a device), is an InputError too.
std::string read_text(const std::filesystem::path& path, std::size_t limit = std::numeric_limits<std::size_t>::max());
void write_text(const std::filesystem::path& path, std::string_view text);
// The same, but what stands there is whole at any moment: as it was, or as it is to be.
void replace_text(const std::filesystem::path& path, std::string_view text);

// The first bytes of a file, as another file.
void copy_beginning(const std::filesystem::path& from, const std::filesystem::path& to, std::uint64_t size);

// Has the disk store a file, or the names in a folder, before anything else relies on it.
void flush_to_disk(const std::filesystem::path& path);

// A file written piece by piece; an OutputError tells why it cannot be. Only after close() is it known that all of it
// was stored.
class OutputFile {
 public:
  enum class Begin { empty, after_what_is_there };
  explicit OutputFile(const std::filesystem::path& path, Begin begin = Begin::empty);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  void write(std::string_view text);
  void close();
  std::uint64_t size() const;

 private:
  std::string name_;
  int descriptor_;
};

}  // namespace invar

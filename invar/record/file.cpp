// Files through the C library, which tells the reason of a failure in errno.
#include "invar/record/file.h"

#include <cerrno>
#include <system_error>

#include "invar/base/message.h"

namespace invar {

namespace {

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw InputError(display(name) + ": " + what);
}

[[noreturn]] void fail_to_write(const std::string& name, int code) {
  throw OutputError(display(name) + ": cannot be written: " + std::generic_category().message(code));
}

std::string reason(int code) { return ": " + std::generic_category().message(code); }

}  // namespace

std::string read_text(const std::filesystem::path& path, std::size_t limit) {
  const std::string name = path.string();
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail(name, "is a folder, not a file");
  const std::unique_ptr<std::FILE, decltype([](std::FILE* f) { std::fclose(f); })> file(std::fopen(name.c_str(), "rb"));
  if (!file) fail(name, "cannot be opened" + reason(errno));
  // Piece by piece instead of asking for the size, which pipes and devices do not have.
  std::string text;
  char piece[1 << 16];
  while (const std::size_t count = std::fread(piece, 1, sizeof piece, file.get())) {
    if (count > limit - text.size()) fail(name, "larger than " + std::to_string(limit >> 20) + " MB");
    text.append(piece, count);
  }
  if (std::ferror(file.get())) fail(name, "cannot be read" + reason(errno));
  return text;
}

void write_text(const std::filesystem::path& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.close();
}

OutputFile::OutputFile(const std::filesystem::path& path)
    : name_(path.string()), file_(std::fopen(name_.c_str(), "wb")) {
  if (!file_) fail_to_write(name_, errno);
}

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail_to_write(name_, errno);
}

void OutputFile::close() {
  if (std::fclose(file_.release()) != 0) fail_to_write(name_, errno);
}

}  // namespace invar

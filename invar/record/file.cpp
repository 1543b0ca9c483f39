// Files through the C library, which tells the reason of a failure in errno.
#include "invar/record/file.h"

#include <cerrno>
#include <system_error>

#include "invar/expr/error.h"

namespace invar {

namespace {

[[noreturn]] void fail(const std::string& name, const char* what, int reason) {
  throw InputError(name + ": cannot " + what + ": " + std::generic_category().message(reason));
}

}  // namespace

std::string read_text(const std::filesystem::path& path) {
  const std::unique_ptr<std::FILE, decltype([](std::FILE* f) { std::fclose(f); })> file(std::fopen(path.c_str(), "rb"));
  if (!file) fail(path.string(), "read", errno);
  std::string text;
  char buffer[1 << 16];
  while (const std::size_t count = std::fread(buffer, 1, sizeof buffer, file.get())) text.append(buffer, count);
  if (std::ferror(file.get())) fail(path.string(), "read", errno);
  return text;
}

void write_text(const std::filesystem::path& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.close();
}

OutputFile::OutputFile(const std::filesystem::path& path)
    : name_(path.string()), file_(std::fopen(path.c_str(), "wb")) {
  if (!file_) fail(name_, "write", errno);
}

void OutputFile::write(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), file_.get()) != text.size()) fail(name_, "write", errno);
}

void OutputFile::close() {
  if (std::fclose(file_.release()) != 0) fail(name_, "write", errno);
}

}  // namespace invar

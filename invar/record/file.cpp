// Files by POSIX calls, any of which may be interrupted or do less than it was asked for.
#include "invar/record/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "invar/base/beside.h"
#include "invar/base/message.h"
#include "invar/base/unfinished.h"
#include "invar/base/windows_files.h"

namespace invar {

namespace {

std::string because(int code) { return ": " + std::generic_category().message(code); }

// Names that lead nowhere are mistakes of whoever wrote them.
bool is_wrong_name(int code) {
  return code == ENOENT || code == ENOTDIR || code == ELOOP || code == ENAMETOOLONG || code == ENXIO;
}

[[noreturn]] void fail(const std::string& name, const std::string& what) {
  throw InputError(display(name) + ": " + what);
}

[[noreturn]] void fail_to_read(const std::string& name, const std::string& what, int code) {
  if (is_wrong_name(code)) fail(name, what + because(code));
  throw FileError(display(name) + ": " + what + because(code));
}

[[noreturn]] void fail_to_write(const std::string& name, int code) {
  throw OutputError(display(name) + ": cannot be written" + because(code));
}

// What is no file, in words; nothing for a file.
const char* other_kind(mode_t mode) {
  if (S_ISREG(mode)) return nullptr;
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  return S_ISSOCK(mode) ? "a socket" : "a device";
}

template <class Call>
auto until_done(const Call& call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  operator int() const { return number_; }

 private:
  int number_;
};

}  // namespace

std::string read_text(const std::filesystem::path& path, std::size_t limit) {
  const std::string name = path.string();
  // A pipe would be waited for.
  const Descriptor file(until_done([&] { return ::open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
  struct stat info = {};
  if (file < 0 || ::fstat(file, &info) != 0) fail_to_read(name, "cannot be opened", errno);
  if (const char* kind = other_kind(info.st_mode)) fail(name, "is " + std::string(kind) + ", not a file");
  // Piece by piece: the size may change, and is zero for files of the system.
  std::string text;
  char piece[1 << 16];
  ssize_t count = 0;
  while ((count = until_done([&] { return ::read(file, piece, sizeof piece); })) > 0) {
    if (static_cast<std::size_t>(count) > limit - text.size())
      fail(name, "larger than " + std::to_string(limit >> 20) + " MB");
    text.append(piece, static_cast<std::size_t>(count));
  }
  if (count < 0) fail_to_read(name, "cannot be read", errno);
  return text;
}

void write_text(const std::filesystem::path& path, std::string_view text) {
  OutputFile file(path);
  file.write(text);
  file.close();
}

void replace_text(const std::filesystem::path& path, std::string_view text) {
  std::error_code error;
  if (const auto status = std::filesystem::status(path, error);
      std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    return write_text(path, text);
  const bool is_link = std::filesystem::is_symlink(path, error);
  const std::filesystem::path place = is_link ? std::filesystem::weakly_canonical(path, error) : path;
  for (const std::filesystem::path& left : left_beside(place, "partial")) std::filesystem::remove(left, error);
  const std::filesystem::path partial = name_beside(place, "partial");
  const Unfinished removal([partial] {
    std::error_code ignored;
    std::filesystem::remove(partial, ignored);
    return std::string();
  });
  try {
    write_text(partial, text);
    flush_to_disk(partial);
  } catch (const OutputError& e) {
    std::filesystem::remove(partial, error);
    const std::string_view reason = e.what();
    throw OutputError(display(path.string()) + std::string(reason.substr(reason.rfind(": cannot be written"))));
  }
  std::filesystem::rename(partial, place, error);
  if (!error) return;
  const int code = error.value();
  std::filesystem::remove(partial, error);
  fail_to_write(path.string(), code);
}

void flush_to_disk(const std::filesystem::path& path) {
  const Descriptor file(until_done([&] { return ::open(path.string().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK); }));
  if (file >= 0 && until_done([&] { return ::fsync(file); }) == 0) return;
  const bool is_not_offered = file >= 0 && (errno == EINVAL || errno == ENOTSUP || errno == ENOSYS);
  if (!is_not_offered) fail_to_write(path.string(), errno);
}

void copy_beginning(const std::filesystem::path& from, const std::filesystem::path& to, std::uint64_t size) {
  std::error_code error;
  std::filesystem::copy_file(from, to, std::filesystem::copy_options::overwrite_existing, error);
  if (!error && std::filesystem::file_size(to, error) < size) fail(from.string(), "is shorter than it was");
  if (!error) std::filesystem::resize_file(to, size, error);
  if (error) fail_to_write(to.string(), error.value());
}

OutputFile::OutputFile(const std::filesystem::path& path, Begin begin)
    : name_(path.string()), descriptor_(until_done([&] {
        const int how = begin == Begin::empty ? O_CREAT | O_TRUNC : O_APPEND;
        return ::open(name_.c_str(), O_WRONLY | O_CLOEXEC | how, 0666);
      })) {
  if (descriptor_ < 0) fail_to_write(name_, errno);
}

OutputFile::~OutputFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void OutputFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = until_done([&] { return ::write(descriptor_, text.data(), text.size()); });
    if (count <= 0) fail_to_write(name_, count < 0 ? errno : EIO);
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::uint64_t OutputFile::size() const {
  struct stat info = {};
  if (::fstat(descriptor_, &info) != 0) fail_to_write(name_, errno);
  return static_cast<std::uint64_t>(info.st_size);
}

// A descriptor is closed even if that was interrupted.
void OutputFile::close() {
  if (::close(std::exchange(descriptor_, -1)) != 0 && errno != EINTR) fail_to_write(name_, errno);
}

}  // namespace invar

// A hold is an advisory lock, which ends with the process however that ends.
#include "invar/base/beside.h"

#include <fcntl.h>
#include <signal.h>  // NOLINT: kill is not in <csignal>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <random>
#include <string>
#include <utility>

#include "invar/base/windows_files.h"

namespace invar {

namespace fs = std::filesystem;

namespace {

std::string stem_beside(const fs::path& place, std::string_view purpose) {
  std::string name = place.filename().string();
  constexpr std::size_t longest = 200;  // leaves room for the rest within the usual 255 bytes
  name.resize(std::min(name.size(), longest));
  return "." + name + "." + std::string(purpose) + "-";
}

fs::path folder_of(const fs::path& place) {
  const fs::path folder = place.parent_path();
  return folder.empty() ? "." : folder;
}

// Of the process that a name ends with, or nothing if it is not such a name.
std::optional<pid_t> process_in(std::string_view rest) {
  pid_t process = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), process);
  if (error != std::errc() || process <= 0 || end == rest.data() + rest.size() || *end != '-') return std::nullopt;
  return process;
}

#ifdef _WIN32
bool is_gone(pid_t) { return false; }
#else
bool is_gone(pid_t process) { return ::kill(process, 0) != 0 && errno == ESRCH; }
#endif

}  // namespace

fs::path name_beside(const fs::path& place, std::string_view purpose) {
  return place.parent_path() /
         (stem_beside(place, purpose) + std::to_string(::getpid()) + "-" + std::to_string(std::random_device()()));
}

std::vector<fs::path> left_beside(const fs::path& place, std::string_view purpose) {
  std::vector<fs::path> found;
  const std::string stem = stem_beside(place, purpose);
  std::error_code error;
  for (fs::directory_iterator entry(folder_of(place), error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with(stem)) continue;
    const std::optional<pid_t> process = process_in(std::string_view(name).substr(stem.size()));
    if (process && is_gone(*process) && Hold(entry->path())) found.push_back(place.parent_path() / name);
  }
  return found;
}

Hold::Hold(const fs::path& what)
    : descriptor_(::open(what.string().c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)) {
  if (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) ::close(std::exchange(descriptor_, -1));
}

Hold::~Hold() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Hold::Hold(Hold&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

Hold& Hold::operator=(Hold&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

}  // namespace invar

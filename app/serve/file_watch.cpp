// See file_watch.h.
#include "app/serve/file_watch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>
#include <thread>
#if __has_include(<sys/inotify.h>)
#include <sys/inotify.h>
#define INVAR_INOTIFY
#endif

namespace invar::app {

namespace {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

constexpr auto between_looks = 50ms;
constexpr auto quiet_for = 15ms;  // an editor that empties a file first fills it sooner

}  // namespace

// Of folders, since a file that is replaced is another one.
class FileWatch::Notices {
 public:
  static std::unique_ptr<Notices> open() {
    int descriptor = -1;
#ifdef INVAR_INOTIFY
    descriptor = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
#endif
    return descriptor < 0 ? nullptr : std::unique_ptr<Notices>(new Notices(descriptor));
  }
  ~Notices() { ::close(descriptor_); }
  Notices(const Notices&) = delete;
  Notices& operator=(const Notices&) = delete;

  bool add([[maybe_unused]] const std::filesystem::path& folder) {
#ifdef INVAR_INOTIFY
    constexpr std::uint32_t what =
        IN_CLOSE_WRITE | IN_MODIFY | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE | IN_ATTRIB;
    return ::inotify_add_watch(descriptor_, folder.c_str(), what) >= 0;
#else
    return false;
#endif
  }

  // Until something happens or the time is over; the notices are used up.
  void wait(std::chrono::milliseconds most) {
    pollfd waiting = {descriptor_, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(most.count())) <= 0) return;
    char bytes[4096];
    while (::read(descriptor_, bytes, sizeof bytes) > 0) {
    }
  }

 private:
  explicit Notices(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

FileWatch::FileWatch(bool by_looking) : notices_(by_looking ? nullptr : Notices::open()) {}
FileWatch::~FileWatch() = default;

void FileWatch::watch(std::vector<std::filesystem::path> files) {
  files_ = std::move(files);
  std::set<std::filesystem::path> folders;
  for (const std::filesystem::path& file : files_)
    folders.insert(file.has_parent_path() ? file.parent_path() : std::filesystem::path("."));
  // A folder that cannot be watched, as on some network drives, is looked at.
  if (notices_ && !std::ranges::all_of(folders, [&](const auto& folder) { return notices_->add(folder); }))
    notices_.reset();
  known_ = states();
}

std::vector<FileWatch::State> FileWatch::states() const {
  std::vector<State> all;
  for (const std::filesystem::path& file : files_) {
    State& state = all.emplace_back();
    std::error_code error;
    const auto time = std::filesystem::last_write_time(file, error);
    if (error) continue;
    state.time = time;
    struct stat found = {};
    if (::stat(file.c_str(), &found) == 0) {
      state.size = static_cast<std::uintmax_t>(found.st_size);
      state.number = static_cast<std::uintmax_t>(found.st_ino);
    }
  }
  return all;
}

bool FileWatch::has_changed() {
  const auto now = SteadyClock::now();
  if (now - looked_ < between_looks) return false;
  looked_ = now;
  return states() != known_;
}

bool FileWatch::wait(std::chrono::milliseconds most) {
  const auto end = SteadyClock::now() + most;
  std::vector<State> seen = states();
  auto since = SteadyClock::now();
  for (;;) {
    const auto now = SteadyClock::now();
    if (seen != known_ && now - since >= quiet_for) {
      known_ = seen;
      return true;
    }
    if (seen == known_ && now >= end) return false;
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(end - now) + 1ms;
    const auto pause = seen != known_ ? quiet_for
                       : notices_     ? left
                                      : std::min<std::chrono::milliseconds>(left, between_looks);
    if (notices_ && seen == known_)
      notices_->wait(pause);
    else
      std::this_thread::sleep_for(pause);
    std::vector<State> next = states();
    if (next == seen) continue;
    seen = std::move(next);
    since = SteadyClock::now();
  }
}

}  // namespace invar::app

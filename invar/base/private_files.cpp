// Private folders and child processes by POSIX calls. Elsewhere there are none: formulas are then interpreted.
#include "invar/base/private_files.h"

#ifndef _WIN32
#include <fcntl.h>
#include <signal.h>  // NOLINT: kill is not in <csignal>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace invar {

#ifdef _WIN32

bool make_private_folder(const std::string&) { return false; }
TemporaryFolder::TemporaryFolder(const std::string&) {}
bool run_program(const std::vector<std::string>&, const ProgramSurroundings&) { return false; }

#else

namespace {

bool make_folders(const std::filesystem::path& path) {
  std::filesystem::path so_far;
  for (const auto& step : path) {
    so_far /= step;
    if (::mkdir(so_far.c_str(), 0700) != 0 && errno != EEXIST && !std::filesystem::is_directory(so_far)) return false;
  }
  return true;
}

// Standard streams to nowhere, and a process group of its own, so that it can be killed with all that it starts.
class Spawning {
 public:
  Spawning() {
    ready_ = ::posix_spawn_file_actions_init(&actions_) == 0 && ::posix_spawnattr_init(&attributes_) == 0 &&
             ::posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP) == 0 &&
             ::posix_spawnattr_setpgroup(&attributes_, 0) == 0;
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
      ready_ = ready_ && ::posix_spawn_file_actions_addopen(&actions_, stream, "/dev/null", O_RDWR, 0) == 0;
  }
  ~Spawning() {
    ::posix_spawn_file_actions_destroy(&actions_);
    ::posix_spawnattr_destroy(&attributes_);
  }
  Spawning(const Spawning&) = delete;
  Spawning& operator=(const Spawning&) = delete;

  bool ready() const { return ready_; }
  const posix_spawn_file_actions_t* actions() const { return &actions_; }
  const posix_spawnattr_t* attributes() const { return &attributes_; }

 private:
  posix_spawn_file_actions_t actions_ = {};
  posix_spawnattr_t attributes_ = {};
  bool ready_ = false;
};

// That of this process, with another folder for temporary files if one is given.
std::vector<std::string> environment(const std::string& temporary) {
  constexpr std::string_view name = "TMPDIR=";
  std::vector<std::string> all;
  for (char** variable = ::environ; *variable != nullptr; ++variable)
    if (temporary.empty() || !std::string_view(*variable).starts_with(name)) all.emplace_back(*variable);
  if (!temporary.empty()) all.push_back(std::string(name) + temporary);
  return all;
}

std::vector<char*> pointers(const std::vector<std::string>& strings) {
  std::vector<char*> all;
  for (const std::string& s : strings) all.push_back(const_cast<char*>(s.c_str()));  // NOLINT: the type of execv
  all.push_back(nullptr);
  return all;
}

// The number of the child is its own until it is waited for, and the killing is over by then.
bool ends_well(pid_t child, const std::stop_token& stop, std::atomic<pid_t>& started) {
  {
    const std::stop_callback killing(stop, [child] { ::kill(-child, SIGKILL); });
    siginfo_t ended = {};
    while (::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
    }
  }
  started = 0;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return false;
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

bool make_private_folder(const std::string& path) {
  try {
    if (!make_folders(path)) return false;
  } catch (const std::filesystem::filesystem_error&) {
    return false;
  }
  struct stat info = {};
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == ::geteuid() &&
         (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

TemporaryFolder::TemporaryFolder(const std::string& parent) {
  const std::filesystem::path place = std::filesystem::path(parent) / "invar";
  std::error_code ignored;
  for (const std::filesystem::path& left : left_beside(place, "temporary")) std::filesystem::remove_all(left, ignored);
  const std::string name = name_beside(place, "temporary").string();
  if (::mkdir(name.c_str(), 0700) != 0) return;
  path_ = name;
  hold_ = Hold(path_);
  unfinished_.emplace([name] {
    std::error_code failed;
    std::filesystem::remove_all(name, failed);
    return std::string();
  });
}

bool run_program(const std::vector<std::string>& command, const ProgramSurroundings& surroundings) {
  Spawning spawning;
  const std::vector<std::string> settings = environment(surroundings.temporary);
  std::vector<char*> arguments = pointers(command), variables = pointers(settings);
  std::atomic<pid_t> started = 0;
  const Unfinished killing([&started] {
    if (const pid_t group = started; group > 0) ::kill(-group, SIGKILL);
    return std::string();
  });
  pid_t child = 0;
  if (!spawning.ready() || ::posix_spawnp(&child, arguments[0], spawning.actions(), spawning.attributes(),
                                          arguments.data(), variables.data()) != 0)
    return false;
  started = child;
  return ends_well(child, surroundings.stop, started);
}

#endif

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  std::string content{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  if (file.bad()) return std::nullopt;
  return content;
}

bool write_file(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  return file.good();
}

}  // namespace invar

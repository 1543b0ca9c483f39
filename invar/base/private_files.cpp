// Private folders and child processes by POSIX calls.
#include "invar/base/private_files.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace invar {

namespace {

bool make_folders(const std::filesystem::path& path) {
  std::filesystem::path so_far;
  for (const auto& step : path) {
    so_far /= step;
    if (::mkdir(so_far.c_str(), 0700) != 0 && errno != EEXIST && !std::filesystem::is_directory(so_far)) return false;
  }
  return true;
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
  std::string name = parent + "/invar.XXXXXX";
  if (::mkdtemp(name.data())) path_ = name;
}

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

bool run_program(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& part : command) arguments.push_back(const_cast<char*>(part.c_str()));  // NOLINT: execv's type
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  if (::posix_spawn_file_actions_init(&actions) != 0) return false;
  bool ready = true;
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    ready = ready && ::posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0) == 0;
  pid_t child = 0;
  ready = ready && ::posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), ::environ) == 0;
  ::posix_spawn_file_actions_destroy(&actions);
  if (!ready) return false;
  int status = 0;
  pid_t ended;
  do ended = ::waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  return ended == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace invar

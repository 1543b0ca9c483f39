// The command as a process of its own, for tests that send signals to it.
#pragma once

#include <fcntl.h>
#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <optional>
#include <thread>
#include <vector>

#include "app/shell_test_support.h"

namespace invar::app {

class Process : public Shell {
 protected:
  struct Ended {
    int status = 0;                      // 1000 and more if a signal ended it
    double wall = 0.0, processor = 0.0;  // seconds since the signal
    long memory = 0;                     // kilobytes, the most that it had
    std::string errors;
  };
  using Clock = std::chrono::steady_clock;

  pid_t start(const std::vector<std::string>& arguments) const {
    const pid_t child = fork();
    if (child != 0) return child;
    setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
    const int printed = open((folder / "printed").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const int errors = open((folder / "errors").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    dup2(printed, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    std::vector<char*> words = {const_cast<char*>(INVAR_BINARY)};
    for (const std::string& a : arguments) words.push_back(const_cast<char*>(a.c_str()));
    words.push_back(nullptr);
    if (chdir(folder.c_str()) == 0) execv(INVAR_BINARY, words.data());
    _exit(99);
  }

  // A line of /proc/PID/status; empty if it is gone.
  static std::string about(pid_t process, const std::string& key) {
    std::ifstream file("/proc/" + std::to_string(process) + "/status");
    for (std::string line; std::getline(file, line);)
      if (line.starts_with(key + ":")) return line.substr(key.size() + 1);
    return {};
  }
  static bool is_running(pid_t process) {
    const std::string state = about(process, "State");
    return !state.empty() && state.find('Z') == state.npos;
  }
  // Before its first instructions a program cannot say what a signal shall do.
  static void wait_until_it_listens(pid_t process) {
    const auto listens = [&] {
      const std::string caught = about(process, "SigCgt");
      return !caught.empty() && (std::stoull(caught, nullptr, 16) >> (SIGTERM - 1)) % 2 == 1;
    };
    while (is_running(process) && !listens()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  static double processor_time(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text;
    std::getline(file, text);
    std::istringstream rest(text.substr(std::min(text.rfind(')') + 2, text.size())));
    std::string word;
    double ticks = 0.0;
    for (int k = 3; rest >> word; ++k)
      if (k == 14 || k == 15) ticks += std::stod(word);
    return ticks / static_cast<double>(sysconf(_SC_CLK_TCK));
  }

  Ended wait_for(pid_t child, double processor_before = 0.0) const {
    const auto begin = Clock::now();
    int status = 0;
    rusage usage = {};
    wait4(child, &status, 0, &usage);
    const auto seconds = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
    };
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status),
            std::chrono::duration<double>(Clock::now() - begin).count(),
            seconds(usage.ru_utime) + seconds(usage.ru_stime) - processor_before, usage.ru_maxrss, text("errors")};
  }

  // Some time after it has begun; nothing if it has ended by itself before.
  std::optional<Ended> stop(pid_t child, int signal, std::chrono::milliseconds moment) const {
    wait_until_it_listens(child);
    std::this_thread::sleep_for(moment);
    const bool ended = !is_running(child);
    const double before = processor_time(child);
    kill(child, signal);
    const Ended end = wait_for(child, before);
    return ended ? std::nullopt : std::optional(end);
  }

  void expect_nothing_left() const {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      EXPECT_FALSE(name.starts_with('.')) << entry.path();
    }
  }
};

}  // namespace invar::app

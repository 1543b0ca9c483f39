// Whether files change: by inotify, so that it is known at once, and where that is missing by looking every so often.
// Editors write in several ways (into the file, or a new one that takes its place), so what counts is what the files
// are afterwards: size, time and number.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <vector>

namespace invar::app {

class FileWatch {
 public:
  explicit FileWatch(bool by_looking = false);  // true: as if there were no inotify
  ~FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;

  // From now on these, as they are; one may be missing.
  void watch(std::vector<std::filesystem::path> files);
  // Whether one has changed since; does not wait, and asks the system seldom.
  bool has_changed();
  // Until one has changed and nothing more happens to it for a moment, or the time is over.
  bool wait(std::chrono::milliseconds most);

 private:
  class Notices;
  struct State {
    std::filesystem::file_time_type time = {};
    std::uintmax_t size = 0, number = 0;
    bool operator==(const State&) const = default;
  };
  std::vector<State> states() const;

  std::vector<std::filesystem::path> files_;
  std::vector<State> known_;
  std::chrono::steady_clock::time_point looked_ = {};
  std::unique_ptr<Notices> notices_;  // none: by looking
};

}  // namespace invar::app

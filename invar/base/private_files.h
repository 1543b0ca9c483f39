// Folders and files that only this user may touch, and programs run without a shell.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "invar/base/beside.h"
#include "invar/base/unfinished.h"

namespace invar {

// Makes the folder and its parents with mode 0700 where they do not exist. False if it is not a folder of this user
// that nobody else can write to.
bool make_private_folder(const std::string& path);

// A new folder, removed with all its content at the end of its life. Those of processes that were killed are removed
// when the next is made in the same place.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& parent);  // path() is empty if it could not be made
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Hold hold_;
  std::optional<Unfinished> unfinished_;
};

std::optional<std::string> read_file(const std::string& path);
bool write_file(const std::string& path, std::string_view content);

struct ProgramSurroundings {
  std::string temporary = {};  // folder for its temporary files, if not the usual one
  std::stop_token stop = {};   // kills it, and all that it has started
};

// Runs a program found in PATH, with empty input and its output thrown away. True if it ended with 0.
bool run_program(const std::vector<std::string>& command, const ProgramSurroundings& surroundings = {});

}  // namespace invar

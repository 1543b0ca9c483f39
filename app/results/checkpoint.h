// What a run writes into its folder from time to time so that another can go on with it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "app/results/result_rows.h"
#include "invar/record/folder/result_folder.h"
#include "invar/task/run/task.h"

namespace invar::app {

struct Checkpoint {
  static constexpr const char* file = "checkpoint";

  std::filesystem::path folder = {};  // where it was found
  std::string table = {};             // the mark of its rows, see row_sink.h
  std::string state = {};             // of the run
};

// That of a run into this place which was interrupted or killed, the latest if there are two.
std::optional<Checkpoint> find_checkpoint(const std::filesystem::path& place);

// Keeps checkpoints in the folder of a run, which is worth keeping from the first one on.
class CheckpointFile {
 public:
  // `words` are what the folder says of itself if the run is killed.
  CheckpointFile(ResultFolder& results, ResultRows& rows, Summary unfinished);

  // The first rows of the run are those of an earlier one.
  void go_on(const Checkpoint& earlier);
  // OutputError if it cannot be written; the last one is there then.
  void keep(const std::string& state);

 private:
  void write(const std::string& table, const std::string& state);

  ResultFolder& results_;
  ResultRows& rows_;
  Summary unfinished_;
  bool begun_ = false;
};

}  // namespace invar::app

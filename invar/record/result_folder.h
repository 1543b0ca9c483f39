// A folder of results that appears whole or not at all: filled under a hidden name beside its place, then renamed.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace invar {

class ResultFolder {
 public:
  // Makes the hidden folder and missing parents. InputError if `place` holds something that is not ours to replace
  // (only an empty folder or an earlier Invar result is), or if the system refuses.
  explicit ResultFolder(const std::filesystem::path& place);
  // Without commit(), removes everything that was made.
  ~ResultFolder();
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  // Where to write for now.
  const std::filesystem::path& path() const { return partial_; }
  void write(const std::string& name, std::string_view text) const;

  // Puts the folder in its place. An earlier result is moved aside first and removed last, so that it survives a
  // failure.
  void commit();

 private:
  void check_place() const;
  void make_parents();
  void remove_all_made() noexcept;
  std::filesystem::path hidden_sibling(const char* purpose) const;

  std::string shown_;  // as the user wrote it
  std::filesystem::path place_, partial_;
  std::vector<std::filesystem::path> made_parents_;
  bool committed_ = false;
};

}  // namespace invar

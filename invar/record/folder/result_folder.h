// A folder of results that appears whole or not at all: filled under a hidden name beside its place, stored on the
// disk, then exchanged with what stands there in one step.
//
// A complete result is never replaced by an incomplete one, which has a file INCOMPLETE: that goes to NAME-incomplete.
// What killed runs have left beside the place is removed; a result that one of them had set aside is put back, and what
// was worth keeping is put in its place.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "invar/base/beside.h"
#include "invar/base/unfinished.h"

namespace invar {

class ResultFolder {
 public:
  static constexpr const char* incomplete = "INCOMPLETE";  // the file that marks such a result

  // Makes the hidden folder and missing parents. InputError if `place` holds something that is not ours to replace
  // (only an empty folder or an earlier Invar result is); OutputError if the system refuses.
  explicit ResultFolder(const std::filesystem::path& place);
  // Without commit(), removes everything that was made.
  ~ResultFolder();
  ResultFolder(const ResultFolder&) = delete;
  ResultFolder& operator=(const ResultFolder&) = delete;

  // Where to write for now.
  const std::filesystem::path& path() const { return partial_; }
  void write(const std::string& name, std::string_view text) const;
  // The same for what is written by others, to the path that they are given.
  void add(const std::string& name, const std::function<void(const std::filesystem::path& file)>& write) const;

  void remove(const std::string& name) const;

  // What was written is a result even without what follows: if the program must end at once, it is put in its place.
  void is_worth_keeping();

  // Puts the folder in its place. An earlier result survives a failure.
  void commit();
  bool is_committed() const { return committed_; }
  // Where it came to stand, as the user would write it.
  const std::string& shown() const { return shown_; }

 private:
  void check_place() const;
  void make_parents();
  void take_care_of_left_overs() const;
  void put_back(const std::filesystem::path& left) const;
  void remove_hidden() const;
  void choose_place();
  void flush() const;
  void put_in_place();
  std::string put_in_place_at_once();
  void remove_all_made() noexcept;

  std::string shown_;
  std::filesystem::path place_, partial_;
  std::vector<std::filesystem::path> made_parents_;
  Hold hold_;
  bool committed_ = false;
  std::unique_ptr<Unfinished> unfinished_;
};

// Where an incomplete result goes if a complete one stands in the place.
std::filesystem::path incomplete_beside(const std::filesystem::path& place);

// Does the folder hold a result of Invar that is complete?
bool holds_complete_result(const std::filesystem::path& folder);

}  // namespace invar

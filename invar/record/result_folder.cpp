// Renaming is the only step that other programs can see, and the system does it at once.
#include "invar/record/result_folder.h"

#include <unistd.h>

#include <algorithm>
#include <random>
#include <system_error>

#include "invar/base/error.h"
#include "invar/record/file.h"
#include "invar/record/summary.h"

namespace invar {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const std::string& shown, const std::string& reason) {
  throw InputError(shown + ": " + reason);
}

void rename_or_refuse(const fs::path& from, const fs::path& to, const std::string& shown) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) throw OutputError(shown + ": cannot be written: " + error.message());
}

bool holds_summary(const fs::path& folder) {
  const fs::path file = folder / "summary.json";
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return false;
  try {
    return is_summary(read_text(file));
  } catch (const InputError&) {
    return false;
  }
}

// Links resolved and no trailing slash, so that the name can be renamed onto.
fs::path resolved(const fs::path& place, const std::string& shown) {
  std::error_code error;
  fs::path result = fs::weakly_canonical(fs::absolute(place, error), error);
  if (error) refuse(shown, "cannot be written: " + error.message());
  result = result.lexically_normal();
  return result.has_filename() ? result : result.parent_path();
}

}  // namespace

ResultFolder::ResultFolder(const fs::path& place) : shown_(place.string()), place_(resolved(place, shown_)) {
  if (place.empty() || !place_.has_filename())
    refuse("\"" + shown_ + "\"", "is no name for a folder; choose another --out");
  check_place();
  try {
    make_parents();
    constexpr int attempts = 10;
    std::error_code error;
    for (int i = 0; i < attempts && partial_.empty() && !error; ++i)
      if (const fs::path name = hidden_sibling("partial"); fs::create_directory(name, error)) partial_ = name;
    if (partial_.empty()) refuse(shown_, "cannot be written: " + error.message());
  } catch (...) {
    remove_all_made();
    throw;
  }
}

ResultFolder::~ResultFolder() {
  if (!committed_) remove_all_made();
}

void ResultFolder::write(const std::string& name, std::string_view text) const { write_text(partial_ / name, text); }

void ResultFolder::commit() {
  expects(!committed_, "one commit");
  check_place();
  std::error_code error;
  const bool replaces = fs::exists(place_, error) && !fs::is_empty(place_, error);
  const fs::path aside = hidden_sibling("old");
  if (replaces) rename_or_refuse(place_, aside, shown_);
  try {
    rename_or_refuse(partial_, place_, shown_);  // an empty folder gives way by itself
  } catch (const InputError&) {
    if (replaces) fs::rename(aside, place_, error);
    throw;
  }
  committed_ = true;
  if (replaces) fs::remove_all(aside, error);
}

void ResultFolder::check_place() const {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(place_, error);
  if (status.type() == fs::file_type::not_found) return;
  if (status.type() == fs::file_type::none) refuse(shown_, "cannot be written: " + error.message());
  const bool ours = fs::is_directory(status) && (fs::is_empty(place_, error) || holds_summary(place_));
  if (!ours) refuse(shown_, "exists and is not an Invar result; choose another --out");
  if (fs::equivalent(place_, fs::current_path(error), error))
    refuse(shown_, "is the current folder and cannot be replaced; choose another --out");
}

void ResultFolder::make_parents() {
  std::vector<fs::path> missing;
  std::error_code error;
  for (fs::path p = place_.parent_path(); !fs::exists(p, error) && p.has_relative_path(); p = p.parent_path())
    missing.push_back(p);
  for (; !missing.empty(); missing.pop_back()) {
    if (fs::create_directory(missing.back(), error)) made_parents_.push_back(missing.back());
    if (error) refuse(shown_, "cannot be written: " + error.message());
  }
}

void ResultFolder::remove_all_made() noexcept {
  std::error_code ignored;
  if (!partial_.empty()) fs::remove_all(partial_, ignored);
  for (; !made_parents_.empty(); made_parents_.pop_back()) fs::remove(made_parents_.back(), ignored);  // only if empty
}

fs::path ResultFolder::hidden_sibling(const char* purpose) const {
  std::string name = place_.filename().string();
  constexpr std::size_t longest = 200;  // leaves room for the rest within the usual 255 bytes
  name.resize(std::min(name.size(), longest));
  return place_.parent_path() /
         ("." + name + "." + purpose + "-" + std::to_string(getpid()) + "-" + std::to_string(std::random_device()()));
}

}  // namespace invar

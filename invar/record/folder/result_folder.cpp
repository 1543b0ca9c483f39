// Renaming is the only step that other programs can see, and the system does it at once.
#include "invar/record/folder/result_folder.h"

#include <fcntl.h>
#include <stdio.h>  // NOLINT: renameat2 is not in <cstdio>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "invar/base/error.h"
#include "invar/record/file.h"
#include "invar/record/summary.h"

namespace invar {

namespace fs = std::filesystem;

namespace {

constexpr const char* while_written = "partial";
constexpr const char* set_aside = "old";

[[noreturn]] void refuse(const std::string& shown, const std::string& reason) {
  throw InputError(shown + ": " + reason);
}

[[noreturn]] void cannot_write(const std::string& shown, const std::error_code& error) {
  throw OutputError(shown + ": cannot be written: " + error.message());
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
  if (error) cannot_write(shown, error);
  result = result.lexically_normal();
  return result.has_filename() ? result : result.parent_path();
}

// Names change places in one step, where the system has that.
bool exchange([[maybe_unused]] const fs::path& a, [[maybe_unused]] const fs::path& b) {
#ifdef RENAME_EXCHANGE
  return ::renameat2(AT_FDCWD, a.c_str(), AT_FDCWD, b.c_str(), RENAME_EXCHANGE) == 0;
#else
  return false;
#endif
}

// Elsewhere one is set aside first. Between the two steps nothing stands in the place; who comes next puts it back.
std::error_code replace_in_two_steps(const fs::path& partial, const fs::path& place) {
  const fs::path aside = name_beside(place, set_aside);
  std::error_code error, ignored;
  fs::rename(place, aside, error);
  if (error) return error;
  fs::rename(partial, place, error);
  fs::rename(aside, error ? place : partial, ignored);
  return error;
}

void remove_whole(const fs::path& folder) noexcept {
  std::error_code ignored;
  constexpr int attempts = 5;  // another thread may still write into it
  for (int i = 0; i < attempts && fs::exists(folder, ignored); ++i) fs::remove_all(folder, ignored);
}

fs::path with_more(const fs::path& place, std::string_view more) {
  constexpr std::size_t longest = 240;
  std::string name = place.filename().string();
  name.resize(std::min(name.size(), longest));
  return place.parent_path() / (name + std::string(more));
}

}  // namespace

fs::path incomplete_beside(const fs::path& place) {
  return with_more(place.has_filename() ? place : place.parent_path(), "-incomplete");
}

bool holds_complete_result(const fs::path& folder) {
  std::error_code error;
  return holds_summary(folder) && !fs::exists(folder / ResultFolder::incomplete, error);
}

ResultFolder::ResultFolder(const fs::path& place) : shown_(place.string()), place_(resolved(place, shown_)) {
  if (place.empty() || !place_.has_filename())
    refuse("\"" + shown_ + "\"", "is no name for a folder; choose another --out");
  take_care_of_left_overs();
  check_place();
  try {
    make_parents();
    constexpr int attempts = 10;
    std::error_code error;
    for (int i = 0; i < attempts && partial_.empty() && !error; ++i)
      if (fs::path name = name_beside(place_, while_written); fs::create_directory(name, error))
        partial_ = std::move(name);  // without memory that might be missing
    if (partial_.empty()) cannot_write(shown_, error);
    hold_ = Hold(partial_);
    unfinished_ = std::make_unique<Unfinished>([this] { return remove_all_made(), std::string(); });
  } catch (...) {
    remove_all_made();
    throw;
  }
}

ResultFolder::~ResultFolder() {
  unfinished_.reset();
  if (!committed_) remove_all_made();
}

// Under a hidden name until it is whole.
void ResultFolder::add(const std::string& name, const std::function<void(const fs::path&)>& write) const {
  const fs::path hidden = partial_ / ("." + name);
  std::error_code error;
  try {
    write(hidden);
  } catch (...) {
    fs::remove(hidden, error);
    throw;
  }
  fs::rename(hidden, partial_ / name, error);
  if (error) cannot_write((partial_ / name).string(), error);
}

void ResultFolder::write(const std::string& name, std::string_view text) const {
  add(name, [&](const fs::path& file) { write_text(file, text); });
}

void ResultFolder::is_worth_keeping() {
  unfinished_->replace([] {}, [this] { return put_in_place_at_once(); });
}

std::string ResultFolder::put_in_place_at_once() {
  try {
    remove_hidden();
    flush();
    put_in_place();
    remove_whole(partial_);
    return "what there is of the results is in " + shown_;
  } catch (const std::exception& e) {
    remove_all_made();
    return e.what();
  }
}

void ResultFolder::remove_hidden() const {
  std::error_code error;
  std::vector<fs::path> hidden;
  for (fs::directory_iterator entry(partial_, error), end; !error && entry != end; entry.increment(error))
    if (entry->path().filename().string().starts_with('.')) hidden.push_back(entry->path());
  for (const fs::path& file : hidden) fs::remove(file, error);
}

void ResultFolder::remove(const std::string& name) const {
  std::error_code ignored;
  fs::remove(partial_ / name, ignored);
}

void ResultFolder::commit() {
  expects(!committed_, "one commit");
  flush();
  unfinished_->replace([this] { put_in_place(); }, [this] { return remove_whole(partial_), std::string(); });
  remove_whole(partial_);
  flush_to_disk(place_.parent_path());
}

void ResultFolder::put_in_place() {
  choose_place();
  check_place();
  std::error_code error;
  const bool replaces = fs::exists(place_, error) && !fs::is_empty(place_, error);
  if (!replaces) fs::rename(partial_, place_, error);  // an empty folder gives way by itself
  if (replaces && !exchange(partial_, place_)) error = replace_in_two_steps(partial_, place_);
  if (error) cannot_write(shown_, error);
  committed_ = true;
}

void ResultFolder::choose_place() {
  std::error_code error;
  if (!fs::exists(partial_ / incomplete, error)) return;
  while (holds_complete_result(place_)) {
    place_ = incomplete_beside(place_);
    shown_ = incomplete_beside(shown_).string();
  }
}

void ResultFolder::flush() const {
  std::error_code error;
  for (fs::directory_iterator entry(partial_, error), end; !error && entry != end; entry.increment(error))
    if (entry->is_regular_file(error)) flush_to_disk(entry->path());
  if (error) cannot_write(shown_, error);
  flush_to_disk(partial_);
}

void ResultFolder::take_care_of_left_overs() const {
  for (const fs::path& left : left_beside(place_, while_written)) put_back(left);
  for (const fs::path& left : left_beside(place_, set_aside)) {
    std::error_code error;
    if (!fs::exists(place_, error)) fs::rename(left, place_, error);
    if (fs::exists(left, error)) remove_whole(left);
  }
}

// What is worth keeping has a summary and says that it is incomplete.
void ResultFolder::put_back(const fs::path& left) const {
  std::error_code error;
  if (fs::exists(left / incomplete, error) && holds_summary(left)) {
    const fs::path place = holds_complete_result(place_) ? incomplete_beside(place_) : place_;
    if (!fs::exists(place, error))
      fs::rename(left, place, error);
    else if (holds_summary(place) && !holds_complete_result(place) && !exchange(left, place))
      replace_in_two_steps(left, place);
  }
  remove_whole(left);
}

void ResultFolder::check_place() const {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(place_, error);
  if (status.type() == fs::file_type::not_found) return;
  if (status.type() == fs::file_type::none) cannot_write(shown_, error);
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
    if (error) cannot_write(shown_, error);
  }
}

void ResultFolder::remove_all_made() noexcept {
  std::error_code ignored;
  if (!partial_.empty()) remove_whole(partial_);
  for (; !made_parents_.empty(); made_parents_.pop_back()) fs::remove(made_parents_.back(), ignored);  // only if empty
}

}  // namespace invar

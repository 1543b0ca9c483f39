// See sweep_journals.h.
#include "invar/sweep/sweep_journals.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "invar/base/error.h"
#include "invar/base/message.h"
#include "invar/record/file.h"

namespace invar {

namespace fs = std::filesystem;

namespace {

constexpr const char* journal_ending = ".journal";
constexpr std::uint64_t frame_head = 8;

std::string journal_name(SweepPart part) {
  return fmt::format("part-{}-of-{}{}", part.number, part.of, journal_ending);
}

void add_new(const std::vector<std::string>& names, std::vector<std::string>& list) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (!(i < list.size() && list[i] == names[i]) && std::ranges::find(list, names[i]) == list.end())
      list.push_back(names[i]);
}

}  // namespace

void SweepCounts::add(std::uint64_t number, CaseStatus status, const std::string& reason) {
  ++(status == CaseStatus::done ? done : status == CaseStatus::failed ? failed : stopped);
  if (status == CaseStatus::done || (!first_reason.empty() && number > first_not_done)) return;
  first_not_done = number;
  first_reason = reason;
}

SweepJournals::SweepJournals(fs::path folder, std::string identity, std::uint64_t cases)
    : folder_(std::move(folder)), identity_("invar sweep 1\n" + std::move(identity)), places_(cases) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) throw OutputError(display(folder_.string()) + ": cannot be written: " + error.message());
  std::vector<fs::path> paths;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error))
    if (entry.path().extension() == journal_ending) paths.push_back(entry.path());
  std::ranges::sort(paths);
  for (const fs::path& path : paths) read(path);
}

SweepJournals::~SweepJournals() {
  if (counts_.all() > 0) return;
  std::error_code ignored;
  if (file_) fs::remove(journals_[own_].path, ignored);
  fs::remove(folder_ / "status.json", ignored);
  fs::remove(folder_, ignored);  // only if it is empty
}

// A journal without a whole first record was begun when its program was killed: it holds nothing.
std::size_t SweepJournals::read(const fs::path& path) {
  const std::size_t own = journals_.size();
  journals_.push_back({path});
  bool is_first = true;
  journals_[own].end = read_records(path, [&](std::string_view payload, std::uint64_t offset) {
    if (!std::exchange(is_first, false)) return note(own, payload, offset);
    if (payload != identity_)
      throw InputError(
          fmt::format("{}: holds runs of another sweep: other values, settings, model or version; finish "
                      "that one as it was begun, remove the folder, or choose another --out",
                      display(folder_.string())));
  });
  return own;
}

void SweepJournals::note(std::size_t journal, std::string_view payload, std::uint64_t offset) {
  Stored& stored = journals_[journal];
  const std::optional<CaseDecoder::Head> head = stored.decoder.head(payload);
  stored.first_user.resize(stored.decoder.lists().size(), places_.size());
  if (!head) return;
  if (head->number >= places_.size())
    throw InputError(display(stored.path.string()) + ": has a case that there is not");
  std::uint64_t& first = stored.first_user[head->list];
  first = std::min(first, head->number);
  Place& place = places_[head->number];
  if (place.journal != none) return;  // two parts had it; they agree
  place = {static_cast<std::uint32_t>(journal), static_cast<std::uint32_t>(payload.size()), offset};
  counts_.add(head->number, head->status, head->reason);
}

void SweepJournals::open(SweepPart part) {
  const fs::path path = folder_ / journal_name(part);
  file_ = std::make_unique<RecordFile>(path);
  own_ = read(path);  // again: until now another program may have appended to it
  file_->end_at(journals_[own_].end);
  encoder_ = CaseEncoder(journals_[own_].decoder.lists());
  if (journals_[own_].end > 0) return;
  const std::string first = framed(identity_);
  file_->append(first);
  journals_[own_].end = first.size();
}

void SweepJournals::append(const CaseRecord& record) {
  const std::scoped_lock lock(appending_);
  const std::vector<std::string> payloads = encoder_.encode(record);
  std::string frames;
  for (const std::string& payload : payloads) frames += framed(payload);
  file_->append(frames);
  for (const std::string& payload : payloads) {
    note(own_, payload, journals_[own_].end + frame_head);
    journals_[own_].end += frame_head + payload.size();
  }
}

void SweepJournals::settle() {
  const std::scoped_lock lock(appending_);
  if (file_) file_->settle();
}

std::vector<bool> SweepJournals::recorded() const {
  std::vector<bool> flags(places_.size());
  for (std::size_t k = 0; k < places_.size(); ++k) flags[k] = places_[k].journal != none;
  return flags;
}

CaseNames SweepJournals::names() const {
  struct Used {
    std::uint64_t first;
    const CaseNames* names;
  };
  std::vector<Used> used;
  for (const Stored& stored : journals_)
    for (std::size_t i = 0; i < stored.first_user.size(); ++i)
      if (stored.first_user[i] < places_.size()) used.push_back({stored.first_user[i], &stored.decoder.lists()[i]});
  std::ranges::stable_sort(used, {}, &Used::first);
  CaseNames all;
  for (const Used& u : used) {
    add_new(u.names->numbers, all.numbers);
    add_new(u.names->series, all.series);
  }
  return all;
}

void SweepJournals::visit(const std::function<void(const CaseRecord& record)>& take) const {
  std::vector<std::unique_ptr<std::FILE, decltype([](std::FILE* f) { std::fclose(f); })>> files;
  for (const Stored& stored : journals_) files.emplace_back(std::fopen(stored.path.c_str(), "rb"));
  std::string payload;
  for (const Place& place : places_) {
    if (place.journal == none) continue;
    const Stored& stored = journals_[place.journal];
    std::FILE* const file = files[place.journal].get();
    payload.resize(place.length);
    if (file == nullptr || std::fseek(file, static_cast<long>(place.offset), SEEK_SET) != 0 ||
        std::fread(payload.data(), 1, payload.size(), file) != payload.size())
      throw OutputError(display(stored.path.string()) + ": cannot be read");
    take(stored.decoder.record(payload));
  }
}

}  // namespace invar

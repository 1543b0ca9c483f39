// The runs of a sweep that are recorded, on disk: DIR.unfinished holds a journal for each part, and everyone who takes
// part in the sweep reads all of them, appends to its own, and may complete the whole.
//
// A journal (record_file.h) begins with what the sweep is, letter by letter: only what answers the same question can be
// put together. The other records are those of case_codec.h.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "invar/sweep/case_codec.h"
#include "invar/sweep/case_queue.h"
#include "invar/sweep/record_file.h"

namespace invar {

struct SweepCounts {
  std::uint64_t done = 0, failed = 0, stopped = 0;
  std::uint64_t first_not_done = 0;  // number of the first case that is not done, and why
  std::string first_reason = {};

  std::uint64_t all() const { return done + failed + stopped; }
  void add(std::uint64_t number, CaseStatus status, const std::string& reason);
};

class SweepJournals {
 public:
  // Makes the folder if there is none, and reads what it holds. InputError if that is of another sweep.
  SweepJournals(std::filesystem::path folder, std::string identity, std::uint64_t cases);
  // Removes the folder if nothing is recorded.
  ~SweepJournals();

  // From here on append() works. InputError if another program works at the same part.
  void open(SweepPart part);
  // Any thread may call; returns when the record is with the system.
  void append(const CaseRecord& record);
  void settle();

  const std::filesystem::path& folder() const { return folder_; }
  std::vector<bool> recorded() const;
  const SweepCounts& counts() const { return counts_; }
  std::uint64_t cases() const { return places_.size(); }
  bool is_complete() const { return counts_.all() == places_.size(); }

  // The names of numbers and series of all records, in the order of the cases that have them first.
  CaseNames names() const;
  // All recorded cases by their numbers.
  void visit(const std::function<void(const CaseRecord& record)>& take) const;

 private:
  struct Place {
    std::uint32_t journal = none, length = 0;
    std::uint64_t offset = 0;
  };
  struct Stored {
    std::filesystem::path path;
    std::uint64_t end = 0;
    CaseDecoder decoder = {};
    std::vector<std::uint64_t> first_user = {};  // of each list of names, the least case number
  };
  static constexpr std::uint32_t none = 0xffffffff;

  std::size_t read(const std::filesystem::path& path);
  void note(std::size_t journal, std::string_view payload, std::uint64_t offset);

  const std::filesystem::path folder_;
  const std::string identity_;
  std::vector<Place> places_;  // by case
  std::vector<Stored> journals_;
  SweepCounts counts_;
  std::size_t own_ = 0;
  std::unique_ptr<RecordFile> file_;
  CaseEncoder encoder_;
  std::mutex appending_;
};

}  // namespace invar

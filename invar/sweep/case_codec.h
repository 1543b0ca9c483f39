// Records of cases as bytes, in the journal and between machines. Names, which are the same for nearly all cases, are
// sent once.
//
//   'N' names                                    a list; the next ones refer to it by its number
//   'C' case, status, list, reason, numbers,     whole numbers as 8 bytes, the lower ones first; numbers as their bits;
//       lengths of the series, their values      texts and lists with their length in front
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "invar/sweep/case_record.h"

namespace invar {

// What a list of names is about: numbers, then series.
struct CaseNames {
  std::vector<std::string> numbers, series;

  friend auto operator<=>(const CaseNames&, const CaseNames&) = default;
};

class CaseEncoder {
 public:
  // Goes on behind what told these lists.
  explicit CaseEncoder(const std::vector<CaseNames>& told = {});
  // One payload, or two: first the names.
  std::vector<std::string> encode(const CaseRecord& record);

 private:
  std::map<CaseNames, std::uint64_t> lists_;
};

class CaseDecoder {
 public:
  // Nothing if the payload only told names. InputError if it is neither.
  std::optional<CaseRecord> decode(std::string_view payload);
  // Of a payload whose names have been told.
  CaseRecord record(std::string_view payload) const;
  // Only whose it is.
  struct Head {
    std::uint64_t number = 0, list = 0;
    CaseStatus status = CaseStatus::done;
    std::string reason;
  };
  std::optional<Head> head(std::string_view payload);

  const std::vector<CaseNames>& lists() const { return lists_; }

 private:
  std::vector<CaseNames> lists_;
};

}  // namespace invar

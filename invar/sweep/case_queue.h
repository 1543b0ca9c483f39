// The cases of a sweep that are still to be run, handed out one after the other to whoever is free: so long runs hold
// up nobody.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

namespace invar {

// Part k of n has the cases k - 1, k - 1 + n, …
struct SweepPart {
  std::uint64_t number = 1, of = 1;

  bool has(std::uint64_t k) const { return k % of == number - 1; }
};

class CaseQueue {
 public:
  // All `cases` of the part but those that are `recorded`.
  CaseQueue(std::uint64_t cases, SweepPart part, const std::vector<bool>& recorded);

  // Nothing once there are none left. Any thread may ask.
  std::optional<std::uint64_t> next();
  std::uint64_t size() const { return size_; }  // at the beginning

 private:
  const std::uint64_t cases_;
  const SweepPart part_;
  const std::vector<bool> recorded_;
  std::uint64_t size_ = 0, next_;
  std::mutex handing_out_;
};

}  // namespace invar

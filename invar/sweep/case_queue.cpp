// See case_queue.h.
#include "invar/sweep/case_queue.h"

namespace invar {

CaseQueue::CaseQueue(std::uint64_t cases, SweepPart part, const std::vector<bool>& recorded)
    : cases_(cases), part_(part), recorded_(recorded), next_(part.number - 1) {
  for (std::uint64_t k = next_; k < cases_; k += part_.of) size_ += !recorded_[k];
}

std::optional<std::uint64_t> CaseQueue::next() {
  const std::scoped_lock lock(handing_out_);
  while (next_ < cases_ && recorded_[next_]) next_ += part_.of;
  if (next_ >= cases_) return std::nullopt;
  const std::uint64_t found = next_;
  next_ += part_.of;
  return found;
}

}  // namespace invar

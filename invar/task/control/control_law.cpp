// See control_law.h.
#include "invar/task/control/control_law.h"

#include <algorithm>
#include <utility>

namespace invar {

LawController::LawController(ControlLaw law, State start, std::size_t inputs)
    : law_(std::move(law)), start_(std::move(start)), first_(inputs, 0.0) {
  const std::vector<double> none(inputs, 0.0);
  law_({start_.t, start_.q, start_.v, none}, first_);
}

bool LawController::sample(const Sample& sample, std::span<double> u) {
  const bool known = !begun_ && sample.t == start_.t && std::ranges::equal(sample.q, start_.q) &&
                     std::ranges::equal(sample.v, start_.v);
  begun_ = true;
  if (known) {
    std::ranges::copy(first_, u.begin());
    return true;
  }
  std::fill(u.begin(), u.end(), 0.0);
  law_(sample, u);
  return true;
}

}  // namespace invar

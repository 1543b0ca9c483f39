// See feedforward.h.
#include "invar/task/feedforward.h"

#include <algorithm>
#include <cmath>

#include "invar/expr/error.h"
#include "invar/task/invert.h"

namespace invar {

Feedforward::Feedforward(const Problem& problem) : period_(problem.control.period) {
  Problem inverse = problem;
  inverse.invert.step = 0.5 * period_;
  inverse.invert.until = period_ * (1.0 + std::ceil(problem.control.until / period_));
  inverse.invert.verify = false;
  Inversion found = invert(inverse);
  if (found.summary.status != "done") throw InputError("feedforward: " + found.summary.message);
  inputs_ = std::move(found.inputs);
  const Trajectory& motion = found.trajectory;
  for (const Variable& x : problem.system.coordinates) {
    start_.q.push_back(motion.value(0, x.name()));
    start_.v.push_back(motion.value(0, x.name() + "'"));
  }
}

std::vector<double> Feedforward::inputs_at_start() const {
  const auto row = inputs_.row(0);
  return {row.begin() + 1, row.end()};
}

bool Feedforward::sample(const Sample& sample, std::span<double> u) {
  const auto k = static_cast<std::size_t>(std::llround(sample.t / period_));
  const auto row = inputs_.row(std::min(2 * k + 1, inputs_.rows() - 1));
  std::copy_n(row.begin() + 1, u.size(), u.begin());
  return true;
}

}  // namespace invar

// Control without looking: the inputs of inverse dynamics, each held for one sample at its value in the middle of it.
#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/record/trajectory.h"
#include "invar/task/check/verdict.h"
#include "invar/task/control/controller.h"
#include "invar/task/invert/invert.h"

namespace invar {

namespace {

class Feedforward : public Controller {
 public:
  explicit Feedforward(const Problem& problem);

  const State& wanted_start() const override { return start_; }
  std::vector<double> inputs_at_start() const override;
  void start() override {}
  bool sample(const Sample& sample, std::span<double> u) override;
  std::vector<std::string> doubts() const override { return doubts_; }
  bool feeds_back() const override { return false; }

 private:
  double period_;
  State start_;
  Trajectory inputs_;  // at every half sample, and elsewhere
  std::vector<std::string> doubts_;
};

// The first row that is not before t, but for rounding.
std::size_t row_at(const Trajectory& table, double t, double period) {
  std::size_t low = 0, high = table.rows() - 1;
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (table.row(middle)[0] < t - 1e-6 * period)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace

Feedforward::Feedforward(const Problem& problem) : period_(problem.settings.of<ControlSettings>().period) {
  Problem inverse = problem;
  InvertSettings& settings = inverse.settings.of<InvertSettings>();
  settings.step = 0.5 * period_;
  settings.until = period_ * (1.0 + std::ceil(problem.settings.of<ControlSettings>().until / period_));
  settings.verify = true;  // inputs that fail are not used
  const Prepared prepared(std::move(inverse));
  Inversion found = invert(prepared);
  if (found.summary.status != RunStatus::done) throw InputError("feedforward: " + found.summary.message);
  inputs_ = std::move(found.inputs);
  doubts_ = std::move(found.summary.warnings);
  // What is doubtful about the model is for the loop itself to say.
  for (const std::string& known : model_warnings(prepared)) std::erase(doubts_, known);
  const Trajectory& motion = found.trajectory;
  const std::size_t first = row_at(motion, 0.0, period_);  // a bounded motion may begin earlier
  for (const Variable& x : problem.system.coordinates) {
    start_.q.push_back(motion.value(first, x.name()));
    start_.v.push_back(motion.value(first, x.name() + "'"));
  }
}

std::vector<double> Feedforward::inputs_at_start() const {
  const auto row = inputs_.row(row_at(inputs_, 0.0, period_));
  return {row.begin() + 1, row.end()};
}

bool Feedforward::sample(const Sample& sample, std::span<double> u) {
  const double k = std::round(sample.t / period_);
  const auto row = inputs_.row(row_at(inputs_, (k + 0.5) * period_, period_));
  std::copy_n(row.begin() + 1, u.size(), u.begin());
  return true;
}

std::unique_ptr<Controller> make_feedforward(const Problem& problem) { return std::make_unique<Feedforward>(problem); }

}  // namespace invar

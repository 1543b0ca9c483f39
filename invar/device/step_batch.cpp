// See step_batch.h.
#include "invar/device/step_batch.h"

#include <algorithm>
#include <limits>

#include "invar/base/error.h"

namespace invar {

namespace {

constexpr std::size_t steps_at_a_time = 256;  // whose rows are on the device

}  // namespace

StepBatch::StepBatch(Device& device, StepProgram program, std::size_t count)
    : StepBatch(device, program, count, device.build(program.kernel)) {}

StepBatch::StepBatch(Device& device, StepProgram program, std::size_t count, std::shared_ptr<Kernel> kernel)
    : count_(count),
      program_(std::move(program)),
      kernel_(std::move(kernel)),
      state_(device, program_.state * count),
      own_(device, program_.own * count),
      rows_(device, program_.row * steps_at_a_time),
      left_(device, count),
      range_(device, 2 * program_.watched * count),
      memory_(device, program_.memory * count) {}

void StepBatch::start(std::span<const double> states, std::span<const double> own) {
  expects(states.size() == state_.size() && own.size() == own_.size(), "numbers of every point");
  state_.write(states);
  own_.write(own);
  left_.write(std::vector<double>(count_));
  const std::span<const double> watched = states.first(program_.watched * count_);
  range_.write(watched);
  range_.write(watched, watched.size());
  memory_.write(std::vector<double>(memory_.size()));
  done_ = 0;
}

void StepBatch::advance(std::span<const double> times, const StepProgram::Inputs& inputs) {
  std::vector<double> rows;
  for (std::size_t first = 0; first + 1 < times.size(); first += steps_at_a_time) {
    const std::size_t steps = std::min(steps_at_a_time, times.size() - 1 - first);
    rows.resize(steps * program_.row);
    for (std::size_t s = 0; s < steps; ++s) {
      const double t = times[first + s];
      program_.write_row(t, times[first + s + 1] - t, inputs, std::span(rows).subspan(s * program_.row, program_.row));
    }
    rows_.write(rows);
    const auto end = done_ + static_cast<std::int64_t>(steps);
    kernel_->run(
        {.array = {state_.memory(), own_.memory(), rows_.memory(), left_.memory(), range_.memory(), memory_.memory()},
         .count = static_cast<std::int64_t>(count_),
         .first = done_,
         .last = end});
    done_ = end;
  }
}

void StepBatch::watch_from_here() {
  std::vector<double> watched(program_.watched * count_);
  state_.read(watched);
  range_.write(watched);
  range_.write(watched, watched.size());
}

std::vector<double> StepBatch::states() const {
  std::vector<double> result(state_.size());
  state_.read(result);
  return result;
}

std::vector<double> StepBatch::range() const {
  std::vector<double> result(range_.size());
  range_.read(result);
  return result;
}

std::vector<std::int64_t> StepBatch::left() const {
  std::vector<double> marks(count_);
  left_.read(marks);
  std::vector<std::int64_t> result;
  for (const double mark : marks) result.push_back(static_cast<std::int64_t>(mark) - 1);
  return result;
}

double StepBatch::iterations_per_step() const {
  if (program_.memory < 2) return 0.0;
  std::vector<double> counts(2 * count_);
  memory_.read(counts);
  double steps = 0.0, iterations = 0.0;
  for (std::size_t p = 0; p < count_; ++p) {
    steps += counts[p];
    iterations += counts[count_ + p];
  }
  return steps > 0.0 ? iterations / steps : 0.0;
}

void StepBatch::take_back(std::size_t p, std::span<const double> state) {
  expects(state.size() == program_.state, "the state of a point");
  const double zero = 0.0;
  for (std::size_t k = 0; k < state.size(); ++k) state_.write(state.subspan(k, 1), k * count_ + p);
  left_.write({&zero, 1}, p);
  if (program_.memory > 0) memory_.write({&zero, 1}, p);
}

}  // namespace invar

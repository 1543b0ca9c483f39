// See observed_rows.h. The leading columns are the leading arguments of the function: t, q, v, λ, u.
#include "invar/record/observed_rows.h"

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"

namespace invar {

ObservedRows::ObservedRows(const Observer& o, std::span<const double> parameters, Inputs inputs)
    : width_(o.columns_.size()),
      state_(1 + o.sizes_[0] + o.sizes_[1] + o.sizes_[2]),
      derived_(width_ - state_ - o.sizes_[3] - 2),
      inputs_count_(o.sizes_[3]),
      position_count_(o.position_count_),
      residuals_(o.function_.output_count() - derived_),
      inputs_(std::move(inputs)),
      signals_(o.signals_),
      signals_place_(o.in_.size() - signals_.symbols().size()),
      points_(o.function_),
      rows_(points_.room() * width_),
      times_(points_.room()),
      u_(points_.room() * inputs_count_),
      given_(signals_.symbols().size()),
      largest_(points_.room()) {
  expects(parameters.size() == o.sizes_[4], "a value for every parameter");
  points_.fill(state_ + inputs_count_, parameters);
}

void ObservedRows::add(double t, std::span<const double> q, std::span<const double> v, std::span<const double> lambda) {
  expects(!is_full() && 1 + q.size() + v.size() + lambda.size() == state_, "room for a state of the system");
  double* const row = rows_.data() + count_ * width_;
  times_[count_] = row[0] = t;
  double* next = row + 1;
  for (const std::span<const double> part : {q, v, lambda}) next = std::ranges::copy(part, next).out;
  points_.set(0, count_, {row, state_});
  if (!given_.empty()) {
    signals_(t, given_);
    points_.set(signals_place_, count_, given_);
  }
  ++count_;
}

std::span<const double> ObservedRows::take() {
  const std::size_t n = count_;
  if (inputs_count_ > 0) {
    const std::span<double> u(u_.data(), inputs_count_ * n);
    inputs_(std::span(times_).first(n), u);
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t k = 0; k < inputs_count_; ++k) {
        points_.set(state_ + k, p, u[k * n + p]);
        rows_[p * width_ + state_ + k] = u[k * n + p];
      }
  }
  points_.evaluate(n);
  const std::size_t first = state_ + inputs_count_;
  for (std::size_t j = 0; j < derived_; ++j) {
    const std::span<const double> values = points_.out(j);
    for (std::size_t p = 0; p < n; ++p) rows_[p * width_ + first + j] = values[p];
  }
  write_largest(derived_, derived_ + position_count_, first + derived_);
  write_largest(derived_ + position_count_, derived_ + residuals_, first + derived_ + 1);
  count_ = 0;
  return std::span(rows_).first(n * width_);
}

// Of the outputs from `first` to before `last`; one that is not a number counts as more than any.
void ObservedRows::write_largest(std::size_t first, std::size_t last, std::size_t column) {
  std::ranges::fill(largest_, 0.0);
  for (std::size_t k = first; k < last; ++k) {
    const std::span<const double> values = points_.out(k);
    for (std::size_t p = 0; p < count_; ++p) {
      const double size = std::abs(values[p]);
      if (!(size <= largest_[p]) && !std::isnan(largest_[p])) largest_[p] = std::isnan(size) ? NAN : size;
    }
  }
  for (std::size_t p = 0; p < count_; ++p) rows_[p * width_ + column] = largest_[p];
}

}  // namespace invar

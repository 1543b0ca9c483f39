// The nonlinear program of a transcription: its variables and rows, and its numbers from those of the blocks.
#include <algorithm>
#include <limits>

#include "invar/task/transcription.h"

namespace invar {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

// Fills the lanes of both blocks with the variables and what is given.
void Transcription::gather(std::span<const double> x, std::size_t intervals) {
  const std::size_t N = intervals, stride = 2 * n_ + w_, local = stride + 2 * n_;
  in_.resize(interval_->weighted_input_count() * N);
  end_in_.resize(end_->weighted_input_count());
  std::size_t i = 0;
  for (; i < local; ++i)
    for (std::size_t k = 0; k < N; ++k) in_[i * N + k] = x[k * stride + i];
  const auto all = [&](double value) { std::fill_n(in_.begin() + static_cast<std::ptrdiff_t>(i++ * N), N, value); };
  if (free_horizon_) all(x.back());
  for (std::size_t k = 0; k < N; ++k) in_[i * N + k] = static_cast<double>(k);
  ++i;
  all(1.0 / static_cast<double>(N));
  if (!free_horizon_) all(fixed_horizon_);
  for (const double p : parameters_) all(p);

  auto end = std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(N * stride), 2 * n_ + impulses_, end_in_.begin());
  if (free_horizon_) *end++ = x.back();
  *end++ = static_cast<double>(N - 1);
  *end++ = 1.0 / static_cast<double>(N);
  if (!free_horizon_) *end++ = fixed_horizon_;
  std::copy(parameters_.begin(), parameters_.end(), end);
}

NonlinearProgram Transcription::program(std::size_t N, std::span<const double> start, std::span<const Range> goal) {
  NonlinearProgram p;
  const std::size_t stride = 2 * n_ + w_, count = variable_count(N), horizon = count - 1;
  const std::size_t rows = interval_->row_count(), end_rows = end_->row_count(), first_end = rows * N;
  // Variables, by their places in an interval and at the end.
  const auto at_interval = [=, this](std::size_t i, std::size_t k) {
    return static_cast<int>(free_horizon_ && i == stride + 2 * n_ ? horizon : k * stride + i);
  };
  const auto at_end = [=, this](std::size_t i) {
    return static_cast<int>(free_horizon_ && i == 2 * n_ + impulses_ ? horizon : N * stride + i);
  };

  for (std::size_t k = 0; k <= N; ++k) {
    for (std::size_t i = 0; i < 2 * n_; ++i) {
      const Range r = k == 0 ? Range{start[i], start[i]} : k == N ? both(node_ranges_[i], goal[i]) : node_ranges_[i];
      p.lower.push_back(r.lower);
      p.upper.push_back(r.upper);
    }
    if (k == N) break;
    for (const Range& r : w_ranges_) {
      p.lower.push_back(r.lower);
      p.upper.push_back(r.upper);
    }
  }
  p.lower.insert(p.lower.end(), impulses_, -infinity);
  p.upper.insert(p.upper.end(), impulses_, infinity);
  if (free_horizon_) {
    p.lower.push_back(horizon_range_.lower);
    p.upper.push_back(horizon_range_.upper);
  }
  // Rows of the same formula stand together, as they come out of the lanes.
  const std::size_t equations = rows - path_ranges_.size();
  for (std::size_t r = 0; r < rows; ++r) {
    const Range range = r < equations ? Range{0.0, 0.0} : path_ranges_[r - equations];
    p.row_lower.insert(p.row_lower.end(), N, range.lower);
    p.row_upper.insert(p.row_upper.end(), N, range.upper);
  }
  for (const Range& range : end_ranges_) {
    p.row_lower.push_back(range.lower);
    p.row_upper.push_back(range.upper);
  }

  const auto entries = [](const Pattern& pattern, const auto& each) {
    for (std::size_t j = 0; j < static_cast<std::size_t>(pattern.cols); ++j)
      for (int e = pattern.start[j]; e < pattern.start[j + 1]; ++e)
        each(static_cast<std::size_t>(pattern.row[static_cast<std::size_t>(e)]), j);
  };
  entries(interval_->jacobian(), [&](std::size_t r, std::size_t c) {
    for (std::size_t k = 0; k < N; ++k) p.jacobian.push_back({static_cast<int>(r * N + k), at_interval(c, k)});
  });
  entries(end_->jacobian(),
          [&](std::size_t r, std::size_t c) { p.jacobian.push_back({static_cast<int>(first_end + r), at_end(c)}); });
  const auto lower = [&](int a, int b) { p.hessian.push_back({std::max(a, b), std::min(a, b)}); };
  entries(interval_->hessian(), [&](std::size_t r, std::size_t c) {
    for (std::size_t k = 0; k < N; ++k) lower(at_interval(r, k), at_interval(c, k));
  });
  entries(end_->hessian(), [&](std::size_t r, std::size_t c) { lower(at_end(r), at_end(c)); });

  const auto evaluate = [=, this](auto part, std::size_t size, std::size_t end_size, std::size_t inputs,
                                  std::size_t end_inputs) {
    out_.resize(size * N);
    end_out_.resize(end_size);
    ((*interval_).*part)(N, std::span<const double>(in_).first(inputs * N), out_);
    ((*end_).*part)(1, std::span<const double>(end_in_).first(end_inputs), end_out_);
  };
  const auto values = [=, this](std::span<const double> x) {
    gather(x, N);
    evaluate(&Block::values, rows + 1, end_rows + 1, interval_->input_count(), end_->input_count());
  };
  const std::size_t entries_inside = interval_->jacobian().size(), entries_end = end_->jacobian().size();
  const auto derivatives = [=, this](std::span<const double> x) {
    gather(x, N);
    evaluate(&Block::derivatives, entries_inside + interval_->variable_count(), entries_end + end_->variable_count(),
             interval_->input_count(), end_->input_count());
  };
  p.cost = [=, this](std::span<const double> x) {
    values(x);
    double sum = end_out_[end_rows];
    for (std::size_t k = 0; k < N; ++k) sum += out_[rows * N + k];
    return sum;
  };
  p.rows = [=, this](std::span<const double> x, std::span<double> g) {
    values(x);
    std::copy_n(end_out_.begin(), end_rows, std::copy_n(out_.begin(), rows * N, g.begin()));
  };
  p.cost_gradient = [=, this](std::span<const double> x, std::span<double> slope) {
    derivatives(x);
    std::fill(slope.begin(), slope.end(), 0.0);
    for (std::size_t i = 0; i < interval_->variable_count(); ++i)
      for (std::size_t k = 0; k < N; ++k)
        slope[static_cast<std::size_t>(at_interval(i, k))] += out_[(entries_inside + i) * N + k];
    for (std::size_t i = 0; i < end_->variable_count(); ++i)
      slope[static_cast<std::size_t>(at_end(i))] += end_out_[entries_end + i];
  };
  p.jacobian_values = [=, this](std::span<const double> x, std::span<double> j) {
    derivatives(x);
    std::copy_n(end_out_.begin(), entries_end, std::copy_n(out_.begin(), entries_inside * N, j.begin()));
  };
  p.hessian_values = [=, this](std::span<const double> x, double factor, std::span<const double> weight,
                               std::span<double> h) {
    gather(x, N);
    auto to =
        std::copy_n(weight.begin(), rows * N, in_.begin() + static_cast<std::ptrdiff_t>(interval_->input_count() * N));
    std::fill_n(to, N, factor);
    to = std::copy_n(weight.begin() + static_cast<std::ptrdiff_t>(rows * N), end_rows,
                     end_in_.begin() + static_cast<std::ptrdiff_t>(end_->input_count()));
    *to = factor;
    evaluate(&Block::curvature, interval_->hessian().size(), end_->hessian().size(), interval_->weighted_input_count(),
             end_->weighted_input_count());
    std::copy(end_out_.begin(), end_out_.end(), std::copy(out_.begin(), out_.end(), h.begin()));
  };
  return p;
}

}  // namespace invar

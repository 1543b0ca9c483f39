// The nonlinear program of a transcription: its variables and rows, and its numbers from those of the blocks.
#include <algorithm>
#include <cmath>

#include "invar/task/transcription/transcription.h"

namespace invar {

namespace {

// Entries column by column.
template <class Each>
void for_entries(const Pattern& pattern, const Each& each) {
  for (std::size_t j = 0; j < static_cast<std::size_t>(pattern.cols); ++j)
    for (int e = pattern.start[j]; e < pattern.start[j + 1]; ++e)
      each(static_cast<std::size_t>(pattern.row[static_cast<std::size_t>(e)]), j);
}

// Rows of intervals in which they have no place stand at the end, without limits.
double unused_at_end(double fraction) { return std::isnan(fraction) ? 1.0 : fraction; }

}  // namespace

std::size_t Transcription::at_interval(std::size_t i, std::size_t k, std::size_t N) const {
  return free_horizon_ && i == stride() + node_ ? variable_count(N) - 1 : k * stride() + i;
}

std::size_t Transcription::at_end(std::size_t i, std::size_t N) const {
  return free_horizon_ && i == node_ + impulses_ ? variable_count(N) - 1 : N * stride() + i;
}

std::size_t Transcription::at_start(std::size_t i, std::size_t N) const {
  if (i < stride()) return i;
  return i == stride() + starts_ ? variable_count(N) - 1 : N * stride() + node_ + impulses_ + i - stride();
}

void Transcription::limit_variables(NonlinearProgram& p, std::size_t N, std::span<const double> start,
                                    std::span<const Range> goal) const {
  const auto add = [&](const Range& r) {
    p.lower.push_back(r.lower);
    p.upper.push_back(r.upper);
  };
  std::vector<double> near = joints_ ? joints_->start() : std::vector<double>();
  const std::vector<double> first = node_variables(start, near);
  std::vector<Range> last = node_ranges_;
  for (std::size_t i = 0; i < goal.size(); ++i)
    if (const auto j = plain_[i]) last[*j] = both(last[*j], goal[i]);
  for (std::size_t k = 0; k <= N; ++k) {
    for (std::size_t i = 0; i < node_ranges_.size(); ++i)
      add(k == 0 ? Range{first[i], first[i]} : k == N ? last[i] : node_ranges_[i]);
    for (std::size_t i = 0; i < carried_; ++i) add(unbounded);
    if (k == N) break;
    for (const Range& r : w_ranges_) add(r);
  }
  for (std::size_t i = 0; i < impulses_ + starts_; ++i) add(unbounded);
  if (free_horizon_) add(horizon_range_);
}

// Rows of the same formula stand together, as they come out of the lanes.
void Transcription::limit_rows(NonlinearProgram& p, std::size_t N, std::span<const Range> goal) const {
  const auto add = [&](const Range& r, std::size_t count) {
    p.row_lower.insert(p.row_lower.end(), count, r.lower);
    p.row_upper.insert(p.row_upper.end(), count, r.upper);
  };
  for (std::size_t r = 0; r < equation_names().size(); ++r) add({0.0, 0.0}, N);
  for (const Range& range : path_ranges_) add(range, N);
  for (const InnerRow& row : inner_)
    for (const double fraction : row.per_interval(N)) add(std::isnan(fraction) ? unbounded : row.range, 1);
  const std::size_t first_end = p.row_lower.size();
  for (const Range& range : end_ranges_) add(range, 1);
  for (const auto& [row, entry] : goal_rows_) {
    p.row_lower[first_end + row] = goal[entry].lower;
    p.row_upper[first_end + row] = goal[entry].upper;
  }
  add({0.0, 0.0}, start_names_.size());
}

// Rows of further places are the last of those inside the intervals.
std::vector<double> Transcription::with_further_places(std::span<const double> weight, std::size_t N) const {
  const std::size_t inside = names_.size() * N, all = inside + end_names_.size() + start_names_.size();
  const std::size_t added = all - weight.size();
  std::vector<double> result(weight.begin(), weight.end());
  result.insert(result.begin() + static_cast<std::ptrdiff_t>(inside - added), added, 0.0);
  return result;
}

void Transcription::place_entries(NonlinearProgram& p, std::size_t N) const {
  const std::size_t first_end = interval_->row_count() * N, first_start = first_end + end_->row_count();
  const auto entry = [](std::size_t row, std::size_t col) {
    return NonlinearProgram::Place{static_cast<int>(row), static_cast<int>(col)};
  };
  for_entries(interval_->jacobian(), [&](std::size_t r, std::size_t c) {
    for (std::size_t k = 0; k < N; ++k) p.jacobian.push_back(entry(r * N + k, at_interval(c, k, N)));
  });
  for_entries(end_->jacobian(),
              [&](std::size_t r, std::size_t c) { p.jacobian.push_back(entry(first_end + r, at_end(c, N))); });
  for_entries(start_->jacobian(),
              [&](std::size_t r, std::size_t c) { p.jacobian.push_back(entry(first_start + r, at_start(c, N))); });
  const auto lower = [&](std::size_t a, std::size_t b) { p.hessian.push_back(entry(std::max(a, b), std::min(a, b))); };
  for_entries(interval_->hessian(), [&](std::size_t r, std::size_t c) {
    for (std::size_t k = 0; k < N; ++k) lower(at_interval(r, k, N), at_interval(c, k, N));
  });
  for_entries(end_->hessian(), [&](std::size_t r, std::size_t c) { lower(at_end(r, N), at_end(c, N)); });
  for_entries(start_->hessian(), [&](std::size_t r, std::size_t c) { lower(at_start(r, N), at_start(c, N)); });
}

// Fills the lanes of the blocks with the variables and what is given.
void Transcription::gather(std::span<const double> x, std::size_t N) {
  if (std::equal(x.begin(), x.end(), x_.begin(), x_.end()) && in_.size() == interval_->weighted_input_count() * N)
    return;
  x_.assign(x.begin(), x.end());
  values_.known = derivatives_.known = false;
  const std::size_t local = stride() + node_;
  in_.resize(interval_->weighted_input_count() * N);
  std::size_t i = 0;
  for (; i < local; ++i)
    for (std::size_t k = 0; k < N; ++k) in_[i * N + k] = x[k * stride() + i];
  const auto all = [&](double value) { std::fill_n(in_.begin() + static_cast<std::ptrdiff_t>(i++ * N), N, value); };
  if (free_horizon_) all(x.back());
  for (std::size_t k = 0; k < N; ++k) in_[i * N + k] = static_cast<double>(k);
  ++i;
  all(1.0 / static_cast<double>(N));
  if (!free_horizon_) all(fixed_horizon_);
  for (const InnerRow& row : inner_) {
    const std::vector<double> fractions = row.per_interval(N);
    std::transform(fractions.begin(), fractions.end(), in_.begin() + static_cast<std::ptrdiff_t>(i++ * N),
                   unused_at_end);
  }
  for (const double p : parameters_) all(p);
  gather_given(N, i);
  gather_ends(x, N, i);
}

// The first interval with what stands at the start, and the last node with what stands at the end.
void Transcription::gather_ends(std::span<const double> x, std::size_t N, std::size_t first_given) {
  const auto fill = [&](const Block& block, std::size_t (Transcription::*place)(std::size_t, std::size_t) const,
                        std::size_t interval, std::vector<double>& in) {
    in.resize(block.weighted_input_count());
    auto to = in.begin();
    for (std::size_t i = 0; i < block.variable_count(); ++i) *to++ = x[(this->*place)(i, N)];
    *to++ = static_cast<double>(interval);
    *to++ = 1.0 / static_cast<double>(N);
    if (!free_horizon_) *to++ = fixed_horizon_;
    to = std::fill_n(to, inner_.size(), 1.0);
    to = std::copy(parameters_.begin(), parameters_.end(), to);
    for (std::size_t g = 0; g < given_.size(); ++g) *to++ = in_[(first_given + g) * N + interval];
  };
  fill(*end_, &Transcription::at_end, N - 1, end_in_);
  fill(*start_, &Transcription::at_start, 0, start_in_);
}

// Given functions of time, in interval k from the right at its start and from the left elsewhere.
void Transcription::gather_given(std::size_t N, std::size_t first) {
  std::vector<double> instants(given_.size()), series;
  Scratch scratch;
  for (std::size_t k = 0; k < N && !given_.empty(); ++k) {
    std::vector<double> where = {static_cast<double>(k), 1.0 / static_cast<double>(N), fixed_horizon_};
    for (const InnerRow& row : inner_) where.push_back(unused_at_end(row.per_interval(N)[k]));
    (*instants_)(where, instants, scratch);
    for (std::size_t g = 0; g < given_.size(); ++g) {
      series.assign(given_[g].order + 1, 0.0);
      const bool start = instants[g] <= where[0] * where[1] * where[2];
      given_[g].function->series(instants[g], start ? Side::right : Side::left, series);
      double value = series.back();
      for (std::size_t j = 2; j <= given_[g].order; ++j) value *= static_cast<double>(j);
      in_[(first + g) * N + k] = value;
    }
  }
}

void Transcription::evaluate(Part part, std::span<const double> x, std::size_t N) {
  gather(x, N);
  Numbers& to = part == Part::values ? values_ : derivatives_;
  if (to.known) return;
  const auto run = [&](Block& block, std::size_t points, std::span<const double> in, std::vector<double>& out) {
    const std::size_t size =
        part == Part::values ? block.row_count() + 1 : block.jacobian().size() + block.variable_count();
    out.resize(size * points);
    in = in.first(block.input_count() * points);
    part == Part::values ? block.values(points, in, out) : block.derivatives(points, in, out);
  };
  run(*interval_, N, in_, to.inside);
  run(*end_, 1, end_in_, to.end);
  run(*start_, 1, start_in_, to.start);
  to.known = true;
}

double Transcription::total_cost(std::size_t N) const {
  double sum = values_.end.back();
  for (std::size_t k = 0; k < N; ++k) sum += values_.inside[interval_->row_count() * N + k];
  return sum;
}

void Transcription::cost_slope(std::size_t N, std::span<double> slope) const {
  std::fill(slope.begin(), slope.end(), 0.0);
  const double* inside = derivatives_.inside.data() + interval_->jacobian().size() * N;
  for (std::size_t i = 0; i < interval_->variable_count(); ++i)
    for (std::size_t k = 0; k < N; ++k) slope[at_interval(i, k, N)] += inside[i * N + k];
  const double* end = derivatives_.end.data() + end_->jacobian().size();
  for (std::size_t i = 0; i < end_->variable_count(); ++i) slope[at_end(i, N)] += end[i];
}

void Transcription::curvature(std::span<const double> x, double factor, std::span<const double> weight, std::size_t N,
                              std::span<double> h) {
  gather(x, N);
  const auto run = [&](Block& block, std::size_t points, std::span<const double> weights, std::vector<double>& in,
                       std::vector<double>& out) {
    const auto place = in.begin() + static_cast<std::ptrdiff_t>(block.input_count() * points);
    std::fill_n(std::copy(weights.begin(), weights.end(), place), points, factor);
    out.resize(block.hessian().size() * points);
    block.curvature(points, in, out);
  };
  const std::size_t inside = interval_->row_count() * N;
  run(*interval_, N, weight.first(inside), in_, curvature_.inside);
  run(*end_, 1, weight.subspan(inside, end_->row_count()), end_in_, curvature_.end);
  run(*start_, 1, weight.subspan(inside + end_->row_count()), start_in_, curvature_.start);
  auto to = h.begin();
  for (const std::vector<double>* part : {&curvature_.inside, &curvature_.end, &curvature_.start})
    to = std::copy(part->begin(), part->end(), to);
}

NonlinearProgram Transcription::program(std::size_t N, std::span<const double> start, std::span<const Range> goal) {
  NonlinearProgram p;
  limit_variables(p, N, start, goal);
  limit_rows(p, N, goal);
  place_entries(p, N);
  // Of each block the numbers of its rows or its Jacobian, which come first.
  const auto copy = [=, this](const Numbers& from, const auto& count, std::span<double> to) {
    auto place = std::copy_n(from.inside.begin(), count(*interval_) * N, to.begin());
    place = std::copy_n(from.end.begin(), count(*end_), place);
    std::copy_n(from.start.begin(), count(*start_), place);
  };
  p.cost = [=, this](std::span<const double> x) {
    evaluate(Part::values, x, N);
    return total_cost(N);
  };
  p.rows = [=, this](std::span<const double> x, std::span<double> g) {
    evaluate(Part::values, x, N);
    copy(values_, [](const Block& block) { return block.row_count(); }, g);
  };
  p.cost_gradient = [=, this](std::span<const double> x, std::span<double> slope) {
    evaluate(Part::derivatives, x, N);
    cost_slope(N, slope);
  };
  p.jacobian_values = [=, this](std::span<const double> x, std::span<double> j) {
    evaluate(Part::derivatives, x, N);
    copy(derivatives_, [](const Block& block) { return block.jacobian().size(); }, j);
  };
  p.hessian_values = [=, this](std::span<const double> x, double factor, std::span<const double> weight,
                               std::span<double> h) { curvature(x, factor, weight, N, h); };
  return p;
}

}  // namespace invar

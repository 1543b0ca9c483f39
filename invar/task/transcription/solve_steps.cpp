// See transcription.h: what stands inside the intervals of a motion, by the steps from their first nodes.
#include <algorithm>

#include "invar/math/newton.h"
#include "invar/task/transcription/transcription.h"

namespace invar {

namespace {

// Some columns of a pattern as far as they stand in its first rows, and where their entries are.
struct ColumnsOf {
  Pattern pattern;
  std::vector<std::size_t> entries;

  ColumnsOf(const Pattern& whole, std::span<const std::size_t> columns, std::size_t rows) {
    pattern.rows = static_cast<int>(rows);
    pattern.cols = static_cast<int>(columns.size());
    for (const std::size_t j : columns) {
      for (int e = whole.start[j]; e < whole.start[j + 1]; ++e)
        if (const int row = whole.row[static_cast<std::size_t>(e)]; row < pattern.rows) {
          pattern.row.push_back(row);
          entries.push_back(static_cast<std::size_t>(e));
        }
      pattern.start.push_back(static_cast<int>(pattern.row.size()));
    }
  }
};

}  // namespace

void Transcription::solve_steps(MeshMotion& motion) {
  if (joints_) return;  // nothing but inputs is sought there
  guess_unknowns(motion);
  const std::size_t N = motion.intervals(), rows = equation_names().size();
  std::vector<std::size_t> unknown;  // all of the interval but its inputs, and its last node
  for (std::size_t i = 0; i < first_input(); ++i) unknown.push_back(node_ + i);
  for (std::size_t i = 0; i < node_; ++i) unknown.push_back(stride() + i);
  if (unknown.size() != rows) return;
  const ColumnsOf columns(interval_->jacobian(), unknown, rows);
  constexpr int few = 15;
  Newton newton(columns.pattern, {.max_iterations = few});
  gather(pack(motion), N);
  std::vector<double> in(interval_->input_count()), values(interval_->row_count() + 1), x(rows),
      derivatives(interval_->jacobian().size() + interval_->variable_count());
  for (std::size_t k = 0; k < N; ++k) {
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = in_[i * N + k];
    std::transform(unknown.begin(), unknown.end(), x.begin(), [&](std::size_t i) { return in[i]; });
    const auto evaluate = [&](std::span<const double> at, std::span<double> residual, std::span<double> jacobian) {
      for (std::size_t i = 0; i < at.size(); ++i) in[unknown[i]] = at[i];
      interval_->values(1, in, values);
      interval_->derivatives(1, in, derivatives);
      std::copy_n(values.begin(), residual.size(), residual.begin());
      std::transform(columns.entries.begin(), columns.entries.end(), jacobian.begin(),
                     [&](std::size_t e) { return derivatives[e]; });
    };
    if (newton.solve(evaluate, x).status == NewtonStatus::converged)
      std::copy_n(x.begin(), first_input(), motion.w[k].begin());
  }
  motion.unknowns = Unknowns::known;
}

}  // namespace invar

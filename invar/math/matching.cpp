// Phases of a breadth-first search for the length of the shortest augmenting paths and a depth-first search for a
// maximal set of them, after a greedy start. Without recursion, since paths may be as long as the matrix.
#include "invar/math/matching.h"

namespace invar {

namespace {

class Matching {
 public:
  explicit Matching(const Pattern& pattern)
      : pattern_(pattern),
        row_of_(static_cast<std::size_t>(pattern.cols), none),
        column_of_(static_cast<std::size_t>(pattern.rows), none),
        level_(static_cast<std::size_t>(pattern.cols)),
        next_(static_cast<std::size_t>(pattern.cols)) {
    for (int c = 0; c < pattern.cols; ++c)
      for (int e = pattern.start[c]; e < pattern.start[c + 1] && row_of_[c] == none; ++e)
        if (column_of_[pattern.row[e]] == none) match(c, pattern.row[e]);
    while (measure_paths()) {
      next_.assign(pattern.start.begin(), pattern.start.end() - 1);
      for (int c = 0; c < pattern.cols; ++c)
        if (row_of_[c] == none) augment(c);
    }
  }
  std::vector<int> rows() const { return row_of_; }

 private:
  static constexpr int none = -1;

  void match(int column, int row) {
    row_of_[column] = row;
    column_of_[row] = column;
  }

  // How many steps each column is away from one without a row; whether a free row can be reached.
  bool measure_paths() {
    std::vector<int> queue;
    for (int c = 0; c < pattern_.cols; ++c) {
      level_[c] = row_of_[c] == none ? 0 : none;
      if (level_[c] == 0) queue.push_back(c);
    }
    bool reached = false;
    for (std::size_t k = 0; k < queue.size(); ++k)
      for (int e = pattern_.start[queue[k]]; e < pattern_.start[queue[k] + 1]; ++e) {
        const int other = column_of_[pattern_.row[e]];
        reached = reached || other == none;
        if (other == none || level_[other] != none) continue;
        level_[other] = level_[queue[k]] + 1;
        queue.push_back(other);
      }
    return reached;
  }

  // Along columns of ascending levels to a free row; what led nowhere is not tried again in this phase.
  void augment(int first) {
    path_.assign(1, first);
    while (!path_.empty()) {
      const int column = path_.back();
      if (next_[column] == pattern_.start[column + 1]) {
        path_.pop_back();
        continue;
      }
      const int other = column_of_[pattern_.row[next_[column]++]];
      if (other != none && level_[other] != level_[column] + 1) continue;
      if (other != none) {
        path_.push_back(other);
        continue;
      }
      for (const int c : path_) row_of_[c] = pattern_.row[next_[c] - 1];
      for (const int c : path_) column_of_[row_of_[c]] = c;
      return;
    }
  }

  const Pattern& pattern_;
  std::vector<int> row_of_, column_of_;
  std::vector<int> level_, next_;  // by column: distance, next entry to try
  std::vector<int> path_;
};

}  // namespace

std::vector<int> matched_rows(const Pattern& pattern) { return Matching(pattern).rows(); }

}  // namespace invar

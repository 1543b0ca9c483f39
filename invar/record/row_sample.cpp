// See row_sample.h.
#include "invar/record/row_sample.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "invar/record/telling_rows.h"

namespace invar {

namespace {

constexpr std::size_t fewest_rows = 128;  // however many columns there are
constexpr std::size_t fewest_blocks = 8;
constexpr std::size_t shortest_block = 16;  // rows
constexpr int most_gathered = 6;
// Beyond this many numbers room is made as rows come.
constexpr std::size_t room_beforehand = std::size_t{1} << 25;

}  // namespace

void RowSample::begin(const std::vector<std::string>& columns, std::size_t expected) {
  table_ = {columns, {}};
  const std::size_t width = std::max<std::size_t>(columns.size(), 1);
  most_rows_ = std::max(numbers_ / width, fewest_rows);
  // Enough for the least and the largest number of every column, and as many rows between them.
  block_rows_ = std::clamp(4 * width + 4, shortest_block, most_rows_ / fewest_blocks);
  most_blocks_ = most_rows_ / block_rows_ / 2 * 2;
  places_.resize(columns.size());
  std::iota(places_.begin(), places_.end(), std::size_t{0});
  table_.reserve(std::min({expected, most_rows_, room_beforehand / width}));
}

void RowSample::append(std::span<const double> row) {
  table_.append(row);
  ++seen_;
  if (blocks_.empty() && table_.rows() <= most_rows_) return;
  if (blocks_.empty())
    divide();
  else if (table_.rows() == block_rows_ << gathered_doublings())
    close_block();
}

// As long as all have room.
void RowSample::append_rows(std::span<const double> rows, std::size_t width) {
  const std::size_t count = rows.size() / width;
  if (!blocks_.empty() || table_.rows() + count > most_rows_) return RowSink::append_rows(rows, width);
  table_.values.insert(table_.values.end(), rows.begin(), rows.end());
  seen_ += count;
}

// There is no room for all rows any more.
void RowSample::divide() {
  const Trajectory all = std::move(table_);
  table_ = {all.columns, {}};
  table_.reserve(block_rows_);
  for (std::size_t k = 0; k < all.rows(); ++k) {
    table_.append(all.row(k));
    if (table_.rows() == block_rows_ << gathered_doublings()) close_block();
  }
}

// Rows are gathered for several blocks at once: choosing costs less then.
int RowSample::gathered_doublings() const {
  const auto within_room = static_cast<int>(std::bit_width(most_blocks_ / 4)) - 1;
  return std::clamp(within_room, 0, std::min(doublings_, most_gathered));
}

void RowSample::close_block() {
  blocks_.push_back({rows_of(table_, telling_rows(table_, places_, block_rows_)), gathered_doublings()});
  table_.values.clear();
  // Those at the end that have become equally long, until they are as long as all others.
  while (blocks_.size() >= 2 && blocks_.back().doublings < doublings_ &&
         blocks_[blocks_.size() - 2].doublings == blocks_.back().doublings)
    join(blocks_.size() - 2);
  if (blocks_.size() < most_blocks_ || blocks_.back().doublings < doublings_) return;
  ++doublings_;
  for (std::size_t k = 0; k < most_blocks_ / 2; ++k) join(k);
}

void RowSample::join(std::size_t first) {
  Block& kept = blocks_[first];
  const Block& next = blocks_[first + 1];
  kept.rows.values.insert(kept.rows.values.end(), next.rows.values.begin(), next.rows.values.end());
  kept.rows = rows_of(kept.rows, telling_rows(kept.rows, places_, block_rows_));
  ++kept.doublings;
  blocks_.erase(blocks_.begin() + static_cast<std::ptrdiff_t>(first) + 1);
}

void RowSample::finish() {
  if (blocks_.empty()) return;
  Trajectory rows{table_.columns, {}};
  for (const Block& block : blocks_)
    rows.values.insert(rows.values.end(), block.rows.values.begin(), block.rows.values.end());
  const Trajectory rest = rows_of(table_, telling_rows(table_, places_, block_rows_));
  rows.values.insert(rows.values.end(), rest.values.begin(), rest.values.end());
  table_ = std::move(rows);
  blocks_.clear();
}

}  // namespace invar

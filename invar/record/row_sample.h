// Some of very many rows, in bounded memory: all of them as long as there is room, later of every stretch of the run
// those that tell most about it (telling_rows.h), whole and unchanged.
//
// Rows come in blocks. Two blocks that cover stretches of one length become one of twice the length with as many rows,
// so that all stretches are of one length but for the last ones, which still grow.
#pragma once

#include <cstdint>
#include <limits>

#include "invar/record/row_sink.h"
#include "invar/record/trajectory.h"

namespace invar {

class RowSample : public RowSink {
 public:
  static constexpr std::size_t unlimited = std::numeric_limits<std::size_t>::max();

  // Of about so many numbers.
  explicit RowSample(std::size_t numbers = unlimited) : numbers_(numbers) {}

  void begin(const std::vector<std::string>& columns, std::size_t expected) override;
  void append(std::span<const double> row) override;
  void append_rows(std::span<const double> rows, std::size_t width) override;
  void finish() override;

  std::uint64_t seen() const { return seen_; }
  // After finish(): the rows in their order, the first and the last one among them.
  Trajectory take() { return std::move(table_); }

  // To go on after begin() with the same columns, see state_bytes.h.
  template <class Archive>
  void store(Archive& archive) {
    archive(blocks_, table_.values, seen_, doublings_);
    for (Block& block : blocks_) block.rows.columns = table_.columns;
  }

 private:
  struct Block {
    Trajectory rows = {};
    int doublings = 0;  // it stands for block_rows_ · 2^doublings rows

    template <class Archive>
    void store(Archive& archive) {
      archive(rows.values, doublings);
    }
  };

  void divide();
  void close_block();
  int gathered_doublings() const;
  void join(std::size_t first);

  std::size_t numbers_;
  std::size_t most_rows_ = 0, block_rows_ = 0, most_blocks_ = 0;
  std::vector<std::size_t> places_;  // of the columns
  std::vector<Block> blocks_;        // once there is no room for all
  Trajectory table_;                 // rows that are in no block yet
  std::uint64_t seen_ = 0;
  int doublings_ = 0;  // of the blocks that are long enough
};

}  // namespace invar

// See point_block.h.
#include "invar/tape/point_block.h"

#include <algorithm>

#include "invar/tape/lane_portion.h"

namespace invar {

namespace {

constexpr std::size_t many_numbers = 4096, few_lanes = 8;  // of very long functions only so many points have room
constexpr std::size_t too_few = 3;                         // points, which lanes are not worth

}  // namespace

PointBlock::PointBlock(const Function& function)
    : function_(function),
      room_(function.input_count() + function.output_count() > many_numbers ? few_lanes : lane_portion),
      in_(function.input_count() * room_),
      out_(function.output_count() * room_),
      in_one_(function.input_count()),
      out_one_(function.output_count()) {}

void PointBlock::fill(std::size_t first, std::span<const double> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    std::fill_n(in_.begin() + static_cast<std::ptrdiff_t>((first + i) * room_), room_, values[i]);
}

// Places behind the last point have whatever stood there, and nobody reads what it gives.
void PointBlock::evaluate(std::size_t count) {
  if (count > too_few) return function_.lanes(room_, in_, out_, lanes_);
  for (std::size_t p = 0; p < count; ++p) evaluate_one(p);
}

void PointBlock::evaluate_one(std::size_t p) {
  for (std::size_t i = 0; i < in_one_.size(); ++i) in_one_[i] = in_[i * room_ + p];
  function_(in_one_, out_one_, single_);
  for (std::size_t i = 0; i < out_one_.size(); ++i) out_[i * room_ + p] = out_one_[i];
}

}  // namespace invar

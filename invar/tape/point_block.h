// Points that come one after the other, evaluated many at a time in vector lanes: the bits are those of one at a time.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "invar/tape/function.h"

namespace invar {

class PointBlock {
 public:
  explicit PointBlock(const Function& function);

  std::size_t room() const { return room_; }  // points
  // Of point p; as it was, or zero, until it is set.
  void set(std::size_t input, std::size_t p, double value) { in_[input * room_ + p] = value; }
  // The inputs from `first` on.
  void set(std::size_t first, std::size_t p, std::span<const double> values) {
    double* place = in_.data() + first * room_ + p;
    for (const double x : values) {
      *place = x;
      place += room_;
    }
  }
  // Of all points.
  void fill(std::size_t first, std::span<const double> values);

  // The first `count` points.
  void evaluate(std::size_t count);
  std::span<const double> out(std::size_t output) const { return {out_.data() + output * room_, room_}; }

 private:
  void evaluate_one(std::size_t p);

  Function function_;
  std::size_t room_;
  std::vector<double> in_, out_;
  Scratch lanes_, single_;
  std::vector<double> in_one_, out_one_;
};

}  // namespace invar

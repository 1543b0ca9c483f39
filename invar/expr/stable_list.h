// A list that only grows and whose entries never move: one thread may add while others read what they already know of.
//
// Block k holds 64·2^k entries, so that the place of an entry follows from its number.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <utility>

namespace invar {

template <class T>
class StableList {
 public:
  const T& operator[](std::size_t i) const {
    const std::size_t block = block_of(i);
    return blocks_[block][i - first_of(block)];
  }
  T& operator[](std::size_t i) { return const_cast<T&>(std::as_const(*this)[i]); }  // NOLINT: the list is not const
  std::size_t size() const { return size_; }

  // Callers see to it that one thread adds at a time.
  void push_back(T entry) {
    const std::size_t block = block_of(size_);
    if (!blocks_[block]) blocks_[block] = std::make_unique_for_overwrite<T[]>(smallest << block);
    blocks_[block][size_ - first_of(block)] = std::move(entry);
    ++size_;
  }

 private:
  static constexpr std::size_t smallest = 64;
  static std::size_t block_of(std::size_t i) { return static_cast<std::size_t>(std::bit_width(i / smallest + 1)) - 1; }
  static std::size_t first_of(std::size_t block) { return smallest * ((std::size_t{1} << block) - 1); }

  std::array<std::unique_ptr<T[]>, 40> blocks_;
  std::size_t size_ = 0;
};

}  // namespace invar

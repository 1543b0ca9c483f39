// The numbers of nodes that a walk through a graph has met: a hash table while they are few among many, so that a walk
// below one short formula of a large graph costs what the formula is long, and a bit per node otherwise.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace invar {

class NodeSet {
 public:
  // False if it was there.
  bool insert(std::uint32_t id) {
    if (!bits_.empty()) return insert_bit(id);
    if (find(slots_, id)) return false;
    largest_ = std::max(largest_, id);
    if (++count_ * 2 > slots_.size()) grow();
    if (!bits_.empty()) return insert_bit(id);
    *free_slot(slots_, id) = id;
    return true;
  }
  bool contains(std::uint32_t id) const {
    if (bits_.empty()) return find(slots_, id);
    return id / 64 < bits_.size() && (bits_[id / 64] >> id % 64 & 1) != 0;
  }
  std::vector<std::uint32_t> ascending() const {
    std::vector<std::uint32_t> ids;
    if (bits_.empty()) {
      std::copy_if(slots_.begin(), slots_.end(), std::back_inserter(ids), [](auto id) { return id != empty; });
      std::sort(ids.begin(), ids.end());
    }
    for (std::size_t word = 0; word < bits_.size(); ++word)
      for (std::uint64_t left = bits_[word]; left != 0; left &= left - 1)
        ids.push_back(static_cast<std::uint32_t>(64 * word + static_cast<std::size_t>(std::countr_zero(left))));
    return ids;
  }

 private:
  using Slots = std::vector<std::uint32_t>;
  static constexpr std::uint32_t empty = 0xffffffff;
  static constexpr std::size_t sparse = 128;  // from so many nodes per node met on a table of bits is larger

  static std::size_t first_slot(const Slots& slots, std::uint32_t id) {
    return (id * 0x9e3779b97f4a7c15ULL >> 32) & (slots.size() - 1);
  }
  static bool find(const Slots& slots, std::uint32_t id) {
    std::size_t slot = first_slot(slots, id);
    for (; slots[slot] != empty; slot = (slot + 1) & (slots.size() - 1))
      if (slots[slot] == id) return true;
    return false;
  }
  static std::uint32_t* free_slot(Slots& slots, std::uint32_t id) {
    std::size_t slot = first_slot(slots, id);
    while (slots[slot] != empty) slot = (slot + 1) & (slots.size() - 1);
    return &slots[slot];
  }

  void grow() {
    if (count_ * sparse > largest_) {
      bits_.resize(largest_ / 64 + 1);
      for (const std::uint32_t id : slots_)
        if (id != empty) insert_bit(id);
      return;
    }
    Slots larger(slots_.size() * 2, empty);
    for (const std::uint32_t id : slots_)
      if (id != empty) *free_slot(larger, id) = id;
    slots_ = std::move(larger);
  }
  bool insert_bit(std::uint32_t id) {
    if (id / 64 >= bits_.size()) bits_.resize(std::max<std::size_t>(id / 64 + 1, bits_.size() * 2));
    std::uint64_t& word = bits_[id / 64];
    const std::uint64_t bit = std::uint64_t{1} << id % 64;
    if ((word & bit) != 0) return false;
    word |= bit;
    return true;
  }

  Slots slots_ = Slots(64, empty);
  std::vector<std::uint64_t> bits_;
  std::size_t count_ = 0;
  std::uint32_t largest_ = 0;
};

}  // namespace invar

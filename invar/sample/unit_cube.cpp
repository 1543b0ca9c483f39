#include "invar/sample/unit_cube.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "invar/sample/counter_random.h"
#include "invar/sample/direction_numbers.h"

namespace invar {
namespace {

constexpr int digits = 32;
using Directions = std::array<std::array<std::uint32_t, digits>, most_sobol_dimensions>;
static_assert(direction_numbers.size() + 1 == most_sobol_dimensions);

// v_k = m_k/2ᵏ, from s on by the recurrence of the polynomial.
Directions make_directions() {
  Directions directions;
  for (int k = 0; k < digits; ++k) directions[0][k] = std::uint32_t{1} << (digits - 1 - k);
  for (std::size_t axis = 1; axis < directions.size(); ++axis) {
    const DirectionNumbers& given = direction_numbers[axis - 1];
    auto& v = directions[axis];
    const int s = static_cast<int>(given.degree());
    for (int k = 0; k < s; ++k) v[k] = std::uint32_t{given.m[k]} << (digits - 1 - k);
    for (int k = s; k < digits; ++k) {
      v[k] = v[k - s] ^ (v[k - s] >> s);
      for (int j = 1; j < s; ++j)
        if (given.a >> (s - 1 - j) & 1) v[k] ^= v[k - j];
    }
  }
  return directions;
}

std::uint32_t reversed(std::uint32_t x) {
  x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
  x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
  x = (x & 0x0F0F0F0Fu) << 4 | (x >> 4 & 0x0F0F0F0Fu);
  return x << 24 | (x & 0xFF00u) << 8 | (x >> 8 & 0xFF00u) | x >> 24;
}

// Each digit is turned over or not, as the seed and all digits before it decide: an even factor lets only lower bits
// act on higher ones, and here the digits stand in reverse.
std::uint32_t scrambled(std::uint32_t x, std::uint32_t seed) {
  x = reversed(x) + seed;
  for (const std::uint32_t even : {0x6C50B47Cu, 0xB82F1E52u, 0xC7AFE638u, 0x8D22F6E6u}) x ^= x * even;
  return reversed(x);
}

// The finisher of SplitMix [G. Steele, D. Lea, C. Flood, OOPSLA 2014].
std::uint64_t stirred(std::uint64_t x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

}  // namespace

std::uint32_t sobol_digits(std::uint32_t point, std::uint32_t axis) {
  static const Directions directions = make_directions();
  std::uint32_t x = 0;
  for (std::uint32_t bits = point; bits != 0; bits &= bits - 1) x ^= directions[axis][std::countr_zero(bits)];
  return x;
}

double sobol_coordinate(std::uint64_t seed, std::uint64_t point, std::uint32_t axis) {
  const auto key = static_cast<std::uint32_t>(random_bits(seed, ~std::uint64_t{0}, axis, DrawnFor::scrambles));
  const std::uint64_t first = scrambled(sobol_digits(static_cast<std::uint32_t>(point), axis), key);
  const std::uint64_t others = random_bits(seed, point, axis, DrawnFor::scrambles) >> digits;
  return unit_number(first << digits | others);
}

// A Feistel network on the next square of a power of two, until it leads to a place that there is
// [J. Black, P. Rogaway, Ciphers with arbitrary finite domains, CT-RSA 2002].
std::uint64_t permuted(std::uint64_t item, std::uint64_t count, std::uint64_t key) {
  constexpr int rounds = 8;
  const int half = (static_cast<int>(std::bit_width(count - 1)) + 1) / 2;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    std::uint64_t left = item >> half, right = item & mask;
    for (int round = 0; round < rounds; ++round) {
      const std::uint64_t mixed = stirred(key + right + static_cast<std::uint64_t>(round) * 0x9E3779B97F4A7C15u);
      left = std::exchange(right, left ^ (mixed & mask));
    }
    item = left << half | right;
  } while (item >= count);
  return item;
}

double latin_coordinate(std::uint64_t seed, std::uint64_t point, std::uint32_t axis, std::uint64_t points) {
  const std::uint64_t key = random_bits(seed, points, axis, DrawnFor::permutations);
  const auto part = static_cast<double>(permuted(point, points, key));
  const double x = (part + random_number(seed, point, axis)) / static_cast<double>(points);
  return std::min(x, 1.0 - 0x1p-53);  // where the sum was rounded up
}

}  // namespace invar

// Random numbers without a state: number `column` of row `row` under a seed is a function of the three, Philox4x32-10
// [J. Salmon, M. Moraes, R. Dror, D. Shaw, Parallel random numbers: as easy as 1, 2, 3, SC 2011]. Whoever computes a
// case, in whatever order and on whatever machine, gets the same bits.
#pragma once

#include <array>
#include <cstdint>

namespace invar {

using PhiloxCounter = std::array<std::uint32_t, 4>;

// Ten rounds: two products of 32 bits each, mixed with the key, which moves on by Weyl's sequence.
constexpr PhiloxCounter philox(PhiloxCounter c, std::uint64_t key) {
  auto k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round, k0 += 0x9E3779B9u, k1 += 0xBB67AE85u) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53u} * c[0], p1 = std::uint64_t{0xCD9E8D57u} * c[2];
    c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(p0)};
  }
  return c;
}

// `purpose` keeps apart what is drawn for different ends under one seed.
enum class DrawnFor : std::uint32_t { samples, permutations, scrambles, resamples };

constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t row, std::uint32_t column, DrawnFor purpose) {
  const PhiloxCounter bits = philox({static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(row >> 32), column,
                                     static_cast<std::uint32_t>(purpose)},
                                    seed);
  return std::uint64_t{bits[1]} << 32 | bits[0];
}

// The middle of one of 2⁵² equal parts of the unit interval: never 0, never 1, and exact.
constexpr double unit_number(std::uint64_t bits) { return (static_cast<double>(bits >> 12) + 0.5) * 0x1p-52; }

constexpr double random_number(std::uint64_t seed, std::uint64_t row, std::uint32_t column) {
  return unit_number(random_bits(seed, row, column, DrawnFor::samples));
}

}  // namespace invar

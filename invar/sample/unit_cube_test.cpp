// Laws of the points: the generator gives its published numbers; each axis is stratified; boxes of Sobol's net bear
// what they shall; scrambling leaves that; and the direction numbers are what they claim.
#include "invar/sample/unit_cube.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>
#include <vector>

#include "invar/sample/counter_random.h"
#include "invar/sample/direction_numbers.h"

namespace invar {
namespace {

// The answers that the authors of Philox publish with it (Random123, kat_vectors).
TEST(CounterRandom, GivesThePublishedNumbers) {
  EXPECT_EQ(philox({0, 0, 0, 0}, 0), (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, ~std::uint64_t{0}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0x299f31d0a4093822),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(CounterRandom, IsUniformAndIndependentBetweenRowsAndColumns) {
  constexpr int rows = 20000, parts = 20;
  // Of χ² with 19 degrees of freedom, passed by chance once in 10⁶.
  constexpr double unlikely = 62.0;
  for (const std::uint64_t seed : {0u, 1u, 77u}) {
    std::vector<int> counts(parts);
    double next_row = 0.0, next_column = 0.0;
    for (int i = 0; i < rows; ++i) {
      const double u = random_number(seed, i, 3);
      ASSERT_TRUE(u > 0.0 && u < 1.0);
      ++counts[static_cast<int>(u * parts)];
      next_row += (u - 0.5) * (random_number(seed, i + 1, 3) - 0.5);
      next_column += (u - 0.5) * (random_number(seed, i, 4) - 0.5);
    }
    double chi = 0.0;
    for (const int count : counts) chi += std::pow(count - rows / parts, 2) / (rows / parts);
    EXPECT_LT(chi, unlikely);
    const double five_deviations = 5.0 / 12.0 / std::sqrt(1.0 * rows) * rows;  // of a sum of products
    EXPECT_LT(std::abs(next_row), five_deviations);
    EXPECT_LT(std::abs(next_column), five_deviations);
  }
}

TEST(Permutation, TakesEachPlaceOnceAndDependsOnTheKey) {
  for (const std::uint64_t count : {1u, 2u, 3u, 16u, 17u, 1000u}) {
    std::set<std::uint64_t> places;
    int same = 0;
    for (std::uint64_t k = 0; k < count; ++k) {
      places.insert(permuted(k, count, 5));
      same += permuted(k, count, 5) == permuted(k, count, 6);
    }
    EXPECT_EQ(places.size(), count);
    EXPECT_EQ(*places.rbegin(), count - 1);
    if (count == 1000) {
      EXPECT_LT(same, 20) << "permutations share one place in the mean";
    }
  }
}

TEST(LatinHypercube, PutsOnePointIntoEachPartOfEachAxis) {
  for (const std::uint64_t points : {1u, 7u, 100u}) {
    for (std::uint32_t axis = 0; axis < 5; ++axis) {
      std::set<int> parts;
      for (std::uint64_t i = 0; i < points; ++i)
        parts.insert(static_cast<int>(latin_coordinate(11, i, axis, points) * static_cast<double>(points)));
      EXPECT_EQ(parts.size(), points);
      EXPECT_EQ(*parts.begin(), 0);
    }
  }
}

// x is a generator of the multiplicative group of the field that a primitive polynomial of degree s makes: its powers
// come back after 2^s - 1 steps and not before.
TEST(DirectionNumbers, BelongToPrimitivePolynomialsAndAreOdd) {
  std::set<std::pair<std::size_t, std::uint32_t>> seen;
  for (const DirectionNumbers& row : direction_numbers) {
    const std::size_t s = row.degree();
    EXPECT_TRUE(seen.insert({s, row.a}).second) << "each polynomial serves once";
    const std::uint32_t polynomial = 1u << s | row.a << 1 | 1u;
    std::uint32_t power = 1, period = 0;
    do {
      power <<= 1;
      if (power >> s & 1) power ^= polynomial;
      ++period;
    } while (power != 1 && period < 1u << s);
    EXPECT_EQ(period, (1u << s) - 1) << "degree " << s << ", a = " << row.a;
    for (std::size_t k = 0; k < s; ++k) {
      EXPECT_EQ(row.m[k] % 2, 1);
      EXPECT_LT(row.m[k], 2u << k);
    }
  }
}

// Sobol's property A, which the table is made to have: of the first 2^d points in d dimensions one lies in each of the
// 2^d cubes of half the width. It does where the first digits of the first d directions are independent modulo 2.
TEST(DirectionNumbers, HavePropertyA) {
  constexpr std::uint32_t most = 32;
  for (std::uint32_t d = 1; d <= most; ++d) {
    std::vector<std::uint32_t> rows(d);
    for (std::uint32_t axis = 0; axis < d; ++axis)
      for (std::uint32_t k = 0; k < d; ++k) rows[axis] |= (sobol_digits(1u << k, axis) >> 31) << k;
    std::uint32_t rank = 0;
    for (std::uint32_t k = 0; k < d; ++k) {
      std::uint32_t pivot = rank;
      while (pivot < d && (rows[pivot] >> k & 1) == 0) ++pivot;
      if (pivot == d) continue;
      std::swap(rows[rank], rows[pivot]);
      for (std::uint32_t i = 0; i < d; ++i)
        if (i != rank && (rows[i] >> k & 1)) rows[i] ^= rows[rank];
      ++rank;
    }
    EXPECT_EQ(rank, d);
  }
}

// The first two axes are a (0, m, 2)-net: each elementary box of area 2⁻ᵐ has one of 2ᵐ points, scrambled or not; and
// each single axis is stratified.
TEST(SobolPoints, FillElementaryBoxesEvenly) {
  constexpr int m = 8, points = 1 << m;
  for (int part = 0; part <= m; ++part) {
    std::set<int> plain, scrambled, later;
    for (std::uint32_t i = 0; i < points; ++i) {
      const auto box = [&](double x, double y) {
        return static_cast<int>(std::ldexp(x, part)) << (m - part) | static_cast<int>(std::ldexp(y, m - part));
      };
      plain.insert(box(sobol_digits(i, 0) * 0x1p-32, sobol_digits(i, 1) * 0x1p-32));
      scrambled.insert(box(sobol_coordinate(3, i, 0), sobol_coordinate(3, i, 1)));
      later.insert(box(sobol_coordinate(3, 5 * points + i, 0), sobol_coordinate(3, 5 * points + i, 1)));
    }
    EXPECT_EQ(plain.size(), points);
    EXPECT_EQ(scrambled.size(), points);
    EXPECT_EQ(later.size(), points);
  }
  for (std::uint32_t axis = 0; axis < most_sobol_dimensions; ++axis) {
    std::set<int> parts;
    for (std::uint32_t i = 0; i < points; ++i) parts.insert(static_cast<int>(sobol_coordinate(3, i, axis) * points));
    EXPECT_EQ(parts.size(), points) << axis;
  }
}

// Smooth integrals come out far better than by chance, and scrambles are independent enough that their mean is right.
TEST(SobolPoints, IntegrateBetterThanChance) {
  constexpr int points = 4096;
  constexpr std::uint32_t axes = 6;
  const auto mean_of = [&](std::uint64_t seed, auto coordinate) {
    double sum = 0.0;
    for (int i = 0; i < points; ++i) {
      double product = 1.0;
      for (std::uint32_t axis = 0; axis < axes; ++axis) product *= 1.0 + 0.5 * (coordinate(seed, i, axis) - 0.5);
      sum += product;
    }
    return sum / points;
  };
  double sobol = 0.0, random = 0.0, bias = 0.0;
  constexpr int seeds = 10;
  for (int seed = 1; seed <= seeds; ++seed) {
    const double error = mean_of(seed, sobol_coordinate) - 1.0;
    sobol += error * error / seeds;
    bias += error / seeds;
    const double other = mean_of(seed, random_number) - 1.0;
    random += other * other / seeds;
  }
  EXPECT_LT(std::sqrt(sobol), 0.02 * std::sqrt(random));
  EXPECT_LT(std::abs(bias), 4.0 * std::sqrt(sobol / seeds));
}

}  // namespace
}  // namespace invar

// Points of the unit cube, coordinate by coordinate and without a state, so that any part of a design can be made by
// itself.
//
//   random   independent
//   latin    of n points, each n-th part of each axis has one [M. McKay, R. Beckman, W. Conover, Technometrics 21
//            (1979) 239-245]; which of them is a permutation that the seed chooses
//   sobol    Sobol's sequence (direction_numbers.h), its digits scrambled by the seed [A. Owen; as a hash: B. Burley,
//            J. Computer Graphics Techniques 9 (2020) no. 4]: each point is uniform by itself, and 2ᵐ of them fill the
//            cube as evenly as before
#pragma once

#include <cstddef>
#include <cstdint>

namespace invar {

inline constexpr std::size_t most_sobol_dimensions = 161;

// Strictly between 0 and 1.
double latin_coordinate(std::uint64_t seed, std::uint64_t point, std::uint32_t axis, std::uint64_t points);
double sobol_coordinate(std::uint64_t seed, std::uint64_t point, std::uint32_t axis);

// The same without scrambling, as a fraction of 2³².
std::uint32_t sobol_digits(std::uint32_t point, std::uint32_t axis);

// Where `item` comes in a permutation of 0 … count - 1 that the key chooses.
std::uint64_t permuted(std::uint64_t item, std::uint64_t count, std::uint64_t key);

}  // namespace invar

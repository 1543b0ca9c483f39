// Which cases a sweep has: every combination of what is listed, and at each of them the same samples of what is drawn.
//
//   case = combination · samples + sample;      of the listed quantities the last one changes fastest.
//
// Any case can be asked for by itself; nothing is kept but the values that were given.
//
// With `saltelli` the samples serve Sobol indices (sensitivity.h): to each of n base samples belong the points A, B
// and, for each drawn quantity i, A with the i-th coordinate of B, so there are n·(drawn + 2) samples
// [A. Saltelli et al., Computer Physics Communications 181 (2010) 259-270].
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "invar/sample/value_set.h"

namespace invar {

// A quantity with its values, or several that vary together: lists of one length, as the columns of a table are.
struct Factor {
  std::vector<std::string> names;
  std::vector<ValueSet> values;
};

enum class Sampling { random, latin, sobol, saltelli };

std::string_view sampling_name(Sampling sampling);
// Throws InputError for an unknown name.
Sampling sampling_named(std::string_view name);

class Design {
 public:
  // Throws InputError if a name stands twice, if something is drawn and nobody said how many samples, or too many.
  Design(std::vector<Factor> factors, Sampling sampling, std::uint64_t samples, std::uint64_t seed);

  // Of all quantities, in the order of the factors.
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<Factor>& factors() const { return factors_; }
  Sampling sampling() const { return sampling_; }
  std::uint64_t seed() const { return seed_; }
  // As asked for; base samples of `saltelli`. 0 if nothing is drawn.
  std::uint64_t samples() const { return drawn_ == 0 ? 0 : samples_; }
  std::size_t drawn() const { return drawn_; }

  std::uint64_t combinations() const { return combinations_; }
  std::uint64_t samples_of_each() const { return samples_of_each_; }
  std::uint64_t size() const { return combinations_ * samples_of_each_; }

  // The values of a case, as many as names().
  void set_case(std::uint64_t number, std::span<double> values) const;

  // "46 values of m, at each 1000 samples of L (latin, seed 1): 46000 cases"
  std::string words() const;

 private:
  double coordinate(std::uint64_t sample, std::uint32_t axis) const;

  std::vector<Factor> factors_;
  std::vector<std::string> names_;
  Sampling sampling_;
  std::uint64_t samples_, seed_;
  std::size_t drawn_ = 0;
  std::uint64_t combinations_ = 1, samples_of_each_ = 1;
};

}  // namespace invar

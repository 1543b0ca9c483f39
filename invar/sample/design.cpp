#include "invar/sample/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <set>
#include <utility>

#include "invar/base/error.h"
#include "invar/base/message.h"
#include "invar/sample/counter_random.h"
#include "invar/sample/unit_cube.h"

namespace invar {
namespace {

constexpr std::array<std::string_view, 4> sampling_names = {"random", "latin", "sobol", "saltelli"};
constexpr std::uint64_t most_cases = std::uint64_t{1} << 48;

// Points of a base sample of `saltelli` beside one for each drawn quantity.
constexpr std::uint64_t bases = 2;

bool is_drawn(const Factor& factor) { return factor.values.front().is_drawn(); }

std::string names_of(const Factor& factor) { return fmt::format("{}", fmt::join(factor.names, ", ")); }

}  // namespace

std::string_view sampling_name(Sampling sampling) { return sampling_names[static_cast<std::size_t>(sampling)]; }

Sampling sampling_named(std::string_view name) {
  for (std::size_t k = 0; k < sampling_names.size(); ++k)
    if (sampling_names[k] == name) return static_cast<Sampling>(k);
  throw InputError(fmt::format("unknown sampling {}{}; there are {}", in_quotes(name),
                               suggestion(name, {sampling_names.begin(), sampling_names.end()}),
                               fmt::join(sampling_names, ", ")));
}

Design::Design(std::vector<Factor> factors, Sampling sampling, std::uint64_t samples, std::uint64_t seed)
    : factors_(std::move(factors)), sampling_(sampling), samples_(samples), seed_(seed) {
  std::set<std::string> seen;
  for (const Factor& factor : factors_) {
    expects(!factor.values.empty() && factor.names.size() == factor.values.size(), "values for every name of a factor");
    for (const ValueSet& values : factor.values) {
      if (factor.values.size() > 1 && (values.is_drawn() || values.count() != factor.values.front().count()))
        throw InputError(fmt::format("{} vary together, so each needs a list of the same length", names_of(factor)));
    }
    for (const std::string& name : factor.names) {
      if (!seen.insert(name).second) throw InputError(in_quotes(name) + " is varied twice");
      names_.push_back(name);
    }
    if (is_drawn(factor)) {
      ++drawn_;
      continue;
    }
    if (combinations_ > most_cases / factor.values.front().count()) throw InputError("too many cases");
    combinations_ *= factor.values.front().count();
  }
  const bool saltelli = sampling == Sampling::saltelli;
  if (saltelli && drawn_ == 0)
    throw InputError("sampling saltelli needs quantities that are drawn, as uniform(0, 1) or choice(1, 2, 3)");
  if (drawn_ == 0) return;
  if (samples == 0)
    throw InputError(names_of(*std::ranges::find_if(factors_, is_drawn)) +
                     " is drawn: say how many samples to take, as --samples 100");
  const std::size_t axes = saltelli ? 2 * drawn_ : drawn_;
  if ((saltelli || sampling == Sampling::sobol) && axes > most_sobol_dimensions)
    throw InputError(fmt::format("sampling {} serves at most {} drawn quantities, not {}; latin and random serve any",
                                 sampling_name(sampling), most_sobol_dimensions / (saltelli ? 2 : 1), drawn_));
  samples_of_each_ = saltelli ? drawn_ + bases : 1;
  if (samples > std::numeric_limits<std::uint32_t>::max() || samples * samples_of_each_ > most_cases / combinations_)
    throw InputError("too many cases");
  samples_of_each_ *= samples;
}

double Design::coordinate(std::uint64_t sample, std::uint32_t axis) const {
  switch (sampling_) {
    case Sampling::random: return random_number(seed_, sample, axis);
    case Sampling::latin: return latin_coordinate(seed_, sample, axis, samples_);
    case Sampling::sobol: return sobol_coordinate(seed_, sample, axis);
    case Sampling::saltelli: break;
  }
  const std::uint64_t points = drawn_ + bases, point = sample % points;
  const bool of_b = point == 1 || point == axis + bases;
  return sobol_coordinate(seed_, sample / points, of_b ? axis + static_cast<std::uint32_t>(drawn_) : axis);
}

void Design::set_case(std::uint64_t number, std::span<double> values) const {
  expects(number < size() && values.size() == names_.size(), "a case of the design and room for its values");
  const std::uint64_t sample = number % samples_of_each_;
  std::uint64_t combination = number / samples_of_each_;
  std::size_t place = values.size();
  auto axis = static_cast<std::uint32_t>(drawn_);
  for (std::size_t f = factors_.size(); f-- > 0;) {
    const Factor& factor = factors_[f];
    place -= factor.values.size();
    if (is_drawn(factor)) {
      values[place] = factor.values.front().at(coordinate(sample, --axis));
      continue;
    }
    const std::uint64_t count = factor.values.front().count(), row = combination % count;
    combination /= count;
    for (std::size_t k = 0; k < factor.values.size(); ++k) values[place + k] = factor.values[k][row];
  }
}

std::string Design::words() const {
  std::vector<std::string> listed, drawn;
  for (const Factor& factor : factors_) {
    if (is_drawn(factor)) {
      drawn.push_back(factor.names.front());
    } else {
      const std::size_t count = factor.values.front().count();
      listed.push_back(fmt::format("{} {} of {}", count, count == 1 ? "value" : "values", names_of(factor)));
    }
  }
  std::string text = fmt::format("{}", fmt::join(listed, " × "));
  if (!drawn.empty()) {
    const std::string_view of = sampling_ == Sampling::saltelli ? "base samples" : samples_ == 1 ? "sample" : "samples";
    text += fmt::format("{}{} {} of {} ({}, seed {})", listed.empty() ? "" : ", at each ", samples_, of,
                        fmt::join(drawn, ", "), sampling_name(sampling_), seed_);
  }
  return fmt::format("{}: {} {}", text, size(), size() == 1 ? "case" : "cases");
}

}  // namespace invar

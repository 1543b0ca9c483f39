// Which problems the indirect method can solve, see indirect.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "invar/base/error.h"
#include "invar/base/message.h"
#include "invar/system/equations.h"
#include "invar/system/state_function.h"
#include "invar/task/indirect/indirect.h"
#include "invar/task/indirect/indirect_equations.h"

namespace invar {

namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw InputError(fmt::format("[optimize]: method \"indirect\" {}; use method = \"direct\"", why));
}

// Parameters may switch things off, so they count with their values.
Expr with_values(const System& system, const Expr& f) {
  const std::vector<double> values = parameter_values(system);
  return substitute(f, parameters(system), Exprs(values.begin(), values.end()));
}

bool changes_by_itself(const Expr& f) {
  const Exprs all = symbols({&f, 1});
  return std::any_of(all.begin(), all.end(),
                     [](const Expr& s) { return s.kind() == SymbolKind::time || s.kind() == SymbolKind::reference; });
}

void check_mass(const System& system) {
  const std::size_t n = system.coordinates.size();
  const Equations e = equations(system);
  Exprs entries;
  for (std::size_t i = 0; i < n * n; ++i)
    entries.push_back(e.mass().at(static_cast<int>(i / n), static_cast<int>(i % n)));
  StateFunction mass(system, entries);
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> number(0.5, 1.5);
  State anywhere;
  for (std::size_t i = 0; i < n; ++i) anywhere.q.push_back(number(random));
  std::vector<double> m = mass(anywhere);
  constexpr double negligible = 1e-12;  // of what is there before elimination
  for (std::size_t i = 0; i < n; ++i) {
    double before = m[i * n + i];
    for (std::size_t k = 0; k < i; ++k) before += std::abs(m[i * n + k] * m[k * n + i] / m[k * n + k]);
    for (std::size_t k = 0; k < i; ++k) {
      const double factor = m[i * n + k] / m[k * n + k];
      for (std::size_t j = k; j < n; ++j) m[i * n + j] -= factor * m[k * n + j];
    }
    if (m[i * n + i] <= negligible * before)
      refuse(fmt::format("needs a regular mass matrix, but {} has no mass of its own",
                         in_quotes(system.coordinates[i].name())));
  }
}

void check_system(const System& system) {
  if (!system.constraints.empty())
    refuse(
        fmt::format("cannot deal with constraints ({}): write the model in minimal coordinates, with formulation = "
                    "\"minimal\" or [reduce]",
                    in_quotes(system.constraints.front().name)));
  for (const Expr& f : {system.kinetic, system.potential})
    if (changes_by_itself(with_values(system, f)))
      refuse("cannot deal with energies that depend on time: their control Hamiltonian changes");
  for (std::size_t i = 0; i < system.forces.size(); ++i)
    if (changes_by_itself(with_values(system, system.forces[i])))
      refuse(fmt::format(
          "cannot deal with forces that depend on time, such as that on {}: the control Hamiltonian changes",
          in_quotes(system.coordinates[i].name())));
  for (const Input& input : system.inputs)
    for (const Expr& entry : input.direction)
      if (!with_values(system, entry).is_constant())
        refuse(fmt::format("needs inputs in constant directions, but that of {} depends on the motion or on time",
                           in_quotes(input.name)));
  check_mass(system);
}

void check_scheme(const System& system, const std::string& name) {
  const std::optional<IndirectScheme> scheme = kind_in(indirect_schemes, name);
  if (!scheme)
    refuse(fmt::format("knows the schemes \"energy-momentum\" and \"midpoint\", but not {}", in_quotes(name)));
  try {
    indirect_equations(system, scheme == IndirectScheme::energy_momentum);
  } catch (const InputError& error) {
    refuse(fmt::format("finds that {}; use scheme = \"midpoint\"", error.what()));
  }
}

void check_end(const System& system, const OptimizeSettings& settings) {
  Exprs state = positions(system);
  const Exprs v = velocities(system);
  state.insert(state.end(), v.begin(), v.end());
  std::vector<bool> given(state.size(), false);
  for (const Limit& limit : settings.final) {
    const auto place = std::find(state.begin(), state.end(), limit.formula);
    if (place == state.end() || limit.lower != limit.upper)
      refuse(fmt::format("needs final values of all coordinates and velocities instead of limits or conditions on {}",
                         in_quotes(limit.name)));
    given[static_cast<std::size_t>(place - state.begin())] = true;
  }
  for (std::size_t i = 0; i < state.size(); ++i) {
    const bool position = i < system.coordinates.size();
    const std::string& name = system.coordinates[i % system.coordinates.size()].name();
    if (!given[i] && position)
      refuse(fmt::format("needs final values of all coordinates, but there is none of {}", in_quotes(name)));
    if (!given[i] && !settings.rest)
      refuse(fmt::format("needs final values of all velocities, but there is none of {}; say rest = true or give it",
                         in_quotes(name + "'")));
  }
}

}  // namespace

InputRanges input_ranges(const System& system, const OptimizeSettings& settings) {
  InputRanges ranges;
  const Exprs u = inputs(system);
  for (const Limit& limit : settings.bounds)
    if (const auto found = std::find(u.begin(), u.end(), limit.formula); found != u.end()) {
      constexpr double infinity = std::numeric_limits<double>::infinity();
      ranges.resize(u.size(), {-infinity, infinity});
      InputRange& range = ranges[static_cast<std::size_t>(found - u.begin())];
      range = {std::max(range.lower, limit.lower), std::min(range.upper, limit.upper)};
    }
  return ranges;
}

void check_fits_indirect(const System& system, const OptimizeSettings& settings) {
  check_system(system);
  check_scheme(system, settings.scheme);
  if (settings.cost || settings.end_cost) refuse("has no other cost than \"effort\"");
  const Exprs u = inputs(system);
  for (const Limit& limit : settings.bounds)
    if (std::find(u.begin(), u.end(), limit.formula) == u.end())
      refuse(
          fmt::format("cannot hold limits on the way other than those of inputs, such as that on {}: costates jump "
                      "where such a limit is met",
                      in_quotes(limit.name)));
  if (settings.shortest < settings.longest) refuse("needs a given horizon");
  if (settings.intervals < 2) refuse("needs at least two intervals");
  check_end(system, settings);
}

}  // namespace invar

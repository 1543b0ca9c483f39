// See initial_table.h.
#include "invar/record/initial_table.h"

#include <fmt/format.h>

#include <cmath>

#include "invar/base/error.h"

namespace invar {

namespace {

// A key with dots or primes needs quotes.
std::string table_key(const std::string& name) {
  return name.find_first_of(".'") == std::string::npos ? name : '"' + name + '"';
}

std::string table_line(const std::string& name, double value) {
  expects(std::isfinite(value), "finite values");
  return fmt::format("{} = {:.17g}\n", table_key(name), value == 0.0 ? 0.0 : value);
}

}  // namespace

std::string initial_table(const System& system, std::span<const double> q, std::span<const double> v) {
  expects(q.size() == system.coordinates.size() && v.size() == q.size(), "a state of this system");
  std::string text = "[initial]\n";
  for (std::size_t i = 0; i < q.size(); ++i) text += table_line(system.coordinates[i].name(), q[i]);
  for (std::size_t i = 0; i < v.size(); ++i)
    if (v[i] != 0.0) text += table_line(system.coordinates[i].name() + "'", v[i]);
  return text;
}

}  // namespace invar

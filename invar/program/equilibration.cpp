// See equilibration.h.
#include "invar/program/equilibration.h"

#include <algorithm>
#include <cmath>

namespace invar {

namespace {

// Beyond these the entries at x are rather accidental zeros than sizes.
constexpr double least_factor = 1e-6, largest_factor = 1e6;
constexpr int sweeps = 20;  // each halves the distance of the largest entries from one, in digits

void divide_by_roots(std::vector<double>& factors, const std::vector<double>& largest) {
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (largest[i] > 0.0) factors[i] = std::clamp(factors[i] / std::sqrt(largest[i]), least_factor, largest_factor);
}

// Entries of the Jacobian that are no zeros, by the logarithm of their size.
struct LogEntry {
  std::size_t row, column;
  double size;
};

std::vector<LogEntry> log_entries(const NonlinearProgram& program, std::span<const double> x) {
  std::vector<double> values(program.jacobian.size());
  program.jacobian_values(x, values);
  std::vector<LogEntry> list;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto row = static_cast<std::size_t>(program.jacobian[i].row),
               column = static_cast<std::size_t>(program.jacobian[i].col);
    if (program.lower[column] < program.upper[column] && values[i] != 0.0 && std::isfinite(values[i]))
      list.push_back({row, column, std::log(std::abs(values[i]))});
  }
  return list;
}

}  // namespace

Equilibration balance(const NonlinearProgram& program, std::span<const double> x) {
  constexpr int passes = 200;  // mean values spread along the chain of intervals
  const std::size_t n = program.lower.size(), m = program.row_lower.size();
  const std::vector<LogEntry> entries = log_entries(program, x);
  std::vector<double> row(m, 0.0), column(n, 0.0), in_row(m, 0.0), in_column(n, 0.0);
  for (const LogEntry& e : entries) in_row[e.row] += 1.0, in_column[e.column] += 1.0;
  const auto to_mean = [&](std::vector<double>& factors, const std::vector<double>& count, auto place) {
    std::vector<double> sum(factors.size(), 0.0);
    for (const LogEntry& e : entries) sum[place(e)] += e.size + row[e.row] + column[e.column];
    for (std::size_t i = 0; i < factors.size(); ++i)
      if (count[i] > 0.0) factors[i] -= sum[i] / count[i];
  };
  for (int pass = 0; pass < passes; ++pass) {
    to_mean(row, in_row, [](const LogEntry& e) { return e.row; });
    to_mean(column, in_column, [](const LogEntry& e) { return e.column; });
  }
  for (std::vector<double>* factors : {&row, &column})
    for (double& f : *factors) f = std::exp(f);
  return {std::move(row), std::move(column)};
}

Equilibration equilibrate(const NonlinearProgram& program, std::span<const double> x) {
  const std::size_t n = program.lower.size(), m = program.row_lower.size();
  Equilibration e{std::vector<double>(m, 1.0), std::vector<double>(n, 1.0)};
  std::vector<double> entries(program.jacobian.size());
  program.jacobian_values(x, entries);
  if (!std::all_of(entries.begin(), entries.end(), [](double a) { return std::isfinite(a); })) return e;
  std::vector<double> in_row(m), in_column(n);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    std::fill(in_row.begin(), in_row.end(), 0.0);
    std::fill(in_column.begin(), in_column.end(), 0.0);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const auto row = static_cast<std::size_t>(program.jacobian[i].row),
                 column = static_cast<std::size_t>(program.jacobian[i].col);
      if (program.lower[column] == program.upper[column]) continue;
      const double size = e.row[row] * std::abs(entries[i]) * e.column[column];
      in_row[row] = std::max(in_row[row], size);
      in_column[column] = std::max(in_column[column], size);
    }
    divide_by_roots(e.row, in_row);
    divide_by_roots(e.column, in_column);
  }
  return e;
}

}  // namespace invar

// See equilibration.h.
#include "invar/program/equilibration.h"

#include <algorithm>
#include <cmath>

namespace invar {

namespace {

// Beyond these the entries at x are rather accidental zeros than sizes.
constexpr double largest_factor = 1e6;
constexpr int sweeps = 20;  // each halves the distance of the largest entries from one, in digits

void divide_by_roots(std::vector<double>& factors, const std::vector<double>& largest, double most) {
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (largest[i] > 0.0) factors[i] = std::clamp(factors[i] / std::sqrt(largest[i]), 1.0 / most, most);
}

// An entry of the Jacobian in the column of a variable that is not fixed.
struct Entry {
  std::size_t row, column;
  double size;
};

std::vector<Entry> jacobian_at(const NonlinearProgram& program, std::span<const double> x) {
  std::vector<double> values(program.jacobian.size());
  program.jacobian_values(x, values);
  std::vector<Entry> list;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto row = static_cast<std::size_t>(program.jacobian[i].row),
               column = static_cast<std::size_t>(program.jacobian[i].col);
    if (program.lower[column] < program.upper[column]) list.push_back({row, column, std::abs(values[i])});
  }
  return list;
}

Equilibration by_largest(const std::vector<Entry>& entries, std::size_t m, std::size_t n, double most) {
  Equilibration e{std::vector<double>(m, 1.0), std::vector<double>(n, 1.0)};
  std::vector<double> in_row(m), in_column(n);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    std::fill(in_row.begin(), in_row.end(), 0.0);
    std::fill(in_column.begin(), in_column.end(), 0.0);
    for (const Entry& entry : entries) {
      const double size = e.row[entry.row] * entry.size * e.column[entry.column];
      in_row[entry.row] = std::max(in_row[entry.row], size);
      in_column[entry.column] = std::max(in_column[entry.column], size);
    }
    divide_by_roots(e.row, in_row, most);
    divide_by_roots(e.column, in_column, most);
  }
  return e;
}

// Entries by the logarithm of their size. What rounding left of zeros, small beside others of its row and column in any
// units, is left out: it would falsify mean values.
std::vector<Entry> log_entries(std::vector<Entry> entries, const NonlinearProgram& program) {
  constexpr double rounding = 1e-12, any = 1e12;
  std::erase_if(entries, [](const Entry& entry) { return !(entry.size > 0.0) || !std::isfinite(entry.size); });
  const Equilibration e = by_largest(entries, program.row_lower.size(), program.lower.size(), any);
  std::erase_if(entries, [&](const Entry& a) { return e.row[a.row] * a.size * e.column[a.column] < rounding; });
  for (Entry& entry : entries) entry.size = std::log(entry.size);
  return entries;
}

}  // namespace

Equilibration balance(const NonlinearProgram& program, std::span<const double> x) {
  constexpr int passes = 200;  // mean values spread along the chain of intervals
  const std::size_t n = program.lower.size(), m = program.row_lower.size();
  const std::vector<Entry> entries = log_entries(jacobian_at(program, x), program);
  std::vector<double> row(m, 0.0), column(n, 0.0), in_row(m, 0.0), in_column(n, 0.0);
  for (const Entry& e : entries) in_row[e.row] += 1.0, in_column[e.column] += 1.0;
  const auto to_mean = [&](std::vector<double>& factors, const std::vector<double>& count, auto place) {
    std::vector<double> sum(factors.size(), 0.0);
    for (const Entry& e : entries) sum[place(e)] += e.size + row[e.row] + column[e.column];
    for (std::size_t i = 0; i < factors.size(); ++i)
      if (count[i] > 0.0) factors[i] -= sum[i] / count[i];
  };
  for (int pass = 0; pass < passes; ++pass) {
    to_mean(row, in_row, [](const Entry& e) { return e.row; });
    to_mean(column, in_column, [](const Entry& e) { return e.column; });
  }
  for (std::vector<double>* factors : {&row, &column})
    for (double& f : *factors) f = std::exp(f);
  return {std::move(row), std::move(column)};
}

Equilibration equilibrate(const NonlinearProgram& program, std::span<const double> x) {
  const std::size_t n = program.lower.size(), m = program.row_lower.size();
  std::vector<double> values(program.jacobian.size());
  program.jacobian_values(x, values);
  if (!std::all_of(values.begin(), values.end(), [](double a) { return std::isfinite(a); }))
    return {std::vector<double>(m, 1.0), std::vector<double>(n, 1.0)};
  return by_largest(jacobian_at(program, x), m, n, largest_factor);
}

}  // namespace invar

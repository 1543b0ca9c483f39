// See saddle.h.
#include "invar/program/saddle.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace invar {

namespace {

double largest(const std::vector<double>& values) {
  double most = 0.0;
  for (const double x : values) most = std::max(most, std::abs(x));
  return most;
}

// With the cost f + ½ t² dᵀHd.
double step(const NonlinearProgram& program, const Solution& at, const Curvature& c) {
  constexpr double change = 0.1, width = 0.5;
  double t = std::numeric_limits<double>::infinity();
  if (at.cost != 0.0) t = std::sqrt(2.0 * change * std::abs(at.cost / c.value));
  for (std::size_t i = 0; i < at.x.size(); ++i)
    if (const double room = program.upper[i] - program.lower[i]; std::isfinite(room) && c.direction[i] != 0.0)
      t = std::min(t, width * room / std::abs(c.direction[i]));
  return std::isfinite(t) ? t : 1.0 / largest(c.direction);
}

std::vector<double> along(const Solution& at, const Curvature& c, double t) {
  std::vector<double> x = at.x;
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += t * c.direction[i];
  return x;
}

// Largest violation of a row or bound.
double violation(const NonlinearProgram& program, const std::vector<double>& x) {
  double most = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max({most, program.lower[i] - x[i], x[i] - program.upper[i]});
  std::vector<double> g(program.row_lower.size());
  program.rows(x, g);
  for (std::size_t i = 0; i < g.size(); ++i) {
    if (!std::isfinite(g[i])) return std::numeric_limits<double>::infinity();
    most = std::max({most, program.row_lower[i] - g[i], g[i] - program.row_upper[i]});
  }
  return most;
}

}  // namespace

std::vector<double> beside(const NonlinearProgram& program, const Solution& at, const Curvature& c, double part) {
  std::vector<double> x = along(at, c, part * step(program, at, c));
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = std::clamp(x[i], program.lower[i], program.upper[i]);
  return x;
}

bool falls_for_ever(const NonlinearProgram& program, const Solution& at, const Curvature& c) {
  constexpr double round_off = 1e-8, most = 1e6;  // of the way; rows that are not linear leave zero with its square
  const double begin = step(program, at, c);
  double before = at.cost;
  for (double factor = 1.0; factor <= most; factor *= 10.0) {
    const double t = factor * begin;
    const std::vector<double> x = along(at, c, t);
    if (!(violation(program, x) <= round_off * (largest(at.x) + t * largest(c.direction)))) return false;
    const double cost = program.cost(x);
    if (!(cost < before)) return false;
    before = cost;
  }
  return true;
}

}  // namespace invar

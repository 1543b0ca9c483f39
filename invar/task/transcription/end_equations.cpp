// See end_equations.h.
#include "invar/task/transcription/end_equations.h"

#include <algorithm>
#include <cmath>

#include "invar/expr/derivative.h"
#include "invar/expr/lists.h"
#include "invar/math/rank.h"
#include "invar/system/equations.h"
#include "invar/task/transcription/row_space.h"

namespace invar {

Exprs with_rows_of_jacobian(Exprs formulas, const Exprs& variables) {
  const std::size_t count = formulas.size();
  for (std::size_t i = 0; i < count; ++i) append(formulas, gradient(Expr(formulas[i]), variables));
  return formulas;
}

Matrix rows_from(const std::vector<double>& numbers, std::size_t first, std::size_t rows, std::size_t columns) {
  Matrix m(static_cast<Eigen::Index>(rows), static_cast<Eigen::Index>(columns));
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      m(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = numbers[first + i * columns + j];
  return m;
}

Vector first_of(const std::vector<double>& numbers, std::size_t count) {
  return Eigen::Map<const Vector>(numbers.data(), static_cast<Eigen::Index>(count));
}

EndEquations end_equations(const System& system, const std::vector<Limit>& final, const State& end, EndUnknowns of) {
  const bool rates = of == EndUnknowns::rates;
  const Exprs v = velocities(system), by = rates ? v : positions(system);
  EndEquations e;
  Exprs formulas;
  for (const Limit& limit : final)
    if (limit.lower == limit.upper && depends(limit.formula, v) == rates && depends(limit.formula, by) &&
        reference_symbols({&limit.formula, 1}).empty()) {
      e.limits.push_back(limit);
      formulas.push_back(limit.formula);
    }
  const std::vector<double> numbers = StateFunction(system, with_rows_of_jacobian(formulas, by))(end);
  e.rows = rows_from(numbers, formulas.size(), formulas.size(), by.size());
  e.wanted = -first_of(numbers, formulas.size());
  e.size = e.wanted.cwiseAbs();
  for (std::size_t i = 0; i < formulas.size(); ++i) {
    e.wanted(static_cast<Eigen::Index>(i)) += e.limits[i].lower;
    e.size(static_cast<Eigen::Index>(i)) += std::abs(e.limits[i].lower);
  }
  return e;
}

EndEquations kept_momenta_at(const System& system, const State& start, const State& end) {
  EndEquations e;
  Exprs momenta;
  for (const Momentum& m : system.momenta)
    if (m.why_not.empty()) {
      momenta.push_back(m.expr);
      e.limits.push_back({m.name, m.expr, 0.0, 0.0});
    }
  const Exprs v = velocities(system);
  StateFunction function(system, with_rows_of_jacobian(momenta, v));
  e.rows = rows_from(function(end), momenta.size(), momenta.size(), v.size());
  const std::vector<double> at_start = function(start);
  e.wanted = first_of(at_start, momenta.size());
  e.size =
      rows_from(at_start, momenta.size(), momenta.size(), v.size()).cwiseAbs() * first_of(start.v, v.size()).cwiseAbs();
  return e;
}

EndEquations together(const EndEquations& a, const EndEquations& b) {
  EndEquations e{a.limits, Matrix(a.rows.rows() + b.rows.rows(), a.rows.cols()),
                 Vector(a.wanted.size() + b.wanted.size()), Vector(a.size.size() + b.size.size())};
  e.limits.insert(e.limits.end(), b.limits.begin(), b.limits.end());
  e.rows << a.rows, b.rows;
  e.wanted << a.wanted, b.wanted;
  e.size << a.size, b.size;
  return e;
}

namespace {

EndEquations only(const EndEquations& e, const std::vector<bool>& chosen) {
  EndEquations some{{}, Matrix(0, e.rows.cols()), {}, {}};
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (!chosen[i]) continue;
    const auto from = static_cast<Eigen::Index>(i);
    const EndEquations one{{e.limits[i]}, e.rows.row(from), e.wanted.segment(from, 1), e.size.segment(from, 1)};
    some = together(some, one);
  }
  return some;
}

// A row that is a sum of others, Σ c·row, must want the same sum, but for the rounding of its terms. This is the same
// in all units, also where everything rests and all terms are zero.
bool want_the_same(const EndEquations& others, const EndEquations& asked, Eigen::Index i) {
  constexpr double rounding = 1e-9;
  Vector scale = others.rows.rowwise().stableNorm();
  for (double& length : scale) length = length > 0.0 ? 1.0 / length : 0.0;
  Vector c = least_norm((scale.asDiagonal() * others.rows).transpose(), asked.rows.row(i).transpose());
  const double nothing = rounding * c.lpNorm<Eigen::Infinity>();
  for (double& x : c)
    if (std::abs(x) <= nothing) x = 0.0;
  c = c.cwiseProduct(scale);
  return std::abs(c.dot(others.wanted) - asked.wanted(i)) <= rounding * (c.cwiseAbs().dot(others.size) + asked.size(i));
}

}  // namespace

FinalValues without_followers(const System& system, const std::vector<Limit>& final, const State& start,
                              const State& end) {
  State still = end;
  still.v.assign(end.q.size(), 0.0);
  const EndEquations asked = end_equations(system, final, still, EndUnknowns::rates);
  std::vector<Limit> kept;
  for (const Constraint& c : system.constraints)
    if (c.level != Level::acceleration)
      kept.push_back({c.name, c.level == Level::position ? ddt(c.expr) : c.expr, 0.0, 0.0});
  const EndEquations known =
      together(end_equations(system, kept, still, EndUnknowns::rates), kept_momenta_at(system, start, still));
  RowSpace space(known.rows.cols());
  space.add_all(known.rows);
  const std::vector<bool> independent = space.add_independent(asked.rows);
  const EndEquations said = together(known, only(asked, independent));
  FinalValues values;
  for (const Limit& limit : final) {
    const auto found = std::ranges::find(asked.limits, limit.name, &Limit::name);
    const auto i = static_cast<std::size_t>(found - asked.limits.begin());
    const bool follows = found != asked.limits.end() && found->formula == limit.formula && !independent[i];
    if (follows && want_the_same(said, asked, static_cast<Eigen::Index>(i)))
      values.followers.push_back(limit);
    else
      values.independent.push_back(limit);
  }
  return values;
}

}  // namespace invar

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
  for (std::size_t i = 0; i < formulas.size(); ++i) e.wanted(static_cast<Eigen::Index>(i)) += e.limits[i].lower;
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
  e.wanted = first_of(function(start), momenta.size());
  return e;
}

EndEquations together(const EndEquations& a, const EndEquations& b) {
  EndEquations e{a.limits, Matrix(a.rows.rows() + b.rows.rows(), a.rows.cols()),
                 Vector(a.wanted.size() + b.wanted.size())};
  e.limits.insert(e.limits.end(), b.limits.begin(), b.limits.end());
  e.rows << a.rows, b.rows;
  e.wanted << a.wanted, b.wanted;
  return e;
}

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
  const EndEquations all = together(known, asked);
  const Vector rates = least_norm(all.rows, all.wanted);
  constexpr double same = 1e-9;
  FinalValues values;
  for (const Limit& limit : final) {
    const auto found = std::ranges::find(asked.limits, limit.name, &Limit::name);
    const auto i = static_cast<std::size_t>(found - asked.limits.begin());
    const bool follows = found != asked.limits.end() && found->formula == limit.formula && !independent[i];
    const auto row = static_cast<Eigen::Index>(i);
    if (follows && std::abs(asked.rows.row(row).dot(rates) - asked.wanted(row)) <=
                       same * std::max(1.0, std::abs(asked.wanted(row))))
      values.followers.push_back(limit);
    else
      values.independent.push_back(limit);
  }
  return values;
}

}  // namespace invar

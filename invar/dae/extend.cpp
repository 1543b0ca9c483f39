// See extend.h.
#include "invar/dae/extend.h"

#include <fmt/format.h>

#include <algorithm>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/math/rank.h"

namespace invar {

namespace {

// Columns nearly as long as the longest count as equal; of equals the last one is taken, because models name the
// coordinates of the load, which is what the outputs are about, after those of the machine.
constexpr double as_good = 0.9;

std::vector<int> highest_after(const Signature& s, const std::vector<int>& e) {
  std::vector<int> d(s.order.size(), 0);
  for (std::size_t i = 0; i < e.size(); ++i)
    for (std::size_t j = 0; j < d.size(); ++j)
      if (s.order[i][j] != Signature::absent) d[j] = std::max(d[j], s.order[i][j] + e[i]);
  return d;
}

std::vector<int> rows_at_level(const std::vector<int>& e, int level) {
  std::vector<int> rows;
  for (std::size_t i = 0; i < e.size(); ++i)
    if (e[i] >= level) rows.push_back(static_cast<int>(i));
  return rows;
}

void remove_direction(Matrix& a, Eigen::Index column) {
  const double length = a.col(column).norm();
  if (length == 0.0) return;
  const Vector direction = a.col(column) / length;
  a -= direction * (direction.transpose() * a);
}

// Adds columns to `chosen` until they span all rows of a; false if the rows are dependent.
bool choose_columns(Matrix a, std::vector<int>& chosen) {
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    const double size = a.row(i).cwiseAbs().maxCoeff();
    if (size == 0.0) return false;
    a.row(i) /= size;
  }
  for (const int j : chosen) remove_direction(a, j);
  while (static_cast<Eigen::Index>(chosen.size()) < a.rows()) {
    const double longest = a.colwise().norm().maxCoeff();
    if (!(longest > rank_tolerance)) return false;
    Eigen::Index best = a.cols() - 1;
    while (a.col(best).norm() < as_good * longest) --best;
    chosen.push_back(static_cast<int>(best));
    remove_direction(a, best);
  }
  return true;
}

// The equations that take part in a linear dependence, or all if none can be told.
std::vector<std::string> dependent_names(const Dae& dae, const std::vector<int>& rows, const Matrix& a) {
  std::vector<bool> involved(rows.size(), false);
  for (const Dependency& dependency : row_rank(a).dependent) {
    involved[static_cast<std::size_t>(dependency.row)] = true;
    for (const auto& [row, factor] : dependency.combination) involved[static_cast<std::size_t>(row)] = true;
  }
  const bool unclear = std::find(involved.begin(), involved.end(), true) == involved.end();
  std::vector<std::string> names;
  for (std::size_t k = 0; k < rows.size(); ++k)
    if (unclear || involved[k]) names.push_back(dae.equations[static_cast<std::size_t>(rows[k])].name);
  return names;
}

// For each level s = 1 … max e the columns C_s, or the names of dependent equations.
struct Choice {
  std::vector<std::vector<int>> columns;
  std::vector<std::string> dependent;
};

Choice choose(const Dae& dae, const std::vector<int>& e, const std::vector<int>& d, const Jet& at) {
  std::vector<Derivative> unknowns;
  for (std::size_t j = 0; j < d.size(); ++j) unknowns.push_back({static_cast<int>(j), d[j]});
  const int levels = *std::max_element(e.begin(), e.end());
  Choice choice;
  choice.columns.resize(static_cast<std::size_t>(levels));
  JetEvaluator evaluator(dae);
  std::vector<int> chosen;
  for (int s = levels; s >= 1; --s) {
    const std::vector<int> rows = rows_at_level(e, s);
    std::vector<Derivative> equations;
    for (const int i : rows) equations.push_back({i, e[static_cast<std::size_t>(i)]});
    const Matrix a = evaluator.array(at, equations, unknowns);
    if (!choose_columns(a, chosen)) {
      choice.dependent = dependent_names(dae, rows, a);
      return choice;
    }
    choice.columns[static_cast<std::size_t>(s) - 1] = chosen;
  }
  return choice;
}

void append_derivatives(Dae& dae, const std::vector<int>& e) {
  for (std::size_t i = 0; i < e.size(); ++i) {
    const DaeEquation original = dae.equations[i];
    Expr f = original.expr;
    for (int n = 1; n <= e[i]; ++n) {
      f = ddt(f);
      dae.equations.push_back({fmt::format("derivative {} of {}", n, original.name), f, original.kind});
    }
  }
}

// New unknowns, ordered by the function they belong to and by order.
std::vector<Dummy> append_dummies(Dae& dae, const Choice& choice, const std::vector<int>& d) {
  std::vector<Dummy> dummies;
  for (std::size_t j = 0; j < d.size(); ++j)
    for (std::size_t s = choice.columns.size(); s >= 1; --s) {
      const std::vector<int>& columns = choice.columns[s - 1];
      if (std::find(columns.begin(), columns.end(), static_cast<int>(j)) == columns.end()) continue;
      const int order = d[j] - static_cast<int>(s) + 1;
      const DaeUnknown of = dae.unknowns[j];
      const std::string name = of.name + std::string(static_cast<std::size_t>(order), '\'');
      dummies.push_back({static_cast<int>(dae.unknowns.size()), static_cast<int>(j), order});
      dae.unknowns.push_back({name, dae.graph.variable(name), of.kind});
    }
  return dummies;
}

void replace_by_dummies(Dae& dae, const std::vector<Dummy>& dummies) {
  Exprs from, to, f;
  for (const Dummy& dummy : dummies) {
    from.push_back(at(dae.unknowns[static_cast<std::size_t>(dummy.of)].variable, dummy.order));
    to.push_back(at(dae.unknowns[static_cast<std::size_t>(dummy.place)].variable));
  }
  for (const DaeEquation& equation : dae.equations) f.push_back(equation.expr);
  f = substitute(f, from, to);
  for (std::size_t i = 0; i < f.size(); ++i) dae.equations[i].expr = f[i];
}

}  // namespace

std::vector<std::string> ReducedDae::dummy_names() const {
  std::vector<std::string> names;
  for (const Dummy& dummy : dummies) names.push_back(dae.unknowns[static_cast<std::size_t>(dummy.place)].name);
  return names;
}

std::vector<int> extra_derivatives(const Offsets& o, int target_index, int hidden) {
  expects(o.regular, "a system with a transversal");
  expects(target_index >= 1, "a target index of at least one");
  std::vector<int> e;
  for (const int c : o.c) e.push_back(std::max(0, c + hidden - (target_index - 1)));
  return e;
}

ReducedDae extend(const Dae& dae, const Offsets& offsets, int target_index, const Jet& at, int hidden) {
  return extend(dae, extra_derivatives(offsets, target_index, hidden), at);
}

ReducedDae extend(const Dae& dae, const std::vector<int>& extra, const Jet& at) {
  expects(extra.size() == dae.equations.size(), "a number of derivatives for each equation");
  ReducedDae result{dae, {}, {}};
  if (std::all_of(extra.begin(), extra.end(), [](int n) { return n == 0; })) return result;
  const std::vector<int> d = highest_after(signature(dae), extra);
  Choice choice = choose(dae, extra, d, at);
  if (!choice.dependent.empty()) {
    result.dependent = std::move(choice.dependent);
    return result;
  }
  append_derivatives(result.dae, extra);
  result.dummies = append_dummies(result.dae, choice, d);
  replace_by_dummies(result.dae, result.dummies);
  return result;
}

Jet extended(const ReducedDae& reduced, const Jet& original) {
  Jet jet = original;
  jet.x.resize(reduced.dae.unknowns.size(), {0.0});
  for (const Dummy& dummy : reduced.dummies) {
    const Derivatives& x = original.x[static_cast<std::size_t>(dummy.of)];
    const auto order = static_cast<std::size_t>(dummy.order);
    if (order < x.size()) jet.x[static_cast<std::size_t>(dummy.place)].assign(x.begin() + dummy.order, x.end());
  }
  return jet;
}

}  // namespace invar

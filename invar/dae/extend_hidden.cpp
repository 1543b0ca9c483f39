// Minimal extension of a Dae with hidden structure, by its derivative array. See extend.h.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "invar/base/error.h"
#include "invar/dae/extend.h"
#include "invar/expr/derivative.h"

namespace invar {

namespace {

bool lists(const std::vector<Derivative>& list, int index, int order) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Derivative& z) { return z.index == index && z.order == order; });
}

// What stands for the derivatives x_j^(n), n ≥ 1, of all unknowns; new ones are added as dummies.
struct Standing {
  Exprs from, to;

  Standing(ReducedDae& reduced, const SquarePart& part, const std::vector<int>& highest) {
    for (std::size_t j = 0; j < highest.size(); ++j) {
      const DaeUnknown of = reduced.dae.unknowns[j];
      Expr before = at(of.variable);
      for (int n = 1; n <= highest[j]; ++n) {
        const int index = static_cast<int>(j);
        if (lists(part.states, index, n - 1))
          before = ddt(before);
        else if (lists(part.unknowns, index, n) || lists(part.states, index, n))
          before = dummy(reduced, of, index, n);
        else
          before = 0.0;
        from.push_back(at(of.variable, n));
        to.push_back(before);
      }
    }
  }

  static Expr dummy(ReducedDae& reduced, const DaeUnknown& of, int index, int order) {
    const std::string name = of.name + std::string(static_cast<std::size_t>(order), '\'');
    reduced.dummies.push_back({static_cast<int>(reduced.dae.unknowns.size()), index, order});
    reduced.dae.unknowns.push_back({name, reduced.dae.graph.variable(name), of.kind});
    return at(reduced.dae.unknowns.back().variable);
  }
};

// Highest order of each unknown in these rows.
std::vector<int> orders_in(const Dae& dae, const std::vector<Derivative>& rows) {
  const Signature s = signature(dae);
  std::vector<int> highest(dae.unknowns.size(), 0);
  for (const Derivative& row : rows)
    for (std::size_t j = 0; j < highest.size(); ++j)
      if (const int order = s.order[static_cast<std::size_t>(row.index)][j]; order != Signature::absent)
        highest[j] = std::max(highest[j], order + row.order);
  return highest;
}

}  // namespace

ReducedDae extend(const Dae& dae, const SquarePart& part) {
  expects(part.rows.size() == part.unknowns.size(), "a square part");
  ReducedDae result{dae, {}, {}};
  result.dae.equations.clear();
  const Standing standing(result, part, orders_in(dae, part.rows));
  std::map<int, Exprs> derivatives;  // of each equation, as far as they were needed
  std::vector<Derivative> rows = part.rows;
  std::sort(rows.begin(), rows.end(), [](const Derivative& a, const Derivative& b) {
    return a.order != b.order ? a.order < b.order : a.index < b.index;
  });
  Exprs f;
  for (const auto& [index, order] : rows) {
    const DaeEquation& e = dae.equations[static_cast<std::size_t>(index)];
    Exprs& known = derivatives[index];
    if (known.empty()) known.push_back(e.expr);
    while (known.size() <= static_cast<std::size_t>(order)) known.push_back(ddt(known.back()));
    result.dae.equations.push_back(
        {order == 0 ? e.name : fmt::format("derivative {} of {}", order, e.name), e.expr, e.kind});
    f.push_back(known[static_cast<std::size_t>(order)]);
  }
  f = substitute(f, standing.from, standing.to);
  for (std::size_t i = 0; i < f.size(); ++i) result.dae.equations[i].expr = f[i];
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j)
    if (const int index = static_cast<int>(j); !lists(part.unknowns, index, 0) && !lists(part.states, index, 0))
      result.dae.equations.push_back({fmt::format("\"{}\", which nothing determines", dae.unknowns[j].name),
                                      at(dae.unknowns[j].variable), EquationKind::constraint});
  return result;
}

}  // namespace invar

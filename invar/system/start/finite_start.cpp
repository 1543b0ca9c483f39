// See finite_start.h.
#include "invar/system/start/finite_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"

namespace invar {

namespace {

// Values of the symbols that the formula contains, as far as they fit into a line.
std::string place(const System& system, const Expr& formula, const State& at) {
  constexpr std::size_t readable = 4;
  std::vector<std::string> values;
  const Exprs found = symbols({&formula, 1});
  auto add = [&](const Expr& symbol, const std::string& name, double value) {
    if (std::find(found.begin(), found.end(), symbol) != found.end())
      values.push_back(fmt::format("{} = {:.6g}", name, value));
  };
  add(system.graph.time(), "t", at.t);
  for (std::size_t i = 0; i < system.coordinates.size(); ++i) {
    const std::string& name = system.coordinates[i].name();
    add(invar::at(system.coordinates[i], 0), name, at.q[i]);
    add(invar::at(system.coordinates[i], 1), name + "'", i < at.v.size() ? at.v[i] : 0.0);
  }
  for (const Parameter& p : system.parameters) add(p.symbol, p.name, p.value);
  std::string list;
  for (std::size_t i = 0; i < std::min(readable, values.size()); ++i) list += (i ? ", " : "") + values[i];
  return list + (values.size() > readable ? ", …" : "");
}

template <class Visit>
void each(const SparseExprs& m, const Visit& visit) {
  for (int c = 0; c < m.pattern.cols; ++c)
    for (int k = m.pattern.start[static_cast<std::size_t>(c)]; k < m.pattern.start[static_cast<std::size_t>(c) + 1];
         ++k)
      visit(static_cast<std::size_t>(m.pattern.row[static_cast<std::size_t>(k)]), static_cast<std::size_t>(c),
            m.value[static_cast<std::size_t>(k)]);
}

}  // namespace

std::vector<NamedFormula> formulas_of_motion(const System& system, const Equations& e) {
  std::vector<NamedFormula> all;
  const auto name = [&](std::size_t i) { return system.coordinates[i].name(); };
  each(e.mass(), [&](std::size_t i, std::size_t j, const Expr& m) {
    all.push_back({fmt::format("kinetic energy: the mass that belongs to {}' {}'", name(i), name(j)), m});
  });
  for (std::size_t c = 0; c < e.constraint.size(); ++c)
    all.push_back({fmt::format("constraint \"{}\"", system.constraints[c].name), e.constraint[c]});
  each(e.gradient, [&](std::size_t c, std::size_t j, const Expr& g) {
    all.push_back({fmt::format("constraint \"{}\": its derivative with respect to {}{}", system.constraints[c].name,
                               name(j), e.level[c] == Level::position ? "" : "'"),
                   g});
  });
  const Exprs slope = gradient(system.potential, e.q);
  for (std::size_t i = 0; i < slope.size(); ++i)
    all.push_back({fmt::format("potential energy: its derivative with respect to {}", name(i)), slope[i]});
  for (NamedFormula& f : formulas_of_model(system)) all.push_back(std::move(f));
  for (std::size_t i = 0; i < e.inertia.size(); ++i)
    all.push_back({fmt::format("kinetic energy: the inertia of {}", name(i)), e.inertia[i]});
  for (std::size_t c = 0; c < e.constraint.size(); ++c)
    all.push_back({fmt::format("constraint \"{}\": its second derivative in time", system.constraints[c].name),
                   e.constraint_acceleration[c]});
  return all;
}

std::vector<NamedFormula> formulas_of_model(const System& system) {
  std::vector<NamedFormula> all = {{"kinetic energy", system.kinetic}, {"potential energy", system.potential}};
  for (std::size_t i = 0; i < system.forces.size(); ++i)
    all.push_back({fmt::format("force on \"{}\"", system.coordinates[i].name()), system.forces[i]});
  for (const Input& u : system.inputs)
    for (std::size_t i = 0; i < u.direction.size(); ++i)
      all.push_back(
          {fmt::format("input \"{}\": force on \"{}\"", u.name, system.coordinates[i].name()), u.direction[i]});
  for (const Quantity& y : system.outputs) all.push_back({fmt::format("output \"{}\"", y.name), y.expr});
  for (const Quantity& y : system.invariants) all.push_back({fmt::format("invariant \"{}\"", y.name), y.expr});
  return all;
}

namespace {

Exprs bare(const std::vector<NamedFormula>& formulas) {
  Exprs all;
  for (const NamedFormula& f : formulas) all.push_back(f.formula);
  return all;
}

}  // namespace

FiniteFormulas::FiniteFormulas(const System& system, std::vector<NamedFormula> formulas,
                               std::span<const Reference> references)
    : formulas_(std::move(formulas)), values_(system, bare(formulas_), references) {}

void FiniteFormulas::expect_finite(const System& system, const State& at, std::span<const double> u) const {
  StateFunction evaluate = values_;
  evaluate.set_parameters(parameter_values(system));
  const std::vector<double> values = evaluate(at, u);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (std::isfinite(values[i])) continue;
    const std::string where = place(system, formulas_[i].formula, at);
    throw InputError(
        fmt::format("{} has no finite value at the start{}; start elsewhere or write the formula so that "
                    "it has one",
                    formulas_[i].name, where.empty() ? std::string() : " (" + where + ")"));
  }
}

void expect_finite(const System& system, const std::vector<NamedFormula>& formulas, const State& at,
                   std::span<const double> u, std::span<const Reference> references) {
  FiniteFormulas(system, formulas, references).expect_finite(system, at, u);
}

}  // namespace invar

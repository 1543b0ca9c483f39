// See dae_step.h.
#include "invar/scheme/dae/dae_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/expr/lists.h"

namespace invar {

namespace {

constexpr int none = -1;

int highest_order(const Exprs& all, const Variable& x) {
  int order = 0;
  for (const Expr& s : all) {
    const bool function_of_time = s.kind() == SymbolKind::variable || s.kind() == SymbolKind::reference;
    if (function_of_time && s.derivative(0) == at(x)) order = std::max(order, s.order());
  }
  return order;
}

Exprs formulas(const Dae& dae) {
  Exprs f;
  for (const DaeEquation& equation : dae.equations) f.push_back(equation.expr);
  return f;
}

double derivative(const Jet& jet, std::size_t j, std::size_t order) {
  return order < jet.x[j].size() ? jet.x[j][order] : 0.0;
}

double factorial(std::size_t n) {
  double product = 1.0;
  for (std::size_t k = 2; k <= n; ++k) product *= static_cast<double>(k);
  return product;
}

NewtonOptions with_factors_kept(NewtonOptions options) {
  options.keep_factors = true;
  return options;
}

}  // namespace

// The symbols of a step and its equations.
struct DaeStep::Setup {
  std::vector<int> rate_place, rate_dummy, group, reference_orders;
  std::size_t rates = 0;
  Expr h, omega;
  Exprs times, node0, before, given;  // given: γ, γ', … stage by stage
  std::vector<Exprs> x, v;            // by stage
  Exprs unknowns, equations;
  std::vector<std::string> names_of_equations, names_of_unknowns;
  SparseExprs jac;

  Setup(const Dae& dae, const DifferenceRule& rule, const std::vector<Dummy>& dummies) {
    const Exprs f = formulas(dae);
    const Exprs symbols_in_f = symbols(f);
    std::vector<int> order;
    for (const DaeUnknown& u : dae.unknowns) {
      order.push_back(highest_order(symbols_in_f, u.variable));
      if (order.back() > 2)
        throw InputError(
            fmt::format("unknown \"{}\" appears with its derivative of order {}; integrators take at most 2", u.name,
                        order.back()));
    }
    for (const Reference& r : dae.references) reference_orders.push_back(highest_order(symbols_in_f, r.value));
    choose_rates(dae, order, dummies);
    make_symbols(dae, rule);
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) add_stage(dae, rule, f, order, i);
    jac = jacobian(equations, unknowns);
  }

  // A rate of its own has every unknown with a second derivative, and every coordinate whose rate is no dummy.
  void choose_rates(const Dae& dae, const std::vector<int>& order, const std::vector<Dummy>& dummies) {
    rate_place.assign(order.size(), none);
    rate_dummy.assign(order.size(), none);
    std::vector<bool> is_dummy(order.size(), false);
    for (const Dummy& dummy : dummies) {
      is_dummy[static_cast<std::size_t>(dummy.place)] = true;
      if (dummy.order == 1) rate_dummy[static_cast<std::size_t>(dummy.of)] = dummy.place;
    }
    for (std::size_t j = 0; j < order.size(); ++j) {
      const bool shown = dae.unknowns[j].kind == UnknownKind::coordinate && !is_dummy[j] && rate_dummy[j] == none;
      if (order[j] == 2 || shown) rate_place[j] = static_cast<int>(rates++);
    }
  }

  void make_symbols(const Dae& dae, const DifferenceRule& rule) {
    const Graph& g = dae.graph;
    h = g.parameter("h");
    omega = g.parameter("omega");
    for (std::size_t k = 0; k < dae.unknowns.size() + rates; ++k) {
      node0.push_back(g.parameter(fmt::format("node {}", k)));
      before.push_back(g.parameter(fmt::format("before {}", k)));
    }
    for (std::size_t i = 0; i < rule.nodes.size(); ++i) {
      times.push_back(g.parameter("t"));
      x.emplace_back();
      v.emplace_back();
      for (const DaeUnknown& u : dae.unknowns) {
        x.back().push_back(g.parameter(u.name));
        names_of_unknowns.push_back(u.name);
        group.push_back(2 * static_cast<int>(u.kind));
      }
      for (std::size_t j = 0; j < dae.unknowns.size(); ++j) {
        if (rate_place[j] == none) continue;
        names_of_unknowns.push_back(dae.unknowns[j].name + "'");
        v.back().push_back(g.parameter(names_of_unknowns.back()));
        group.push_back(2 * static_cast<int>(dae.unknowns[j].kind) + 1);
      }
      append(unknowns, x.back());
      append(unknowns, v.back());
      for (std::size_t k = 0; k < reference_orders.size(); ++k)
        for (int r = 0; r <= reference_orders[k]; ++r) given.push_back(g.parameter(dae.references[k].name));
    }
  }

  // h y' at stage i of what has these values at the stages; `place` is its place in a node.
  Expr h_rate(const DifferenceRule& rule, std::size_t i, const std::vector<Exprs>& stage, std::size_t k,
              std::size_t place) const {
    Exprs y;
    for (const Exprs& values : stage) y.push_back(values[k]);
    return rule.h_rate(i, y, node0[place], before[place], omega);
  }

  void add_stage(const Dae& dae, const DifferenceRule& rule, const Exprs& f, const std::vector<int>& order,
                 std::size_t i) {
    const std::size_t n = dae.unknowns.size();
    Exprs from = {dae.graph.time()}, to = {times[i]};
    for (std::size_t j = 0; j < n; ++j) {
      const Variable& variable = dae.unknowns[j].variable;
      from.push_back(at(variable));
      to.push_back(x[i][j]);
      const Expr slope = h_rate(rule, i, x, j, j);
      if (rate_place[j] != none) {
        const auto k = static_cast<std::size_t>(rate_place[j]);
        equations.push_back(slope - h * v[i][k]);
        names_of_equations.push_back(fmt::format("kinematics of \"{}\"", dae.unknowns[j].name));
        from.push_back(at(variable, 1));
        to.push_back(v[i][k]);
        from.push_back(at(variable, 2));
        to.push_back(h_rate(rule, i, v, k, n + k) / h);
      } else if (order[j] == 1) {
        from.push_back(at(variable, 1));
        to.push_back(slope / h);
      }
    }
    std::size_t place = given.size() / rule.nodes.size() * i;
    for (std::size_t k = 0; k < reference_orders.size(); ++k)
      for (int r = 0; r <= reference_orders[k]; ++r) {
        from.push_back(at(dae.references[k].value, r));
        to.push_back(given[place++]);
      }
    append(equations, substitute(f, from, to));
    for (const DaeEquation& equation : dae.equations) names_of_equations.push_back(equation.name);
  }

  Exprs arguments(const Dae& dae) const {
    Exprs all = unknowns;
    append(all, {h, omega});
    for (const Exprs* part : {&times, &node0, &before, &given}) append(all, *part);
    for (const Parameter& p : dae.parameters) all.push_back(p.symbol);
    return all;
  }

  // Where the unknowns and equations of all stages stand; nothing if there is one stage only.
  std::optional<CoupledStages> coupled(const DifferenceRule& rule) const {
    const std::size_t stages = rule.nodes.size(), size = unknowns.size() / stages;
    if (stages < 2 || equations.size() != unknowns.size()) return std::nullopt;
    CoupledStages result;
    const auto s = static_cast<Eigen::Index>(stages);
    result.weight.resize(s, s);
    for (Eigen::Index i = 0; i < s; ++i) {
      for (Eigen::Index j = 0; j < s; ++j)
        result.weight(i, j) = rule.weight[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      std::vector<std::size_t> own(size);
      std::iota(own.begin(), own.end(), static_cast<std::size_t>(i) * size);
      result.unknowns.push_back(own);
      result.equations.push_back(std::move(own));
    }
    return result;
  }

  Exprs outputs() const {
    Exprs all = equations;
    append(all, jac.value);
    return all;
  }
};

DaeStep::DaeStep(const Dae& dae, const DifferenceRule& rule, const DaeIntegrationOptions& options)
    : DaeStep(dae, rule, Setup(dae, rule, options.dummies), options.newton) {}

DaeStep::DaeStep(const Dae& dae, const DifferenceRule& rule, const Setup& setup, const NewtonOptions& newton)
    : rule_(rule),
      n_(dae.unknowns.size()),
      rate_place_(setup.rate_place),
      rate_dummy_(setup.rate_dummy),
      width_(setup.node0.size()),
      step_(setup.unknowns.size()),
      times_(step_ + 2),
      node0_(times_ + setup.times.size()),
      before_(node0_ + width_),
      given_(before_ + width_),
      references_(dae.references),
      reference_orders_(setup.reference_orders),
      names_of_equations_(setup.names_of_equations),
      names_of_unknowns_(setup.names_of_unknowns),
      function_(setup.arguments(dae), setup.outputs(), "step"),
      newton_(setup.jac.pattern, with_factors_kept(newton), setup.group),
      in_(function_.input_count()),
      out_(function_.output_count()),
      x_(step_) {
  const std::size_t parameters_at = given_ + setup.given.size();
  for (std::size_t k = 0; k < dae.parameters.size(); ++k) in_[parameters_at + k] = dae.parameters[k].value;
  if (const std::optional<CoupledStages> stages = setup.coupled(rule)) {
    alone_.emplace(setup.arguments(dae), setup.equations, "residual of the step");
    newton_.couple(*stages);
    newton_.set_work(alone_->work(), function_.work());
  }
  int most = 0;
  for (const int order : reference_orders_) most = std::max(most, order);
  series_.resize(static_cast<std::size_t>(most) + 1);
  evaluate_ = [this](std::span<const double> x, std::span<double> r, std::span<double> j) {
    std::copy(x.begin(), x.end(), in_.begin());
    function_(in_, out_, scratch_);
    std::copy_n(out_.begin(), r.size(), r.begin());
    std::copy(out_.begin() + static_cast<std::ptrdiff_t>(r.size()), out_.end(), j.begin());
  };
  residual_ = [this](std::span<const double> x, std::span<double> r) {
    std::copy(x.begin(), x.end(), in_.begin());
    (*alone_)(in_, r, alone_scratch_);
  };
}

void DaeStep::start(const Jet& jet, double h, const Jet* before) {
  expects(jet.x.size() == n_ && (!before || before->x.size() == n_), "a jet of this system");
  last_step_ = h;
  for (std::size_t j = 0; j < n_; ++j) {
    const double x = derivative(jet, j, 0), v = derivative(jet, j, 1), a = derivative(jet, j, 2);
    in_[node0_ + j] = x;
    in_[before_ + j] = before ? derivative(*before, j, 0) : x - h * v + 0.5 * h * h * a;
    if (rate_place_[j] == none) continue;
    const std::size_t place = n_ + static_cast<std::size_t>(rate_place_[j]);
    in_[node0_ + place] = v;
    in_[before_ + place] = before ? derivative(*before, j, 1) : v - h * a;
  }
}

void DaeStep::set_references(double t0, double h) {
  double* to = in_.data() + given_;
  for (const double c : rule_.nodes)
    for (std::size_t k = 0; k < references_.size(); ++k) {
      const std::size_t count = static_cast<std::size_t>(reference_orders_[k]) + 1;
      references_[k].function->series(t0 + c * h, Side::left, {series_.data(), count});
      for (std::size_t r = 0; r < count; ++r) *to++ = factorial(r) * series_[r];
    }
}

// Coordinates move on with their present rates, everything else stays.
void DaeStep::guess(double h) {
  double* to = x_.data();
  for (const double c : rule_.nodes) {
    for (std::size_t j = 0; j < n_; ++j) to[j] = in_[node0_ + j];
    for (std::size_t j = 0; j < n_; ++j)
      if (rate_place_[j] != none) to[j] += c * h * in_[node0_ + n_ + static_cast<std::size_t>(rate_place_[j])];
    std::copy_n(in_.begin() + static_cast<std::ptrdiff_t>(node0_ + n_), width_ - n_, to + n_);
    to += width_;
  }
}

NewtonResult DaeStep::advance(double t0, double t1) {
  const double h = t1 - t0;
  in_[step_] = h;
  in_[step_ + 1] = h / last_step_;
  for (std::size_t i = 0; i < rule_.nodes.size(); ++i) in_[times_ + i] = t0 + rule_.nodes[i] * h;
  set_references(t0, h);
  guess(h);
  const NewtonResult result = alone_ ? newton_.solve(evaluate_, residual_, x_) : newton_.solve(evaluate_, x_);
  if (result.status != NewtonStatus::converged) return result;
  std::copy_n(in_.begin() + static_cast<std::ptrdiff_t>(node0_), width_,
              in_.begin() + static_cast<std::ptrdiff_t>(before_));
  std::copy_n(x_.end() - static_cast<std::ptrdiff_t>(width_), width_,
              in_.begin() + static_cast<std::ptrdiff_t>(node0_));
  last_step_ = h;
  return result;
}

double DaeStep::rate(std::size_t unknown) const {
  if (rate_place_[unknown] != none) return in_[node0_ + n_ + static_cast<std::size_t>(rate_place_[unknown])];
  if (rate_dummy_[unknown] != none) return value(static_cast<std::size_t>(rate_dummy_[unknown]));
  return std::numeric_limits<double>::quiet_NaN();
}

std::string DaeStep::fault(const NewtonResult& result) const {
  if (result.status == NewtonStatus::singular && result.singular_unknown >= 0)
    return fmt::format("unknown \"{}\"", names_of_unknowns_[static_cast<std::size_t>(result.singular_unknown)]);
  if (result.worst_equation < 0) return "";
  return names_of_equations_[static_cast<std::size_t>(result.worst_equation)];
}

}  // namespace invar

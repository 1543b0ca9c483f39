// See jet.h.
#include "invar/dae/jet.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/expr/derivative.h"

namespace invar {

namespace {

Exprs residual_formulas(const Dae& dae) {
  Exprs f;
  for (const DaeEquation& e : dae.equations) f.push_back(e.expr);
  return f;
}

std::vector<EquationKind> equation_kinds(const Dae& dae) {
  std::vector<EquationKind> kinds;
  for (const DaeEquation& e : dae.equations) kinds.push_back(e.kind);
  return kinds;
}

// Highest order of each unknown in any equation; unknowns that do not appear get 0.
std::vector<int> highest_orders(const Dae& dae) {
  const Exprs all = symbols(residual_formulas(dae));
  std::vector<int> highest(dae.unknowns.size(), 0);
  std::map<std::uint32_t, int> order;  // by the id of the undifferentiated symbol
  for (const Expr& s : all) {
    if (s.kind() != SymbolKind::variable) continue;
    int& most = order[s.derivative(0).id()];
    most = std::max(most, s.order());
  }
  for (std::size_t j = 0; j < highest.size(); ++j)
    if (const auto found = order.find(at(dae.unknowns[j].variable).id()); found != order.end())
      highest[j] = found->second;
  return highest;
}

std::vector<int> reference_orders(const Dae& dae) {
  const Exprs all = symbols(residual_formulas(dae));
  std::vector<int> highest(dae.references.size(), 0);
  for (std::size_t k = 0; k < highest.size(); ++k)
    for (const Expr& s : all)
      if (s.kind() == SymbolKind::reference && s.derivative(0) == at(dae.references[k].value))
        highest[k] = std::max(highest[k], s.order());
  return highest;
}

// t | x, x', … of each unknown | γ, γ', … of each reference | parameters
Exprs arguments(const Dae& dae, const std::vector<int>& highest, const std::vector<int>& references) {
  Exprs all = {dae.graph.time()};
  for (std::size_t j = 0; j < highest.size(); ++j)
    for (int r = 0; r <= highest[j]; ++r) all.push_back(at(dae.unknowns[j].variable, r));
  for (std::size_t k = 0; k < references.size(); ++k)
    for (int r = 0; r <= references[k]; ++r) all.push_back(at(dae.references[k].value, r));
  for (const Parameter& p : dae.parameters) all.push_back(p.symbol);
  return all;
}

struct AllPartials {
  std::vector<Partial> list;
  Exprs formula;
};

AllPartials all_partials(const Dae& dae, const std::vector<int>& highest) {
  Exprs x;
  std::vector<Derivative> of;
  for (std::size_t j = 0; j < highest.size(); ++j)
    for (int r = 0; r <= highest[j]; ++r) {
      x.push_back(at(dae.unknowns[j].variable, r));
      of.push_back({static_cast<int>(j), r});
    }
  const SparseExprs jac = jacobian(residual_formulas(dae), x);
  AllPartials all;
  for (std::size_t c = 0; c < x.size(); ++c)
    for (int k = jac.pattern.start[c]; k < jac.pattern.start[c + 1]; ++k) {
      all.list.push_back({jac.pattern.row[static_cast<std::size_t>(k)], of[c].index, of[c].order});
      all.formula.push_back(jac.value[static_cast<std::size_t>(k)]);
    }
  return all;
}

// Made of numbers and parameters alone.
bool is_constant(const Expr& f) {
  const Exprs all = symbols(Exprs{f});
  return std::all_of(all.begin(), all.end(), [](const Expr& s) { return s.kind() == SymbolKind::parameter; });
}

double binomial(int n, int k) {
  double value = 1.0;
  for (int i = 1; i <= k; ++i) value = value * (n - k + i) / i;
  return value;
}

}  // namespace

JetEvaluator::JetEvaluator(const Dae& dae, Needs needs)
    : unknowns_(dae.unknowns.size()),
      kinds_(equation_kinds(dae)),
      units_(dae.units),
      highest_(highest_orders(dae)),
      references_(dae.references),
      reference_orders_(reference_orders(dae)),
      value_(arguments(dae, highest_, reference_orders_), residual_formulas(dae), "equations"),
      varying_(value_),
      known_(dae.references.size()) {
  for (const Parameter& p : dae.parameters) parameters_.push_back(p.value);
  if (needs == Needs::partials) find_partials(dae);
}

void JetEvaluator::set_parameters(std::span<const double> values) {
  expects(list_.empty() && values.size() == parameters_.size(), "an evaluator of values, and one for each parameter");
  parameters_.assign(values.begin(), values.end());
  width_ = lanes_ = 0;
}

void JetEvaluator::find_partials(const Dae& dae) {
  AllPartials all = all_partials(dae, highest_);
  list_ = std::move(all.list);
  Exprs varying, constant;
  for (const Expr& f : all.formula) {
    const bool fixed = is_constant(f);
    place_.push_back(fixed ? constant_partial : static_cast<int>(varying.size()));
    (fixed ? constant : varying).push_back(f);
  }
  varying_ = Function(arguments(dae, highest_, reference_orders_), varying, "partials");
  Exprs symbol;
  for (const Parameter& p : dae.parameters) symbol.push_back(p.symbol);
  std::vector<double> value(constant.size());
  Scratch scratch;
  Function(symbol, constant)(parameters_, value, scratch);
  auto next = value.begin();
  for (int place : place_) constant_.push_back(place == constant_partial ? *next++ : 0.0);
}

void JetEvaluator::fill_references(const Jet& jet, std::size_t width, double* to) {
  const bool known = known_width_ >= width && known_t_ == jet.t && known_side_ == jet.side;
  for (std::size_t k = 0; k < references_.size(); ++k) {
    const int top = reference_orders_[k];
    std::vector<double>& series = known_[k];
    if (!known) {
      series.resize(width + static_cast<std::size_t>(top));
      references_[k].function->series(jet.t, jet.side, series);
      for (std::size_t n = 0; n < series.size(); ++n) series[n] *= factorial_[n];
    }
    for (int r = 0; r <= top; ++r, to += width)
      for (std::size_t s = 0; s < width; ++s) to[s] = series[s + static_cast<std::size_t>(r)] / factorial_[s];
  }
  if (known) return;
  known_t_ = jet.t;
  known_side_ = jet.side;
  known_width_ = width;
}

void JetEvaluator::fill_factorials(std::size_t width) {
  const int top = reference_orders_.empty() ? 0 : *std::max_element(reference_orders_.begin(), reference_orders_.end());
  if (factorial_.empty()) factorial_ = {1.0};
  while (factorial_.size() < width + static_cast<std::size_t>(top))
    factorial_.push_back(factorial_.back() * static_cast<double>(factorial_.size()));
}

void JetEvaluator::fill_inputs(const Jet& jet, int order) {
  expects(jet.x.size() == unknowns_, "a jet of this system");
  poll_interrupt();
  const auto width = static_cast<std::size_t>(order) + 1;
  if (width != width_) {
    in_.assign(value_.input_count() * width, 0.0);
    double* parameter = in_.data() + in_.size() - parameters_.size() * width;
    for (double p : parameters_) {
      *parameter = p;
      parameter += width;
    }
    width_ = width;
    fill_factorials(width);
  }
  double* to = in_.data();
  to[0] = jet.t;
  if (order > 0) to[1] = 1.0;
  to += width;
  for (std::size_t j = 0; j < unknowns_; ++j) {
    const Derivatives& x = jet.x[j];
    for (int r = 0; r <= highest_[j]; ++r, to += width) {
      const auto first = static_cast<std::size_t>(r);
      const std::size_t given = first < x.size() ? std::min(width, x.size() - first) : 0;
      for (std::size_t s = 0; s < given; ++s) to[s] = x[first + s] / factorial_[s];
      std::fill(to + given, to + width, 0.0);
    }
  }
  fill_references(jet, width, to);
}

void JetEvaluator::fill_lanes(std::span<const Jet* const> jets) {
  poll_interrupt();
  fill_factorials(1);
  lanes_ = jets.size();
  lanes_in_.resize(value_.input_count() * lanes_);
  first_input_.resize(unknowns_);
  for (std::size_t p = 0; p < lanes_; ++p) {
    const Jet& jet = *jets[p];
    expects(jet.x.size() == unknowns_, "a jet of this system");
    double* to = lanes_in_.data() + p;
    *to = jet.t;
    to += lanes_;
    for (std::size_t j = 0; j < unknowns_; ++j) {
      const Derivatives& x = jet.x[j];
      first_input_[j] = static_cast<std::size_t>(to - lanes_in_.data()) / lanes_;
      for (std::size_t r = 0; r <= static_cast<std::size_t>(highest_[j]); ++r, to += lanes_)
        *to = r < x.size() ? x[r] : 0.0;
    }
    for (std::size_t k = 0; k < references_.size(); ++k) {
      reference_.resize(static_cast<std::size_t>(reference_orders_[k]) + 1);
      references_[k].function->series(jet.t, jet.side, reference_);
      for (std::size_t r = 0; r < reference_.size(); ++r, to += lanes_) *to = reference_[r] * factorial_[r];
    }
    for (const double parameter : parameters_) {
      *to = parameter;
      to += lanes_;
    }
  }
}

std::span<const double> JetEvaluator::values_at(std::span<const Jet* const> jets) {
  fill_lanes(jets);
  lanes_out_.resize(value_.output_count() * lanes_);
  value_.lanes(lanes_, lanes_in_, lanes_out_, lanes_scratch_);
  for (std::size_t i = 0; i < disturbance_.size(); ++i)
    for (std::size_t p = 0; p < lanes_ && !disturbance_[i].empty(); ++p)
      lanes_out_[i * lanes_ + p] += disturbance_[i].front();
  return lanes_out_;
}

std::span<const double> JetEvaluator::varying_at() {
  lanes_varying_.resize(varying_.output_count() * lanes_);
  varying_.lanes(lanes_, lanes_in_, lanes_varying_, lanes_varying_scratch_);
  return lanes_varying_;
}

std::span<const double> JetEvaluator::unknown_at(std::size_t j, int order) const {
  return std::span(lanes_in_).subspan((first_input_[j] + static_cast<std::size_t>(order)) * lanes_, lanes_);
}

std::span<const double> JetEvaluator::evaluate(const Function& function, Scratch& scratch, std::vector<double>& out) {
  out.resize(function.output_count() * width_);
  if (width_ == 1)
    function(in_, out, scratch);
  else
    function.taylor(static_cast<int>(width_) - 1, in_, out, scratch);
  return out;
}

std::span<const double> JetEvaluator::series(const Jet& jet, int order) {
  fill_inputs(jet, order);
  evaluate(value_, value_scratch_, out_);
  for (std::size_t i = 0; i < disturbance_.size(); ++i)
    for (std::size_t m = 0; m < std::min(width_, disturbance_[i].size()); ++m)
      out_[i * width_ + m] += disturbance_[i][m] / factorial_[m];
  return out_;
}

std::span<const double> JetEvaluator::varying_series() { return evaluate(varying_, varying_scratch_, varying_out_); }

void JetEvaluator::residuals(const Jet& jet, int order, Matrix& f) {
  const std::span<const double> coefficients = series(jet, order);
  f.resize(static_cast<Eigen::Index>(value_.output_count()), static_cast<Eigen::Index>(width_));
  for (Eigen::Index i = 0, c = 0; i < f.rows(); ++i)
    for (Eigen::Index m = 0; m < f.cols(); ++m, ++c)
      f(i, m) = factorial_[static_cast<std::size_t>(m)] * coefficients[static_cast<std::size_t>(c)];
}

void JetEvaluator::partials(const Jet& jet, int order, Matrix& p) {
  fill_inputs(jet, order);
  const std::span<const double> coefficients = varying_series();
  p.setZero(static_cast<Eigen::Index>(list_.size()), static_cast<Eigen::Index>(width_));
  for (std::size_t k = 0; k < list_.size(); ++k) {
    const auto row = static_cast<Eigen::Index>(k);
    p(row, 0) = constant_[k];
    if (place_[k] == constant_partial) continue;
    for (std::size_t m = 0; m < width_; ++m)
      p(row, static_cast<Eigen::Index>(m)) =
          factorial_[m] * coefficients[static_cast<std::size_t>(place_[k]) * width_ + m];
  }
}

void JetEvaluator::lay_out_array(std::span<const Derivative> rows, std::span<const Derivative> columns) {
  if (std::ranges::equal(rows, array_rows_) && std::ranges::equal(columns, array_columns_)) return;
  array_rows_.assign(rows.begin(), rows.end());
  array_columns_.assign(columns.begin(), columns.end());
  array_terms_.clear();
  array_order_ = 0;
  for (const Derivative& row : rows) array_order_ = std::max(array_order_, row.order);
  std::vector<std::vector<std::size_t>> rows_of(unknowns_), columns_of(unknowns_);
  for (std::size_t i = 0; i < rows.size(); ++i) rows_of[static_cast<std::size_t>(rows[i].index)].push_back(i);
  for (std::size_t j = 0; j < columns.size(); ++j) columns_of[static_cast<std::size_t>(columns[j].index)].push_back(j);
  for (std::size_t k = 0; k < list_.size(); ++k)
    for (const std::size_t i : rows_of[static_cast<std::size_t>(list_[k].equation)])
      for (const std::size_t j : columns_of[static_cast<std::size_t>(list_[k].unknown)]) {
        const int m = rows[i].order, n = columns[j].order, r = list_[k].order;
        if (n - r < 0 || n - r > m || (place_[k] == constant_partial && m - n + r > 0)) continue;
        array_terms_.push_back({static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j), k,
                                static_cast<std::size_t>(m - n + r), binomial(m, n - r)});
      }
  std::ranges::sort(array_terms_, {}, [](const ArrayTerm& t) { return std::tuple(t.row, t.column, t.partial); });
}

void JetEvaluator::array(const Jet& jet, std::span<const Derivative> rows, std::span<const Derivative> columns,
                         Matrix& a) {
  lay_out_array(rows, columns);
  fill_inputs(jet, array_order_);
  const std::span<const double> coefficients = varying_series();
  a.setZero(static_cast<Eigen::Index>(rows.size()), static_cast<Eigen::Index>(columns.size()));
  for (const ArrayTerm& term : array_terms_)
    a(term.row, term.column) +=
        term.factor * (place_[term.partial] == constant_partial
                           ? constant_[term.partial]
                           : factorial_[term.order] *
                                 coefficients[static_cast<std::size_t>(place_[term.partial]) * width_ + term.order]);
}

Matrix JetEvaluator::array(const Jet& jet, std::span<const Derivative> rows, std::span<const Derivative> columns) {
  Matrix a;
  array(jet, rows, columns, a);
  return a;
}

void shift(const Jet& jet, double t, Jet& result) {
  expects(&jet != &result, "two jets");
  const double h = t - jet.t;
  result.t = t;
  result.side = jet.side;
  result.x.resize(jet.x.size());
  for (std::size_t j = 0; j < jet.x.size(); ++j) {
    const Derivatives& x = jet.x[j];
    Derivatives& y = result.x[j];
    y = x;
    // Σ_k x^(n+k) h^k/k!, one power at a time for all n.
    double power = 1.0;
    for (std::size_t k = 1; k < x.size(); ++k) {
      power *= h / static_cast<double>(k);
      for (std::size_t n = 0; n + k < x.size(); ++n) y[n] += power * x[n + k];
    }
  }
}

Jet shifted(const Jet& jet, double t) {
  Jet result;
  shift(jet, t, result);
  return result;
}

}  // namespace invar

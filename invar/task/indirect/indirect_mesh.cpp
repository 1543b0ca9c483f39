// See indirect_mesh.h.
#include "invar/task/indirect/indirect_mesh.h"

#include <algorithm>
#include <cmath>

#include "invar/expr/derivative.h"
#include "invar/expr/lists.h"
#include "invar/math/linear_solver.h"

namespace invar {

namespace {

constexpr double least_length =
    1e-50;  // in the place of the small length if nothing moves; its fourth power is still a number

}  // namespace

ListFunction::ListFunction(const Exprs& symbols, const Exprs& given, const Exprs& formulas, std::size_t places,
                           std::size_t stride)
    : function_(joined(symbols, given), formulas, "conditions of the optimum"),
      places_(places),
      stride_(stride),
      variables_(symbols.size()),
      in_(function_.input_count() * places),
      out_(function_.output_count() * places) {}

const std::vector<double>& ListFunction::operator()(std::span<const double> list, std::span<const double> given) {
  for (std::size_t k = 0; k < places_; ++k) {
    for (std::size_t i = 0; i < variables_; ++i) in_[i * places_ + k] = list[k * stride_ + i];
    for (std::size_t i = 0; i < given.size(); ++i) in_[(variables_ + i) * places_ + k] = given[i];
  }
  function_.lanes(places_, in_, out_, scratch_);
  return out_;
}

IndirectMesh::Rows IndirectMesh::rows(const Exprs& equations, const Exprs& symbols, const Exprs& given,
                                      std::size_t places, std::size_t stride) {
  const SparseExprs derivative = jacobian(equations, symbols);
  return {equations.size(), derivative.pattern,
          ListFunction(symbols, given, joined(equations, derivative.value), places, stride)};
}

template <class Visit>
void IndirectMesh::for_each_entry(const Rows& rows, const Visit& visit) {
  const std::size_t places = rows.values.places();
  const Pattern& p = rows.jacobian;
  for (std::size_t j = 0; j + 1 < p.start.size(); ++j)
    for (auto e = static_cast<std::size_t>(p.start[j]); e < static_cast<std::size_t>(p.start[j + 1]); ++e)
      for (std::size_t k = 0; k < places; ++k)
        visit(k, j, static_cast<std::size_t>(p.row[e]), (rows.count + e) * places + k);
}

Pattern IndirectMesh::sorted_pattern(std::vector<Entry>& entries, std::size_t size) {
  std::sort(entries.begin(), entries.end());
  Pattern p{static_cast<int>(size), static_cast<int>(size), std::vector<int>(size + 1, 0), {}};
  for (const Entry& e : entries) {
    ++p.start[e.col + 1];
    p.row.push_back(static_cast<int>(e.row));
  }
  for (std::size_t j = 0; j < size; ++j) p.start[j + 1] += p.start[j];
  return p;
}

IndirectMesh::IndirectMesh(const IndirectEquations& e, double horizon, std::size_t intervals,
                           const std::vector<double>& parameters)
    : n_(2 * e.n),
      intervals_(intervals),
      smallness_(e.smallness),
      measured_(e.measured),
      given_{horizon / static_cast<double>(intervals), 0.0},
      state_(rows(e.state, e.interval, e.given, intervals, 2 * n_)),
      costate_(rows(e.costate, e.node, e.given, intervals - 1, 2 * n_)) {
  given_.insert(given_.end(), parameters.begin(), parameters.end());
  const std::size_t unknowns = list_size() - 2 * n_;
  std::size_t first_row = 0, first_source = 0;
  for (const Rows* part : {&state_, &costate_}) {
    for_each_entry(*part, [&](std::size_t k, std::size_t column, std::size_t row, std::size_t source) {
      const std::size_t place = k * 2 * n_ + column;  // in the list
      if (place < n_ || place >= n_ + unknowns) return;
      entries_.push_back({place - n_, k * 2 * n_ + first_row + row, first_source + source});
    });
    first_row += n_;
    first_source += (part->count + part->jacobian.size()) * part->values.places();
  }
  pattern_ = sorted_pattern(entries_, unknowns);
  combined_.resize(first_source);
}

const std::vector<double>& IndirectMesh::given(std::span<const double> list) {
  double longest = 0.0;
  for (std::size_t k = 0; k < intervals_; ++k) {
    double square = 0.0;
    for (std::size_t i = 0; i < measured_; ++i) square += std::pow(list[state(k + 1) + i] - list[state(k) + i], 2);
    longest = std::max(longest, std::sqrt(square));
  }
  given_[1] = std::max(smallness_ * longest, least_length);
  return given_;
}

std::vector<int> IndirectMesh::kinds() const {
  std::vector<int> kinds;
  for (std::size_t i = n_; i < list_size() - n_; ++i) kinds.push_back(static_cast<int>(i % (2 * n_) / (n_ / 2)));
  return kinds;
}

void IndirectMesh::evaluate(std::span<const double> list, std::span<double> residual, std::span<double> jacobian) {
  given(list);
  const std::vector<double>&a = state_.values(list, given_), &b = costate_.values(list, given_);
  std::copy(b.begin(), b.end(), std::copy(a.begin(), a.end(), combined_.begin()));
  for (std::size_t k = 0; k < intervals_; ++k)
    for (std::size_t i = 0; i < n_; ++i) {
      residual[2 * k * n_ + i] = a[i * intervals_ + k];
      if (k + 1 < intervals_) residual[(2 * k + 1) * n_ + i] = b[i * (intervals_ - 1) + k];
    }
  for (std::size_t i = 0; i < entries_.size(); ++i) jacobian[i] = combined_[entries_[i].source];
}

// min ½ Σ |B λ_kᵖ - u_k|² with the costate equations C λ = 0, which are linear: [W Cᵀ; C 0] (λ, μ) = (Bᵀu, 0).
bool IndirectMesh::fit_costates(std::span<double> list, const std::vector<std::vector<double>>& inputs,
                                const std::vector<std::vector<double>>& directions) {
  std::vector<double> values = costate_.values(list, given(list));
  std::vector<Entry> entries;
  const std::size_t costates = intervals_ * n_, unknowns = costates + (intervals_ - 1) * n_, half = n_ / 2;
  for_each_entry(costate_, [&](std::size_t k, std::size_t column, std::size_t row, std::size_t source) {
    const std::size_t part = column / n_;  // x₋, λ₋, x, λ₊, x₊
    if (part % 2 == 0) return;
    const std::size_t unknown = (k + part / 2) * n_ + column % n_, equation = costates + k * n_ + row;
    entries.push_back({unknown, equation, source});
    entries.push_back({equation, unknown, source});
  });
  std::vector<double> right(unknowns, 0.0);
  for (std::size_t i = 0; i < half; ++i)
    for (std::size_t j = 0; j < half; ++j) {
      double weight = 0.0;
      for (const std::vector<double>& direction : directions) weight += direction[i] * direction[j];
      values.push_back(weight);
      for (std::size_t k = 0; k < intervals_; ++k)
        entries.push_back({k * n_ + half + i, k * n_ + half + j, values.size() - 1});
    }
  for (std::size_t k = 0; k < intervals_; ++k)
    for (std::size_t j = 0; j < directions.size(); ++j)
      for (std::size_t i = 0; i < half; ++i) right[k * n_ + half + i] += directions[j][i] * inputs[k][j];
  LinearSolver solver(sorted_pattern(entries, unknowns), LinearSolver::Kind::sparse);
  std::vector<double> matrix;
  for (const Entry& entry : entries) matrix.push_back(values[entry.source]);
  if (!solver.factor(matrix)) return false;
  solver.solve(right);
  for (std::size_t k = 0; k < intervals_; ++k)
    for (std::size_t i = 0; i < n_; ++i) list[costate(k) + i] = right[k * n_ + i];
  return true;
}

}  // namespace invar

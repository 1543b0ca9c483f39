// See jet_newton.h.
#include "invar/dae/jet_newton.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/base/error.h"

namespace invar {

namespace {

constexpr int max_iterations = 8;
// What an iteration is expected to leave, relative; one more is always made, because differentiation magnifies errors.
constexpr double converged = 1e-10;
// The change in that last iteration must confirm it.
constexpr double confirmed = 1e-8;
// Kept partials are good while each change is so much smaller than the one before.
constexpr double good_contraction = 0.01;
constexpr double least_contraction = 0.5;

}  // namespace

JetNewton::JetNewton(JetEvaluator& evaluator, const Offsets& offsets)
    : evaluator_(evaluator), offsets_(offsets), terms_(offsets.c.size()) {
  expects(offsets.regular && offsets.degrees_of_freedom == 0, "a structure without degrees of freedom");
  std::size_t series = 0;
  for (std::size_t j = 0; j < offsets_.d.size(); ++j) {
    first_series_.push_back(series);
    series += static_cast<std::size_t>(evaluator.highest(j)) + 1;
  }
  const std::vector<Partial>& list = evaluator.partial_list();
  for (std::size_t k = 0; k < list.size(); ++k) {
    const auto j = static_cast<std::size_t>(list[k].unknown);
    terms_[static_cast<std::size_t>(list[k].equation)].push_back(
        {j, list[k].order, first_series_[j] + static_cast<std::size_t>(list[k].order), evaluator.varying_place(k),
         evaluator.constant_value(k)});
  }
  for (std::size_t j = 0; j < offsets_.d.size(); ++j) {
    unit_.emplace_back();
    for (int n = 0; n <= offsets_.d[j]; ++n) unit_.back().push_back(evaluator.units().unknown(j, n));
  }
  for (const std::vector<int>& equations : offsets_.blocks) add_block(equations);
  highest_c_ = *std::max_element(offsets_.c.begin(), offsets_.c.end());
  highest_d_ = *std::max_element(offsets_.d.begin(), offsets_.d.end());
  typical_.resize(static_cast<std::size_t>(highest_d_) + 1);
}

void JetNewton::add_block(const std::vector<int>& equations) {
  constexpr std::size_t large = 40;  // rows from which on sparse factors pay
  Block block;
  block.equations = equations;
  block.c = offsets_.c[static_cast<std::size_t>(equations.front())];
  std::vector<Eigen::Index> place(offsets_.d.size(), -1);
  for (int i : equations) {
    const int unknown = offsets_.partner[static_cast<std::size_t>(i)];
    place[static_cast<std::size_t>(unknown)] = static_cast<Eigen::Index>(block.unknowns.size());
    block.unknowns.push_back(unknown);
  }
  for (std::size_t row = 0; row < equations.size(); ++row) {
    const auto i = static_cast<std::size_t>(equations[row]);
    for (const Term& term : terms_[i])
      if (term.order == offsets_.d[term.unknown] - offsets_.c[i] && place[term.unknown] >= 0)
        block.entries.push_back({static_cast<Eigen::Index>(row), place[term.unknown], &term});
  }
  std::ranges::stable_sort(block.entries, {}, &BlockEntry::column);
  const auto n = static_cast<Eigen::Index>(equations.size());
  block.b.resize(n);
  block.x.resize(n);
  if (equations.size() < large) {
    block.a.resize(n, n);
    block.row_size.resize(n);
  } else {
    Pattern pattern;
    pattern.rows = pattern.cols = static_cast<int>(n);
    auto entry = block.entries.begin();
    for (Eigen::Index column = 0; column < n; ++column) {
      for (; entry != block.entries.end() && entry->column == column; ++entry)
        pattern.row.push_back(static_cast<int>(entry->row));
      pattern.start.push_back(static_cast<int>(pattern.row.size()));
    }
    block.sparse.emplace(pattern, LinearSolver::Kind::sparse);
    block.values.resize(pattern.size());
  }
  blocks_.push_back(std::move(block));
}

void JetNewton::prepare(int extra) {
  if (extra == extra_) return;
  extra_ = extra;
  width_ = static_cast<std::size_t>(highest_c_ + extra) + 1;
  factorial_ = {1.0};
  while (factorial_.size() <= static_cast<std::size_t>(highest_d_ + extra) + 1)
    factorial_.push_back(factorial_.back() * static_cast<double>(factorial_.size()));
  change_.resize(offsets_.d.size());
  for (std::size_t j = 0; j < offsets_.d.size(); ++j)
    change_[j].assign(static_cast<std::size_t>(offsets_.d[j] + extra) + 1, 0.0);
  delta_.assign(
      (first_series_.back() + static_cast<std::size_t>(evaluator_.highest(offsets_.d.size() - 1)) + 1) * width_, 0.0);
}

// In natural units of the unknown.
double JetNewton::value(const Term& term) const {
  return (term.place < 0 ? term.value : p_[static_cast<std::size_t>(term.place) * width_]) * unit_[term.unknown].back();
}

// Rows brought to a largest entry of one.
bool JetNewton::factor_dense(Block& block) {
  block.a.setZero();
  for (const BlockEntry& entry : block.entries) block.a(entry.row, entry.column) = value(*entry.term);
  for (Eigen::Index row = 0; row < block.a.rows(); ++row) {
    block.row_size[row] = block.a.row(row).cwiseAbs().maxCoeff();
    if (!(block.row_size[row] > 0.0)) return false;
  }
  if (block.equations.size() == 1) return true;
  block.a.array().colwise() /= block.row_size.array();
  block.lu.compute(block.a);
  return true;
}

bool JetNewton::factor_sparse(Block& block) {
  for (std::size_t k = 0; k < block.values.size(); ++k) block.values[k] = value(*block.entries[k].term);
  return block.sparse->factor(block.values);
}

// Blocks of J.
bool JetNewton::factor() {
  return std::ranges::all_of(blocks_,
                             [&](Block& block) { return block.sparse ? factor_sparse(block) : factor_dense(block); });
}

// -F_i[m] - δF_i[m] with the changes known so far.
double JetNewton::right_hand_side(int equation, int m) const {
  const auto i = static_cast<std::size_t>(equation);
  const auto top = static_cast<std::size_t>(m);
  double sum = f_[i * width_ + top];
  for (const Term& term : terms_[i]) {
    const double* d = delta_.data() + term.series * width_;
    if (term.place < 0) {
      sum += term.value * d[top];
      continue;
    }
    const double* p = p_.data() + static_cast<std::size_t>(term.place) * width_;
    for (std::size_t s = 0; s <= top; ++s) sum += p[top - s] * d[s];
  }
  return -sum;
}

void JetNewton::correct(Block& block, int k) {
  const int m = k + block.c;
  const auto size = static_cast<Eigen::Index>(block.equations.size());
  for (Eigen::Index row = 0; row < size; ++row)
    block.b[row] =
        right_hand_side(block.equations[static_cast<std::size_t>(row)], m) * factorial_[static_cast<std::size_t>(m)];
  if (size == 1) {
    block.x[0] = block.b[0] / block.a(0, 0);
  } else if (block.sparse) {
    block.x = block.b;
    block.sparse->solve({block.x.data(), static_cast<std::size_t>(size)});
  } else {
    block.b.array() /= block.row_size.array();
    block.x.noalias() = block.lu.solve(block.b);
  }
  for (Eigen::Index column = 0; column < size; ++column) {
    const auto j = static_cast<std::size_t>(block.unknowns[static_cast<std::size_t>(column)]);
    const auto n = static_cast<std::size_t>(k + offsets_.d[j]);
    const double change = block.x[column] * unit_[j].back();
    change_[j][n] = change;
    for (std::size_t r = 0; r <= static_cast<std::size_t>(evaluator_.highest(j)) && r <= n; ++r)
      if (n - r < width_) delta_[(first_series_[j] + r) * width_ + n - r] = change / factorial_[n - r];
  }
}

void JetNewton::correct_all() {
  std::fill(delta_.begin(), delta_.end(), 0.0);
  for (int k = -highest_d_; k <= extra_; ++k)
    for (Block& block : blocks_)
      if (k + block.c >= 0) correct(block, k);
}

// The largest change of a wanted derivative x_j^(0 … d_j), relative to itself and, for those near zero, to others of
// its stage.
double JetNewton::relative_change(const Jet& jet) {
  constexpr double of_the_stage = 1e-3, of_all = 1e-10;
  std::fill(typical_.begin(), typical_.end(), 0.0);
  for (std::size_t j = 0; j < jet.x.size(); ++j)
    for (int n = 0; n <= offsets_.d[j]; ++n) {
      double& size = typical_[static_cast<std::size_t>(highest_d_ - offsets_.d[j] + n)];
      size = std::max(size, std::abs(jet.x[j][static_cast<std::size_t>(n)]) / unit_[j][static_cast<std::size_t>(n)]);
    }
  const double floor = of_all * *std::max_element(typical_.begin(), typical_.end()) + 1e-12;
  double largest = 0.0;
  for (std::size_t j = 0; j < jet.x.size(); ++j)
    for (int n = 0; n <= offsets_.d[j]; ++n) {
      const auto at = static_cast<std::size_t>(n);
      const double size = std::abs(jet.x[j][at]) / unit_[j][at] + floor +
                          of_the_stage * typical_[static_cast<std::size_t>(highest_d_ - offsets_.d[j] + n)];
      const double share = std::abs(change_[j][at]) / unit_[j][at] / size;
      if (!(share <= largest)) largest = share;
      if (!std::isfinite(share)) return std::numeric_limits<double>::infinity();
    }
  return largest;
}

// An iteration of its own, not math/newton.h: the matrix of all stages together is never formed, since its triangle of
// blocks is solved from series, and partials are kept for several iterations.
JetResult JetNewton::solve(Jet& jet, int extra) {
  prepare(extra);
  before_ = jet.x;
  JetResult result;
  double last = std::numeric_limits<double>::infinity();
  bool refresh = true, polish = false;
  for (int iteration = 1; iteration <= max_iterations; ++iteration) {
    result.iterations = iteration;
    f_ = evaluator_.series(jet, static_cast<int>(width_) - 1);
    const bool fresh = refresh;
    if (refresh) {
      p_ = evaluator_.varying_series();
      if (!factor()) break;
    }
    correct_all();
    const double change = relative_change(jet);
    if (!std::isfinite(change)) break;
    for (std::size_t j = 0; j < jet.x.size(); ++j)
      for (std::size_t n = 0; n < jet.x[j].size(); ++n) jet.x[j][n] += change_[j][n];
    result.error = change;
    if (polish && change <= confirmed) {
      result.status = JetResult::Status::converged;
      return result;
    }
    const double contraction = change / last;
    if (iteration > 1 && contraction > least_contraction) break;
    // With fresh partials the error is squared, with older ones it shrinks as before.
    polish = (fresh ? change * std::min(1.0, change) : change * contraction) < converged;
    refresh = !polish && (fresh ? change : contraction) > good_contraction;
    last = change;
  }
  jet.x = before_;
  return result;
}

}  // namespace invar

// See sweep.h.
#include "invar/dae/sweep.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/base/error.h"
#include "invar/dae/elimination.h"
#include "invar/expr/derivative.h"
#include "invar/tape/power_series.h"

namespace invar {

namespace {

constexpr int most_sweeps = 6;
// A sweep squares what is left: after a change of this size, relative, only round-off is.
constexpr double sweep_converged = 1e-9;

double factorial(std::size_t n) {
  double value = 1.0;
  for (std::size_t k = 2; k <= n; ++k) value *= static_cast<double>(k);
  return value;
}

// The coefficients of all unknowns and references as symbols, and the series of every symbol in the equations.
struct Symbols {
  std::vector<std::size_t> first, length;  // of each unknown
  std::vector<std::size_t> reference_length;
  Exprs coefficient, reference;
  Exprs symbol;
  std::vector<Exprs> series;  // of each symbol
  Expr start;                 // the instant

  Symbols(const Dae& dae, const Offsets& offsets, int extra, std::span<const std::size_t> own);

 private:
  // x^(r) has the coefficients X[s+r] (s+r)!/s!.
  void add(const Variable& x, int highest, std::span<const Expr> X);
};

void Symbols::add(const Variable& x, int highest, std::span<const Expr> X) {
  for (int r = 0; r <= highest; ++r) {
    Exprs c;
    for (std::size_t s = 0; s + static_cast<std::size_t>(r) < X.size(); ++s) {
      double factor = 1.0;
      for (int i = 1; i <= r; ++i) factor *= static_cast<double>(s) + i;
      c.push_back(factor * X[s + static_cast<std::size_t>(r)]);
    }
    symbol.push_back(at(x, r));
    series.push_back(std::move(c));
  }
}

Symbols::Symbols(const Dae& dae, const Offsets& offsets, int extra, std::span<const std::size_t> own)
    : start(dae.graph.parameter("t0")) {
  Exprs f;
  for (const DaeEquation& e : dae.equations) f.push_back(e.expr);
  auto highest = [&](const Variable& x) {
    int top = 0;
    for (const Expr& e : f) top = std::max(top, highest_order(e, x).value_or(0));
    return top;
  };
  const int orders = *std::max_element(offsets.c.begin(), offsets.c.end()) + extra;
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j) {
    first.push_back(coefficient.size());
    length.push_back(static_cast<std::size_t>(offsets.d[j] + extra) + 1);
    for (std::size_t n = 0; n < length.back(); ++n) coefficient.push_back(dae.graph.parameter(dae.unknowns[j].name));
    add(dae.unknowns[j].variable, highest(dae.unknowns[j].variable),
        std::span<const Expr>(coefficient).subspan(first.back()));
  }
  for (const Reference& r : dae.references) {
    const std::size_t begin = reference.size();
    const int top = highest(r.value);
    reference_length.push_back(static_cast<std::size_t>(orders + top) + 1);
    for (std::size_t n = 0; n < reference_length.back(); ++n) reference.push_back(dae.graph.parameter(r.name));
    add(r.value, top, std::span<const Expr>(reference).subspan(begin));
  }
  symbol.push_back(dae.graph.time());
  series.push_back({start, 1.0});
  for (std::size_t k = 0; k < dae.parameters.size(); ++k) {
    const Parameter& p = dae.parameters[k];
    const bool is_own = std::ranges::find(own, k) != own.end();
    symbol.push_back(p.symbol);
    series.push_back({is_own ? p.symbol : Expr(p.value)});
  }
}

// One diagonal block of J: the partials as formulas of the coefficients, and an order of pivots.
struct Block {
  std::vector<int> equations, unknowns;
  int c = 0;
  std::vector<Exprs> a;
  Elimination order;
};

std::optional<std::vector<Block>> blocks_of(const Dae& dae, const Offsets& offsets, const Symbols& symbols,
                                            std::span<const Jet> samples) {
  JetEvaluator evaluator(dae);
  std::vector<Matrix> value(samples.size());
  for (std::size_t s = 0; s < samples.size(); ++s) evaluator.partials(samples[s], 0, value[s]);
  const std::vector<Partial>& list = evaluator.partial_list();
  std::vector<Block> blocks;
  for (const std::vector<int>& equations : offsets.blocks) {
    Block block{equations, {}, offsets.c[static_cast<std::size_t>(equations.front())], {}, {}};
    for (int i : equations) block.unknowns.push_back(offsets.partner[static_cast<std::size_t>(i)]);
    const std::size_t n = equations.size();
    block.a.assign(n, Exprs(n, 0.0));
    std::vector<Matrix> numbers(samples.size(),
                                Matrix::Zero(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n)));
    for (std::size_t row = 0; row < n; ++row)
      for (std::size_t column = 0; column < n; ++column) {
        const int i = equations[row], j = block.unknowns[column];
        const int r = offsets.d[static_cast<std::size_t>(j)] - offsets.c[static_cast<std::size_t>(i)];
        const auto found = std::find_if(list.begin(), list.end(), [&](const Partial& p) {
          return p.equation == i && p.unknown == j && p.order == r;
        });
        if (found == list.end()) continue;
        const Expr x = at(dae.unknowns[static_cast<std::size_t>(j)].variable, r);
        const Exprs partial = gradient(dae.equations[static_cast<std::size_t>(i)].expr, Exprs{x});
        block.a[row][column] = power_series(partial, symbols.symbol, symbols.series, 0).front();
        for (std::size_t s = 0; s < samples.size(); ++s)
          numbers[s](static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(column)) =
              value[s](found - list.begin(), 0) * dae.units.unknown(static_cast<std::size_t>(j), r);
      }
    const std::optional<Elimination> order = elimination_order(std::move(numbers));
    if (!order) return std::nullopt;
    block.order = *order;
    blocks.push_back(std::move(block));
  }
  return blocks;
}

// The coefficients after all stages.
std::optional<Exprs> all_stages(const Dae& dae, const Offsets& offsets, int extra, const Symbols& symbols,
                                const std::vector<Block>& blocks, std::size_t longest) {
  Exprs f;
  for (const DaeEquation& e : dae.equations) f.push_back(e.expr);
  const int orders = *std::max_element(offsets.c.begin(), offsets.c.end()) + extra;
  const std::size_t before = dae.graph.size();
  const Exprs F = power_series(f, symbols.symbol, symbols.series, orders);
  Exprs now = symbols.coefficient;
  for (int k = -*std::max_element(offsets.d.begin(), offsets.d.end()); k <= extra; ++k)
    for (const Block& block : blocks) {
      const int m = k + block.c;
      if (m < 0) continue;
      if (dae.graph.size() - before > longest) return std::nullopt;
      const std::size_t n = block.equations.size();
      Exprs formulas;
      for (int i : block.equations)
        formulas.push_back(
            F[static_cast<std::size_t>(i) * (static_cast<std::size_t>(orders) + 1) + static_cast<std::size_t>(m)]);
      for (const Exprs& row : block.a) formulas.insert(formulas.end(), row.begin(), row.end());
      formulas = substitute(formulas, symbols.coefficient, now);
      std::vector<Exprs> a(n);
      for (std::size_t row = 0; row < n; ++row) {
        const auto entry = formulas.begin() + static_cast<std::ptrdiff_t>(n * (row + 1));
        a[row].assign(entry, entry + static_cast<std::ptrdiff_t>(n));
      }
      formulas.resize(n);
      const Exprs change = solve(block.order, std::move(a), std::move(formulas));
      for (std::size_t column = 0; column < n; ++column) {
        const auto j = static_cast<std::size_t>(block.unknowns[column]);
        const int order = k + offsets.d[j];
        now[symbols.first[j] + static_cast<std::size_t>(order)] -=
            change[column] * (factorial(static_cast<std::size_t>(m)) / factorial(static_cast<std::size_t>(order)));
      }
    }
  return now;
}

}  // namespace

std::optional<Sweep> Sweep::make(const Dae& dae, const Offsets& offsets, int extra, std::span<const Jet> samples,
                                 std::size_t longest, std::span<const std::size_t> own) {
  expects(offsets.regular && offsets.degrees_of_freedom == 0, "a structure without degrees of freedom");
  const Symbols symbols(dae, offsets, extra, own);
  const auto blocks = blocks_of(dae, offsets, symbols, samples);
  if (!blocks) return std::nullopt;
  const auto result = all_stages(dae, offsets, extra, symbols, *blocks, longest);
  if (!result) return std::nullopt;
  Exprs inputs = symbols.coefficient;
  inputs.insert(inputs.end(), symbols.reference.begin(), symbols.reference.end());
  inputs.push_back(symbols.start);
  for (const std::size_t k : own) inputs.push_back(dae.parameters[k].symbol);
  Sweep sweep(dae, offsets, Function(inputs, *result, "sweep"));
  sweep.first_ = symbols.first;
  sweep.length_ = symbols.length;
  sweep.reference_lengths_ = symbols.reference_length;
  return sweep;
}

Sweep::Sweep(const Dae& dae, const Offsets& offsets, Function function)
    : function_(std::move(function)),
      references_(dae.references),
      d_(offsets.d),
      coefficients_(function_.output_count()),
      units_(dae.units) {}

// Predictions by the expansion of `from`, and the references.
void Sweep::fill(const Jet& from, std::span<const double> times) {
  count_ = times.size();
  times_.assign(times.begin(), times.end());
  in_.resize(function_.input_count() * count_);
  out_.resize(coefficients_ * count_);
  ahead_.resize(count_);
  for (std::size_t p = 0; p < count_; ++p) ahead_[p] = times_[p] - from.t;
  const Eigen::Map<const Eigen::ArrayXd> ahead(ahead_.data(), std::ssize(times));
  for (std::size_t j = 0; j < length_.size(); ++j) {
    const Derivatives& x = from.x[j];
    for (std::size_t n = 0; n < length_[j]; ++n) {
      Eigen::Map<Eigen::ArrayXd> to(in_.data() + (first_[j] + n) * count_, std::ssize(times));
      // Σ_m x^(m)/(n! (m-n)!) h^(m-n) by Horner's rule.
      double c = x.size() > n ? x.back() / (factorial(n) * factorial(x.size() - 1 - n)) : 0.0;
      to = c;
      double falling = factorial(n) * (x.size() > n ? factorial(x.size() - 1 - n) : 1.0);
      for (std::size_t m = x.size() - 1; m-- > n;) {
        falling /= static_cast<double>(m + 1 - n);
        c = x[m] / falling;
        to = to * ahead + c;
      }
    }
  }
  double* to = in_.data() + coefficients_ * count_;
  for (std::size_t r = 0; r < references_.size(); ++r) {
    const std::size_t length = reference_lengths_[r];
    series_.resize(length);
    for (std::size_t p = 0; p < count_; ++p) {
      references_[r].function->series(times_[p], Side::right, series_);
      for (std::size_t n = 0; n < length; ++n) to[n * count_ + p] = series_[n];
    }
    to += length * count_;
  }
  std::copy(times_.begin(), times_.end(), to);
  predicted_.resize(length_.size() * count_);
  for (std::size_t j = 0; j < length_.size(); ++j)
    std::copy_n(in_.data() + first_[j] * count_, count_, predicted_.data() + j * count_);
}

void Sweep::evaluate() {
  if (count_ == 1) return function_(in_, out_, point_scratch_);
  function_.lanes(count_, in_, out_, lanes_scratch_);
}

// The largest change of X_j[0 … d_j] at each instant, relative to the largest value over all of them; coefficients that
// are nearly zero are measured by others of their stage.
void Sweep::relative_changes() {
  constexpr double of_the_stage = 1e-3, of_all = 1e-10;
  const int highest = *std::max_element(d_.begin(), d_.end());
  size_.resize(coefficients_);
  typical_.assign(static_cast<std::size_t>(highest) + 1, 0.0);
  for (std::size_t j = 0; j < length_.size(); ++j)
    for (std::size_t n = 0; n <= static_cast<std::size_t>(d_[j]); ++n) {
      const double* value = out_.data() + (first_[j] + n) * count_;
      double largest = 0.0;
      for (std::size_t p = 0; p < count_; ++p) largest = std::max(largest, std::abs(value[p]));
      largest /= units_.unknown(j, static_cast<int>(n));
      size_[first_[j] + n] = largest;
      double& stage = typical_[static_cast<std::size_t>(highest - d_[j]) + n];
      stage = std::max(stage, largest);
    }
  const double floor = of_all * *std::max_element(typical_.begin(), typical_.end()) + 1e-12;
  worst_.assign(count_, 0.0);
  for (std::size_t j = 0; j < length_.size(); ++j)
    for (std::size_t n = 0; n <= static_cast<std::size_t>(d_[j]); ++n) {
      const std::size_t i = first_[j] + n;
      const double scale = 1.0 / units_.unknown(j, static_cast<int>(n)) /
                           (size_[i] + floor + of_the_stage * typical_[static_cast<std::size_t>(highest - d_[j]) + n]);
      const double *before = in_.data() + i * count_, *after = out_.data() + i * count_;
      for (std::size_t p = 0; p < count_; ++p) {
        const double change = std::abs(after[p] - before[p]) * scale;
        worst_[p] = change <= worst_[p] ? worst_[p] : change;  // a NaN stays
      }
    }
}

Sweep::Batch Sweep::solve(const Jet& from, std::span<const double> times) {
  fill(from, times);
  Batch batch;
  for (int k = 0; k < most_sweeps && batch.solved < count_; ++k) {
    evaluate();
    relative_changes();
    std::copy(out_.begin(), out_.end(), in_.begin());
    const auto failed = std::find_if(worst_.begin(), worst_.end(), [](double w) { return !(w <= sweep_converged); });
    batch.solved = static_cast<std::size_t>(failed - worst_.begin());
  }
  for (std::size_t p = 0; p < batch.solved; ++p) batch.error = std::max(batch.error, worst_[p]);
  return batch;
}

void Sweep::jet(std::size_t p, Jet& result) const {
  result.t = times_[p];
  result.side = Side::right;
  result.x.resize(length_.size());
  for (std::size_t j = 0; j < length_.size(); ++j) {
    result.x[j].resize(length_[j]);
    double scale = 1.0;
    for (std::size_t n = 0; n < length_[j]; ++n) {
      if (n > 1) scale *= static_cast<double>(n);
      result.x[j][n] = scale * in_[(first_[j] + n) * count_ + p];
    }
  }
}

}  // namespace invar

// The only file that knows KLU.
#include "invar/math/klu_solver.h"

#include <klu.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <numeric>
#include <vector>

#include "invar/base/error.h"
#include "invar/math/matching.h"

namespace invar {
namespace {

// KLU keeps a diagonal pivot that is at least this fraction of the largest entry; its default of 0.001 suits circuits,
// but in the saddle-point matrices of constrained systems it may cost up to three digits.
constexpr double diagonal_preference = 0.1;

// A kept pivot order is given up when the entries of U have grown this much more than they did right after pivoting: it
// may cost one digit, which the next Newton step repairs.
constexpr double tolerated_growth = 10;

// KLU looks for a diagonal without zeros in a time that grows with the square of the size; above this it gets one.
constexpr int own_diagonal = 2000;
// Below it the orders differ by too little to look at both; and the other one must save this part of the work.
constexpr int worth_comparing = 100;
constexpr double worth_changing = 0.9;

// The order of columns that puts entries onto the diagonal of a large matrix, if there is one.
std::vector<int> diagonal_order(const Pattern& pattern, KluSolver::Order order) {
  std::vector<int> column(static_cast<std::size_t>(pattern.cols));
  std::iota(column.begin(), column.end(), 0);
  if (pattern.cols < own_diagonal || order == KluSolver::Order::as_given) return column;
  const std::vector<int> row = matched_rows(pattern);
  if (std::find(row.begin(), row.end(), -1) != row.end()) return column;
  for (int c = 0; c < pattern.cols; ++c) column[row[c]] = c;
  return column;
}

klu_common settings(KluSolver::Order order) {
  klu_common common;
  klu_defaults(&common);
  common.tol = diagonal_preference;
  common.scale = -1;                  // the rows arrive scaled
  common.halt_if_singular = 0;        // an exact zero may come after a pivot that is noise, which is the one to report
  constexpr int amd = 0, colamd = 1;  // klu.h has no names for them
  common.ordering = order == KluSolver::Order::any_pivots ? colamd : amd;
  if (order == KluSolver::Order::as_given) common.btf = 0;
  return common;
}

}  // namespace

// What follows from the pattern: never changed, shared.
struct KluSolver::Analysis {
  Order order;
  std::vector<int> column;         // as given, that stands in each place
  std::vector<int> start, row;     // with the columns in these places
  std::vector<std::size_t> entry;  // as given, that stands in each place
  std::vector<int> position;       // of a column as given in the elimination order
  klu_symbolic* symbolic = nullptr;

  Analysis(const Pattern& pattern, Order o);
  ~Analysis() {
    klu_common common = settings(order);
    klu_free_symbolic(&symbolic, &common);
  }
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;

  bool is_rearranged() const { return !std::is_sorted(column.begin(), column.end()); }
};

KluSolver::Analysis::Analysis(const Pattern& pattern, Order o)
    : order(o), column(diagonal_order(pattern, o)), start(1, 0), position(static_cast<std::size_t>(pattern.cols)) {
  row.reserve(pattern.size());
  entry.reserve(pattern.size());
  for (const int c : column) {
    for (int e = pattern.start[c]; e < pattern.start[c + 1]; ++e) {
      row.push_back(pattern.row[e]);
      entry.push_back(static_cast<std::size_t>(e));
    }
    start.push_back(static_cast<int>(row.size()));
  }
  // Entries that were put onto the diagonal whatever their size are no pivots, and an order that counts on them fills
  // in: chains of bodies with the square of their length.
  if (is_rearranged() && order == Order::least_fill) order = Order::any_pivots;
  klu_common common = settings(order);
  if (is_rearranged()) common.btf = 0;
  symbolic = order == Order::as_given
                 ? klu_analyze_given(pattern.cols, start.data(), row.data(), nullptr, nullptr, &common)
                 : klu_analyze(pattern.cols, start.data(), row.data(), &common);
  if (common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
  expects(symbolic != nullptr, "a valid square pattern");
  for (int k = 0; k < pattern.cols; ++k) position[column[symbolic->Q[k]]] = k;
}

struct KluSolver::Factors {
  std::shared_ptr<Analysis> of;
  std::vector<double> values, work;
  klu_common common;
  klu_numeric* numeric = nullptr;
  bool rearranged;
  double fresh_growth = 1;

  explicit Factors(std::shared_ptr<Analysis> analysis)
      : of(std::move(analysis)),
        values(of->row.size()),
        work(of->column.size()),
        common(settings(of->order)),
        rearranged(of->is_rearranged()) {}
  ~Factors() { klu_free_numeric(&numeric, &common); }
  Factors(const Factors&) = delete;
  Factors& operator=(const Factors&) = delete;

  const double* diagonal() const { return static_cast<const double*>(numeric->Udiag); }
  void take(std::span<const double> given) {
    for (std::size_t e = 0; e < values.size(); ++e) values[e] = given[of->entry[e]];
  }
  bool refactor(std::span<const double> smallest_pivot);
  int factor(std::span<const double> smallest_pivot);
  int dependent_column(std::span<const double> smallest_pivot) const;
  double growth();
  double flops() {
    klu_flops(of->symbolic, numeric, &common);
    return common.flops;
  }
};

bool KluSolver::Factors::refactor(std::span<const double> smallest_pivot) {
  if (numeric == nullptr) return false;
  if (klu_refactor(of->start.data(), of->row.data(), values.data(), of->symbolic, numeric, &common) == 0) return false;
  if (common.status != KLU_OK) return false;
  return dependent_column(smallest_pivot) < 0 && growth() <= tolerated_growth * fresh_growth;
}

int KluSolver::Factors::factor(std::span<const double> smallest_pivot) {
  klu_free_numeric(&numeric, &common);
  numeric = klu_factor(of->start.data(), of->row.data(), values.data(), of->symbolic, &common);
  if (common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
  expects(numeric != nullptr, "factors, if need be with zero pivots");
  const int dependent = dependent_column(smallest_pivot);
  if (dependent >= 0) {
    klu_free_numeric(&numeric, &common);
    return dependent;
  }
  fresh_growth = std::max(1.0, growth());
  return -1;
}

int KluSolver::Factors::dependent_column(std::span<const double> smallest_pivot) const {
  for (int k = 0; k < of->symbolic->n; ++k) {
    const int column = of->column[of->symbolic->Q[k]];
    if (!(std::abs(diagonal()[k]) > smallest_pivot[column])) return column;
  }
  return -1;
}

double KluSolver::Factors::growth() {
  klu_rgrowth(of->start.data(), of->row.data(), values.data(), of->symbolic, numeric, &common);
  return 1 / common.rgrowth;
}

void KluSolver::Destroy::operator()(Factors* factors) const { delete factors; }

KluSolver::KluSolver(const Pattern& pattern, Order order)
    : factors_(new Factors(std::make_shared<Analysis>(pattern, order))) {
  if (factors_->of->order == Order::least_fill && pattern.cols >= worth_comparing)
    other_order_ = std::make_shared<const Pattern>(pattern);
}

KluSolver::KluSolver(std::shared_ptr<Analysis> analysis) : factors_(new Factors(std::move(analysis))) {}

KluSolver KluSolver::another() const {
  KluSolver solver(factors_->of);
  solver.other_order_ = other_order_;
  return solver;
}

int KluSolver::factor(std::span<const double> values, std::span<const double> smallest_pivot) {
  factors_->take(values);
  if (factors_->refactor(smallest_pivot)) return -1;
  const int dependent = factors_->factor(smallest_pivot);
  if (dependent >= 0 || !other_order_) return dependent;
  std::unique_ptr<Factors, Destroy> other(new Factors(std::make_shared<Analysis>(*other_order_, Order::any_pivots)));
  other_order_.reset();
  other->take(values);
  if (other->factor(smallest_pivot) < 0 && other->flops() < worth_changing * factors_->flops())
    factors_ = std::move(other);
  return -1;
}

void KluSolver::solve(std::span<double> b) const {
  Factors& f = *factors_;
  const int n = f.of->symbolic->n;
  klu_solve(f.of->symbolic, f.numeric, n, static_cast<int>(b.size()) / n, b.data(), &f.common);
  if (!f.rearranged) return;
  for (; !b.empty(); b = b.subspan(f.work.size())) {
    std::copy_n(b.begin(), f.work.size(), f.work.begin());
    for (std::size_t k = 0; k < f.work.size(); ++k) b[f.of->column[k]] = f.work[k];
  }
}

void KluSolver::solve_transposed(std::span<double> b) const {
  Factors& f = *factors_;
  const int n = f.of->symbolic->n;
  if (f.rearranged)
    for (std::span<double> one = b; !one.empty(); one = one.subspan(f.work.size())) {
      std::copy_n(one.begin(), f.work.size(), f.work.begin());
      for (std::size_t k = 0; k < f.work.size(); ++k) one[k] = f.work[static_cast<std::size_t>(f.of->column[k])];
    }
  klu_tsolve(f.of->symbolic, f.numeric, n, static_cast<int>(b.size()) / n, b.data(), &f.common);
}

std::size_t KluSolver::entries() const {
  return static_cast<std::size_t>(factors_->numeric->lnz) + static_cast<std::size_t>(factors_->numeric->unz);
}

double KluSolver::work() const { return factors_->flops(); }

double KluSolver::pivot(int column) const { return factors_->diagonal()[factors_->of->position[column]]; }

}  // namespace invar

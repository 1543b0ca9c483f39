// The only file that knows KLU.
#include "invar/math/klu_solver.h"

#include <klu.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

#include "invar/base/error.h"

namespace invar {
namespace {

// KLU keeps a diagonal pivot that is at least this fraction of the largest entry; its default of 0.001 suits circuits,
// but in the saddle-point matrices of constrained systems it may cost up to three digits.
constexpr double diagonal_preference = 0.1;

// A kept pivot order is given up when the entries of U have grown this much more than they did right after pivoting: it
// may cost one digit, which the next Newton step repairs.
constexpr double tolerated_growth = 10;

}  // namespace

struct KluSolver::Factors {
  std::vector<int> start, row;
  std::vector<double> values;
  std::vector<int> position;  // of a column in the elimination order
  klu_common common;
  klu_symbolic* symbolic = nullptr;
  klu_numeric* numeric = nullptr;
  double fresh_growth = 1;

  Factors(const Pattern& pattern, Order order);
  ~Factors() {
    klu_free_numeric(&numeric, &common);
    klu_free_symbolic(&symbolic, &common);
  }
  Factors(const Factors&) = delete;
  Factors& operator=(const Factors&) = delete;

  const double* diagonal() const { return static_cast<const double*>(numeric->Udiag); }
  bool refactor(std::span<const double> smallest_pivot);
  int factor(std::span<const double> smallest_pivot);
  int dependent_column(std::span<const double> smallest_pivot) const;
  double growth();
};

KluSolver::Factors::Factors(const Pattern& pattern, Order order)
    : start(pattern.start), row(pattern.row), values(pattern.size()) {
  klu_defaults(&common);
  common.tol = diagonal_preference;
  common.scale = -1;                  // the rows arrive scaled
  common.halt_if_singular = 0;        // an exact zero may come after a pivot that is noise, which is the one to report
  constexpr int amd = 0, colamd = 1;  // klu.h has no names for them
  common.ordering = order == Order::any_pivots ? colamd : amd;
  symbolic = klu_analyze(pattern.cols, start.data(), row.data(), &common);
  if (common.status == KLU_OUT_OF_MEMORY) throw std::bad_alloc();
  expects(symbolic != nullptr, "a valid square pattern");
  position.resize(pattern.cols);
  for (int k = 0; k < pattern.cols; ++k) position[symbolic->Q[k]] = k;
}

bool KluSolver::Factors::refactor(std::span<const double> smallest_pivot) {
  if (numeric == nullptr) return false;
  if (klu_refactor(start.data(), row.data(), values.data(), symbolic, numeric, &common) == 0) return false;
  if (common.status != KLU_OK) return false;
  return dependent_column(smallest_pivot) < 0 && growth() <= tolerated_growth * fresh_growth;
}

int KluSolver::Factors::factor(std::span<const double> smallest_pivot) {
  klu_free_numeric(&numeric, &common);
  numeric = klu_factor(start.data(), row.data(), values.data(), symbolic, &common);
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
  for (int k = 0; k < symbolic->n; ++k) {
    const int column = symbolic->Q[k];
    if (!(std::abs(diagonal()[k]) > smallest_pivot[column])) return column;
  }
  return -1;
}

double KluSolver::Factors::growth() {
  klu_rgrowth(start.data(), row.data(), values.data(), symbolic, numeric, &common);
  return 1 / common.rgrowth;
}

void KluSolver::Destroy::operator()(Factors* factors) const { delete factors; }

KluSolver::KluSolver(const Pattern& pattern, Order order) : factors_(new Factors(pattern, order)) {}

int KluSolver::factor(std::span<const double> values, std::span<const double> smallest_pivot) {
  std::copy(values.begin(), values.end(), factors_->values.begin());
  return factors_->refactor(smallest_pivot) ? -1 : factors_->factor(smallest_pivot);
}

void KluSolver::solve(std::span<double> b) const {
  const int n = factors_->symbolic->n;
  klu_solve(factors_->symbolic, factors_->numeric, n, 1, b.data(), &factors_->common);
}

std::size_t KluSolver::entries() const {
  return static_cast<std::size_t>(factors_->numeric->lnz) + static_cast<std::size_t>(factors_->numeric->unz);
}

double KluSolver::pivot(int column) const { return factors_->diagonal()[factors_->position[column]]; }

}  // namespace invar

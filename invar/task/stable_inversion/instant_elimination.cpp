// See instant_elimination.h.
#include "invar/task/stable_inversion/instant_elimination.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/base/error.h"
#include "invar/base/interrupt.h"

namespace invar {

namespace {

std::size_t index_of(Eigen::Index i) { return static_cast<std::size_t>(i); }

// Y = Q R with orthonormal columns Q, and what of each column of Y is independent of those before it. From RᵀR = YᵀY as
// long as rounding errors, squared in that product, allow [CholeskyQR: A. Stathopoulos, K. Wu, SIAM J. Sci. Comput. 23
// (2002) 2165], which is mostly matrix products; else by reflections.
struct Orthonormal {
  Matrix Q;
  Vector independent;

  explicit Orthonormal(Matrix Y) {
    constexpr double well_conditioned = 1e-4;
    const Eigen::LLT<Matrix> cholesky(Y.transpose() * Y);
    independent = cholesky.matrixLLT().diagonal();
    if (cholesky.info() == Eigen::Success && independent.minCoeff() > well_conditioned * independent.maxCoeff()) {
      cholesky.matrixU().solveInPlace<Eigen::OnTheRight>(Y);
      Q = std::move(Y);
      return;
    }
    const Eigen::HouseholderQR<Matrix> qr(Y);
    independent = qr.matrixQR().diagonal().cwiseAbs();
    Q = qr.householderQ() * Matrix::Identity(qr.rows(), qr.cols());
  }
};

}  // namespace

InstantElimination::InstantElimination(const Pattern& pattern, int size)
    : pattern_(pattern), size_(size), blocks_(pattern.cols / size), border_(pattern.cols - blocks_ * size) {
  expects(blocks_ > 2 && pattern.rows == pattern.cols, "a square matrix of some blocks");
  diagonal_.rows = diagonal_.cols = size;
  std::vector<bool> coupled_row(index_of(size), false);
  for (int j = 0; j < size; ++j) {
    int beside = 0;
    for (int e = pattern.start[index_of(size + j)]; e < pattern.start[index_of(size + j + 1)]; ++e) {
      const int row = pattern.row[index_of(e)];
      if (row < size) {
        ++beside;
        coupled_row[index_of(row)] = true;
        beside_rows_.push_back(row);
      } else if (row < 2 * size) {
        diagonal_.row.push_back(row - size);
      }
    }
    diagonal_.start.push_back(static_cast<int>(diagonal_.row.size()));
    beside_.push_back(beside);
    if (beside > 0) coupled_.push_back(j);
  }
  for (int i = 0; i < size; ++i)
    if (coupled_row[index_of(i)]) coupled_rows_.push_back(i);
  const KluSolver first(diagonal_, KluSolver::Order::any_pivots);
  for (int k = 0; k < blocks_; ++k) block_.push_back({{first.another(), {}}, {}, {}, {}});
}

int InstantElimination::begin(int k, int j, int by) const {
  int place = pattern_.start[index_of(k * size_ + j)];
  if (by >= 0 && k > 0) place += beside_[index_of(j)];
  if (by > 0) place += diagonal_.start[index_of(j + 1)] - diagonal_.start[index_of(j)];
  return place;
}

template <class Visit>
void InstantElimination::for_couplings(int k, int by, Visit visit) const {
  std::span<const int> rows = beside_rows_;
  for (const int j : coupled_) {
    const std::size_t count = index_of(beside_[index_of(j)]);
    visit(j, values_.data() + begin(k, j, by), rows.first(count));
    rows = rows.subspan(count);
  }
}

void InstantElimination::add_product(int k, int by, double factor, const Matrix& x, Matrix& to) const {
  for_couplings(k, by, [&](int j, const double* value, std::span<const int> rows) {
    for (Eigen::Index c = 0; c < x.cols(); ++c) {
      const double from = factor * x(j, c);
      for (std::size_t i = 0; i < rows.size(); ++i) to(rows[i], c) += value[i] * from;
    }
  });
}

Matrix InstantElimination::transposed_product(int k, int by, const Matrix& y) const {
  Matrix x = Matrix::Zero(size_, y.cols());
  for_couplings(k, by, [&](int j, const double* value, std::span<const int> rows) {
    for (Eigen::Index c = 0; c < y.cols(); ++c) {
      double sum = 0.0;
      for (std::size_t i = 0; i < rows.size(); ++i) sum += value[i] * y(rows[i], c);
      x(j, c) = sum;
    }
  });
  return x;
}

bool InstantElimination::Factors::factor(const Pattern& pattern, std::vector<double>& values) {
  const double noise = 16.0 * std::sqrt(static_cast<double>(pattern.cols)) * std::numeric_limits<double>::epsilon();
  scale = Vector::Zero(pattern.rows);
  for (std::size_t e = 0; e < values.size(); ++e) {
    if (!std::isfinite(values[e])) return false;
    double& largest = scale[pattern.row[e]];
    largest = std::max(largest, std::abs(values[e]));
  }
  for (double& s : scale) s = s > 0.0 ? std::exp2(-std::floor(std::log2(s))) : 1.0;
  std::vector<double> smallest(index_of(pattern.cols), 0.0);
  for (std::size_t j = 0; j < smallest.size(); ++j)
    for (int e = pattern.start[j]; e < pattern.start[j + 1]; ++e) {
      double& value = values[index_of(e)];
      value *= scale[pattern.row[index_of(e)]];
      smallest[j] = std::max(smallest[j], noise * std::abs(value));
    }
  return klu.factor(values, smallest) < 0;
}

void InstantElimination::Factors::solve(Matrix& b) const {
  b = scale.asDiagonal() * b;
  klu.solve({b.data(), index_of(b.size())});
}

void InstantElimination::Factors::solve_transposed(Matrix& b) const {
  klu.solve_transposed({b.data(), index_of(b.size())});
  b = scale.asDiagonal() * b;
}

bool InstantElimination::factor_block(int k) {
  Block& block = block_[index_of(k)];
  std::vector<double> straight;
  for (int j = 0; j < size_; ++j) {
    const auto first = values_.begin() + begin(k, j, 0);
    straight.insert(straight.end(), first, first + diagonal_.start[index_of(j + 1)] - diagonal_.start[index_of(j)]);
  }
  return block.straight.factor(diagonal_, straight);
}

void InstantElimination::invert(const Block& block, Matrix& b) const {
  block.straight.solve(b);
  if (block.W.size() > 0) b += block.V * (block.W.transpose() * b(coupled_, Eigen::all));
}

void InstantElimination::invert_transposed(const Block& block, Matrix& b) const {
  if (block.W.size() > 0) b(coupled_, Eigen::all) += block.W * (block.V.transpose() * b);
  block.straight.solve_transposed(b);
}

void InstantElimination::find_units() {
  Vector row = Vector::Zero(size_), column = Vector::Zero(size_);
  for (int k = 0; k + 1 < blocks_; ++k)
    for (const int j : coupled_)
      for (int e = begin(k, j, 1), end = e + beside_[index_of(j)]; e < end; ++e) {
        const int i = pattern_.row[index_of(e)] - (k + 1) * size_;
        row[i] = std::max(row[i], std::abs(values_[index_of(e)]));
        column[j] = std::max(column[j], std::abs(values_[index_of(e)]));
      }
  const auto root = [](double x) { return x > 0.0 ? std::sqrt(x) : 1.0; };
  unit_ = column(coupled_).unaryExpr(root);
  row_unit_ = row(coupled_rows_).unaryExpr(root);
}

Matrix InstantElimination::slow_rows() const {
  Matrix y = Matrix::Zero(size_, slow_.cols());
  y(coupled_rows_, Eigen::all) = row_unit_.cwiseInverse().asDiagonal() * slow_;
  return y;
}

Vector InstantElimination::take_slow(const Matrix& filtered) {
  Orthonormal filter(row_unit_.asDiagonal() * filtered(coupled_rows_, Eigen::all));
  slow_ = std::move(filter.Q);
  return filter.independent;
}

bool InstantElimination::find_slow() {
  constexpr Eigen::Index most = 64, more = 2;
  constexpr int sweeps = 8;
  constexpr double felt = 0.02;  // by the next instant; the square of it is left to refinement
  slow_ = slow_at_first_;
  const auto filter = [&] {
    Matrix y = transposed_product(0, 1, slow_rows());
    block_.front().straight.solve_transposed(y);
    return take_slow(y);
  };
  if (slow_.size() > 0) return filter().allFinite();
  const auto rows = static_cast<Eigen::Index>(coupled_rows_.size()),
             columns = static_cast<Eigen::Index>(coupled_.size()), tried = std::min({most, rows, columns});
  slow_.resize(rows, tried);
  for (Eigen::Index i = 0; i < rows; ++i)
    for (Eigen::Index j = 0; j < tried; ++j) slow_(i, j) = std::cos(1.0 + static_cast<double>((i + 3) * (j + 1)));
  Vector gain;
  for (int k = 0; k < sweeps; ++k) gain = filter();
  if (!gain.allFinite()) return false;
  const Eigen::Index count = (gain.array() > felt).count();
  if (count == most) return false;
  slow_ = slow_at_first_ = slow_.leftCols(std::min(tried, count + more)).eval();
  return true;
}

Matrix InstantElimination::find_correction(int k) {
  const Block& block = block_[index_of(k)];
  Matrix y = transposed_product(k, 1, slow_rows());
  invert_transposed(block, y);
  take_slow(y);
  y = transposed_product(k + 1, -1, y);
  const Matrix Q = Orthonormal(unit_.cwiseInverse().asDiagonal() * y(coupled_, Eigen::all)).Q;
  block_[index_of(k + 1)].W = unit_.asDiagonal() * Q;
  Matrix x = Matrix::Zero(size_, Q.cols()), through = x, left = x;
  x(coupled_, Eigen::all) = unit_.cwiseInverse().asDiagonal() * Q;
  add_product(k + 1, -1, 1.0, x, through);
  invert(block, through);
  add_product(k, 1, 1.0, through, left);
  return left;
}

bool InstantElimination::take_correction(int k, const Matrix& left) {
  Block& block = block_[index_of(k)];
  const Eigen::Index m = block.W.cols();
  Matrix B = left;
  block.straight.solve(B);
  const Matrix S = Matrix::Identity(m, m) - block.W.transpose() * B(coupled_, Eigen::all);
  block.V = B * Eigen::PartialPivLU<Matrix>(S).inverse();
  return block.V.allFinite();
}

bool InstantElimination::factor(std::span<const double> values) {
  values_.assign(values.begin(), values.end());
  find_units();
  Matrix left;
  for (int k = 0; k < blocks_; ++k) {
    poll_interrupt();
    if (!factor_block(k)) return false;
    if (k == 0 && !find_slow()) return false;
    if (k > 0 && !take_correction(k, left)) return false;
    if (k + 1 == blocks_) break;
    left = find_correction(k);
  }
  return border_ == 0 || factor_border();
}

bool InstantElimination::factor_border() {
  Matrix rows = Matrix::Zero(size_, border_), columns = rows;
  for (int j = 0; j < size_; ++j)
    for (int e = pattern_.start[index_of(j)]; e < pattern_.start[index_of(j + 1)]; ++e)
      if (const int i = pattern_.row[index_of(e)] - blocks_ * size_; i >= 0) rows(j, i) = values_[index_of(e)];
  for (int j = 0; j < border_; ++j) {
    const auto column = index_of(blocks_ * size_ + j);
    for (int e = pattern_.start[column]; e < pattern_.start[column + 1]; ++e)
      columns(pattern_.row[index_of(e)] - (blocks_ - 1) * size_, j) = values_[index_of(e)];
  }
  for (int k = 0; k + 1 < blocks_; ++k) {
    Block& block = block_[index_of(k)];
    invert_transposed(block, rows);
    block.border = rows;
    rows = -transposed_product(k + 1, -1, rows);
  }
  at_last_ = rows.transpose();
  border_columns_ = columns;
  invert(block_.back(), border_columns_);
  corner_.compute(at_last_ * border_columns_);
  return border_columns_.allFinite() && at_last_.allFinite();
}

void InstantElimination::apply(std::span<double> x) const {
  const auto part = [&](int k) { return Eigen::Map<Vector>(x.data() + k * size_, size_); };
  Eigen::Map<Vector> p(x.data() + blocks_ * size_, border_);
  Matrix y, r;
  for (int k = 0; k < blocks_; ++k) {
    r = part(k);
    if (k > 0) add_product(k - 1, 1, -1.0, y, r);
    part(k) = r;
    const Block& block = block_[index_of(k)];
    if (border_ > 0 && k + 1 < blocks_) p -= block.border.transpose() * r;
    invert(block, r);
    y.swap(r);
  }
  if (border_ > 0) {
    p = corner_.solve(at_last_ * y - p).eval();
    y -= border_columns_ * p;
  }
  part(blocks_ - 1) = y;
  for (int k = blocks_ - 2; k >= 0; --k) {
    r = part(k);
    add_product(k + 1, -1, -1.0, y, r);
    invert(block_[index_of(k)], r);
    part(k) = r;
    y.swap(r);
  }
}

Vector InstantElimination::product(const Vector& x) const {
  Vector to = Vector::Zero(x.size());
  for (Eigen::Index j = 0; j < x.size(); ++j)
    for (int e = pattern_.start[index_of(j)]; e < pattern_.start[index_of(j + 1)]; ++e)
      to[pattern_.row[index_of(e)]] += values_[index_of(e)] * x[j];
  return to;
}

bool InstantElimination::solve(std::span<double> b, const Vector& unit, double accuracy) const {
  constexpr Eigen::Index most = 16;
  constexpr double tiny = 1e-300;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  // Only coupled unknowns feel what was left out; the others follow from them.
  const Vector known = unit.cwiseMax(tiny);
  Vector weight = Vector::Zero(static_cast<Eigen::Index>(b.size()));
  Eigen::Map<Rows> weights(weight.data(), blocks_, size_);
  for (std::size_t c = 0; c < coupled_.size(); ++c)
    weights.col(coupled_[c]).setConstant(unit_[static_cast<Eigen::Index>(c)]);
  const auto dot = [&](const Vector& x, const Vector& y) { return x.cwiseProduct(weight).dot(y.cwiseProduct(weight)); };
  const auto size = [&](const Vector& of, const Vector& in) {
    return (Eigen::Map<const Rows>(of.data(), blocks_, size_) * in.cwiseInverse().asDiagonal()).norm();
  };
  std::vector<Vector> basis = {Eigen::Map<const Vector>(b.data(), static_cast<Eigen::Index>(b.size()))};
  apply({basis[0].data(), b.size()});
  const double start = std::sqrt(dot(basis[0], basis[0]));
  if (!std::isfinite(start)) return false;
  basis[0] /= std::max(start, tiny);
  Matrix H = Matrix::Zero(most + 1, most);
  double before = start;
  for (Eigen::Index k = 0; k < most; ++k) {
    Vector next = product(basis.back());
    apply({next.data(), b.size()});
    for (Eigen::Index i = 0; i <= k; ++i) {
      H(i, k) = dot(next, basis[index_of(i)]);
      next -= H(i, k) * basis[index_of(i)];
    }
    H(k + 1, k) = std::sqrt(dot(next, next));
    if (!std::isfinite(H(k + 1, k))) return false;
    basis.push_back(next / std::max(H(k + 1, k), tiny));
    const auto reached = H.topLeftCorner(k + 2, k + 1);
    const Vector right = start * Vector::Unit(k + 2, 0), y = Eigen::HouseholderQR<Matrix>(reached).solve(right),
                 left = right - reached * y;
    // What is left is a further step, of which the next would leave as much as this one of the last.
    Vector x = Vector::Zero(next.size()), step = x;
    for (Eigen::Index i = 0; i <= k; ++i) x += y[i] * basis[index_of(i)];
    for (Eigen::Index i = 0; i <= k + 1; ++i) step += left[i] * basis[index_of(i)];
    x += step;
    const Vector largest =
        Eigen::Map<const Rows>(x.data(), blocks_, size_).cwiseAbs().colwise().maxCoeff().transpose().cwiseMax(known);
    if (size(step, largest) * left.norm() <= accuracy * before * size(x, largest)) {
      std::copy(x.begin(), x.end(), b.begin());
      return true;
    }
    before = left.norm();
  }
  return false;
}

std::size_t InstantElimination::factor_entries() const {
  std::size_t sum = 0;
  for (const Block& block : block_)
    sum += block.straight.klu.entries() + index_of(block.V.size() + block.W.size() + block.border.size());
  return sum;
}

}  // namespace invar

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

template <class Columns>
std::span<double> numbers(Columns& b) {
  return {b.data(), index_of(b.size())};
}

// Y becomes Q of Y = Q R with orthonormal columns; returns what of each column of Y is independent of those before it.
// From RᵀR = YᵀY as long as rounding errors, squared in that product, allow [CholeskyQR: A. Stathopoulos, K. Wu, SIAM
// J. Sci. Comput. 23 (2002) 2165], which is mostly matrix products; else by reflections.
template <class Columns>
Vector orthonormalise(Columns& Y) {
  constexpr double well_conditioned = 1e-4;
  Matrix squares = Matrix::Zero(Y.cols(), Y.cols());
  squares.selfadjointView<Eigen::Lower>().rankUpdate(Y.transpose());
  const Eigen::LLT<Matrix> cholesky(squares);
  const Vector independent = cholesky.matrixLLT().diagonal();
  if (cholesky.info() == Eigen::Success && independent.minCoeff() > well_conditioned * independent.maxCoeff()) {
    cholesky.matrixU().template solveInPlace<Eigen::OnTheRight>(Y);
    return independent;
  }
  const Eigen::HouseholderQR<Matrix> qr(Y);
  Y = qr.householderQ() * Matrix::Identity(qr.rows(), qr.cols());
  return qr.matrixQR().diagonal().cwiseAbs();
}

}  // namespace

InstantElimination::InstantElimination(const Pattern& pattern, int size)
    : pattern_(pattern), size_(size), blocks_(pattern.cols / size), border_(pattern.cols - blocks_ * size) {
  expects(blocks_ > 2 && pattern.rows == pattern.cols, "a square matrix of some blocks");
  diagonal_.rows = diagonal_.cols = size;
  std::vector<int> place(index_of(size), -1);  // among the coupled rows
  for (int j = 0; j < size; ++j) {
    int beside = 0;
    for (int e = pattern.start[index_of(size + j)]; e < pattern.start[index_of(size + j + 1)]; ++e) {
      const int row = pattern.row[index_of(e)];
      if (row < size) {
        ++beside;
        place[index_of(row)] = 0;
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
    if (place[index_of(i)] == 0) {
      place[index_of(i)] = static_cast<int>(coupled_rows_.size());
      coupled_rows_.push_back(i);
    }
  for (const int row : beside_rows_) beside_place_.push_back(place[index_of(row)]);
  klu_.emplace(diagonal_, KluSolver::Order::any_pivots);
  block_.resize(index_of(blocks_));
}

int InstantElimination::begin(int k, int j, int by) const {
  int place = pattern_.start[index_of(k * size_ + j)];
  if (by >= 0 && k > 0) place += beside_[index_of(j)];
  if (by > 0) place += diagonal_.start[index_of(j + 1)] - diagonal_.start[index_of(j)];
  return place;
}

template <class Visit>
void InstantElimination::for_couplings(int k, int by, Visit visit) const {
  std::size_t place = 0;
  for (std::size_t c = 0; c < coupled_.size(); ++c) {
    const double* value = values_.data() + begin(k, coupled_[c], by);
    for (const std::size_t end = place + index_of(beside_[index_of(coupled_[c])]); place < end; ++place)
      visit(static_cast<Eigen::Index>(c), place, *value++);
  }
}

template <class Rows>
void InstantElimination::add_product(int k, int by, double factor, const Rows& x, Rows& to) const {
  for_couplings(k, by, [&](Eigen::Index c, std::size_t place, double value) {
    to.row(beside_rows_[place]) += (factor * value) * x.row(c);
  });
}

InstantElimination::Columns InstantElimination::transposed_product(int k, int by, const Columns& y) const {
  Columns x = Columns::Zero(std::ssize(coupled_), y.cols());
  for_couplings(
      k, by, [&](Eigen::Index c, std::size_t place, double value) { x.row(c) += value * y.row(beside_place_[place]); });
  return x;
}

bool InstantElimination::factor_scaled(Factors& factors) {
  // An own list is worth it if it takes no more than so many times KLU's operations and serves so many blocks.
  constexpr double straight_work = 1.5;
  constexpr int lists_at_first = 4, least_use = 32;
  factors.klu.reset();
  for (const bool own : {true, false}) {
    if (!own && operations_) factors.straight.emplace(operations_->another());
    if (factors.straight && factors.straight->factor(scaled_, smallest_)) return true;
  }
  factors.straight.reset();
  factors.klu.emplace(klu_->another());
  if (factors.klu->factor(scaled_, smallest_) >= 0) return false;
  if (lists_ >= lists_at_first + blocks_ / least_use) return true;
  ++lists_;
  operations_ = StraightLu::make(diagonal_, scaled_, straight_work * factors.klu->work());
  if (!operations_) return true;
  factors.straight.emplace(operations_->another());
  if (factors.straight->factor(scaled_, smallest_))
    factors.klu.reset();
  else
    factors.straight.reset();
  return true;
}

bool InstantElimination::factor_block(int k) {
  const double noise = 16.0 * std::sqrt(static_cast<double>(size_)) * std::numeric_limits<double>::epsilon();
  Factors& factors = block_[index_of(k)].straight;
  scaled_.clear();
  for (int j = 0; j < size_; ++j) {
    const auto first = values_.begin() + begin(k, j, 0);
    scaled_.insert(scaled_.end(), first, first + diagonal_.start[index_of(j + 1)] - diagonal_.start[index_of(j)]);
  }
  factors.scale = Vector::Zero(size_);
  for (std::size_t e = 0; e < scaled_.size(); ++e) {
    if (!std::isfinite(scaled_[e])) return false;
    double& largest = factors.scale[diagonal_.row[e]];
    largest = std::max(largest, std::abs(scaled_[e]));
  }
  for (double& s : factors.scale) s = s > 0.0 ? std::ldexp(1.0, -std::ilogb(s)) : 1.0;
  smallest_.assign(index_of(size_), 0.0);
  for (std::size_t j = 0; j < smallest_.size(); ++j)
    for (int e = diagonal_.start[j]; e < diagonal_.start[j + 1]; ++e) {
      double& value = scaled_[index_of(e)];
      value *= factors.scale[diagonal_.row[index_of(e)]];
      smallest_[j] = std::max(smallest_[j], noise * std::abs(value));
    }
  return factor_scaled(factors);
}

void InstantElimination::solve(const Factors& factors, Columns& b) const {
  b = factors.scale.asDiagonal() * b;
  if (factors.straight) return factors.straight->solve(numbers(b), static_cast<int>(b.cols()), memory_);
  Matrix columns = b;
  factors.klu->solve(numbers(columns));
  b = columns;
}

void InstantElimination::solve(const Factors& factors, Vector& b) const {
  b = factors.scale.asDiagonal() * b;
  if (factors.straight)
    factors.straight->solve(numbers(b));
  else
    factors.klu->solve(numbers(b));
}

void InstantElimination::solve_transposed(const Factors& factors, Columns& b) const {
  if (factors.straight) {
    factors.straight->solve_transposed(numbers(b), static_cast<int>(b.cols()), memory_);
  } else {
    Matrix columns = b;
    factors.klu->solve_transposed(numbers(columns));
    b = columns;
  }
  b = factors.scale.asDiagonal() * b;
}

template <class Rows>
void InstantElimination::invert(const Block& block, Rows& b) const {
  solve(block.straight, b);
  if (block.W.size() == 0) return;
  const Rows coupled = b(coupled_, Eigen::all), along = block.W.transpose() * coupled;
  b.noalias() += block.V * along;
}

InstantElimination::Columns InstantElimination::inverted_transposed(const Block& block, Columns coupled) const {
  if (block.W.size() > 0) {
    const Columns V = block.V(coupled_, Eigen::all), along = V.transpose() * coupled;
    coupled.noalias() += block.W * along;
  }
  Columns b = Columns::Zero(size_, coupled.cols());
  for (std::size_t c = 0; c < coupled_.size(); ++c) b.row(coupled_[c]) = coupled.row(static_cast<Eigen::Index>(c));
  solve_transposed(block.straight, b);
  return b;
}

void InstantElimination::find_units() {
  Vector row = Vector::Zero(std::ssize(coupled_rows_)), column = Vector::Zero(std::ssize(coupled_));
  for (int k = 0; k + 1 < blocks_; ++k)
    for_couplings(k, 1, [&](Eigen::Index c, std::size_t place, double value) {
      double& in_row = row[beside_place_[place]];
      in_row = std::max(in_row, std::abs(value));
      column[c] = std::max(column[c], std::abs(value));
    });
  const auto root = [](double x) { return x > 0.0 ? std::sqrt(x) : 1.0; };
  unit_ = column.unaryExpr(root);
  row_unit_ = row.unaryExpr(root);
}

InstantElimination::Columns InstantElimination::filtered(int k) const {
  const Columns rows = row_unit_.cwiseInverse().asDiagonal() * slow_,
                all = inverted_transposed(block_[index_of(k)], transposed_product(k, 1, rows));
  return row_unit_.asDiagonal() * all(coupled_rows_, Eigen::all);
}

bool InstantElimination::find_slow() {
  constexpr Eigen::Index few = 16, most = 64, more = 2;
  constexpr int sweeps = 8;
  constexpr double felt = 0.04;  // by the next instant; the square of it is left to refinement
  if (slow_at_first_.size() > 0) {
    slow_ = slow_at_first_;
    slow_ = filtered(0);
    return orthonormalise(slow_).allFinite();
  }
  const Eigen::Index rows = std::ssize(coupled_rows_), all = std::min<Eigen::Index>(rows, std::ssize(coupled_));
  for (Eigen::Index tried = std::min(few, all);; tried = std::min(2 * tried, all)) {
    slow_.resize(rows, tried);
    for (Eigen::Index i = 0; i < rows; ++i)
      for (Eigen::Index j = 0; j < tried; ++j) slow_(i, j) = std::cos(1.0 + static_cast<double>((i + 3) * (j + 1)));
    Vector gain;
    for (int k = 0; k < sweeps; ++k) {
      slow_ = filtered(0);
      gain = orthonormalise(slow_);
    }
    if (!gain.allFinite()) return false;
    const Eigen::Index count = (gain.array() > felt).count();
    if (count >= most) return false;
    if (count + more > tried && tried < all) continue;
    slow_ = slow_at_first_ = slow_.leftCols(std::min(tried, count + more)).eval();
    return true;
  }
}

InstantElimination::Columns InstantElimination::find_correction(int k) {
  slow_ = filtered(k);
  orthonormalise(slow_);
  Columns Q =
      unit_.cwiseInverse().asDiagonal() * transposed_product(k + 1, -1, row_unit_.cwiseInverse().asDiagonal() * slow_);
  orthonormalise(Q);
  block_[index_of(k + 1)].W = unit_.asDiagonal() * Q;
  const Columns x = unit_.cwiseInverse().asDiagonal() * Q;
  Columns through = Columns::Zero(size_, Q.cols()), left = through;
  add_product(k + 1, -1, 1.0, x, through);
  const Block& block = block_[index_of(k)];
  solve(block.straight, through);
  Columns coupled = through(coupled_, Eigen::all);
  if (block.W.size() > 0) {
    const Columns along = block.W.transpose() * coupled, V = block.V(coupled_, Eigen::all);
    coupled.noalias() += V * along;
  }
  add_product(k, 1, 1.0, coupled, left);
  return left;
}

bool InstantElimination::take_correction(int k, Columns left) {
  Block& block = block_[index_of(k)];
  solve(block.straight, left);
  const Columns coupled = left(coupled_, Eigen::all);
  Matrix S = -coupled.transpose() * block.W;  // transposed
  S.diagonal().array() += 1.0;
  block.V = Eigen::PartialPivLU<Matrix>(S).solve(left.transpose()).transpose();
  return block.V.allFinite();
}

bool InstantElimination::factor(std::span<const double> values) {
  values_.assign(values.begin(), values.end());
  find_units();
  Columns left;
  for (int k = 0; k < blocks_; ++k) {
    poll_interrupt();
    if (!factor_block(k)) return false;
    if (k == 0 && !find_slow()) return false;
    if (k > 0 && !take_correction(k, std::move(left))) return false;
    if (k + 1 == blocks_) break;
    left = find_correction(k);
  }
  return border_ == 0 || factor_border();
}

bool InstantElimination::factor_border() {
  Columns rows = Columns::Zero(std::ssize(coupled_), border_), columns = Columns::Zero(size_, border_);
  for (std::size_t c = 0; c < coupled_.size(); ++c)
    for (int e = pattern_.start[index_of(coupled_[c])]; e < pattern_.start[index_of(coupled_[c] + 1)]; ++e)
      if (const int i = pattern_.row[index_of(e)] - blocks_ * size_; i >= 0)
        rows(static_cast<Eigen::Index>(c), i) = values_[index_of(e)];
  for (int j = 0; j < border_; ++j) {
    const auto column = index_of(blocks_ * size_ + j);
    for (int e = pattern_.start[column]; e < pattern_.start[column + 1]; ++e)
      columns(pattern_.row[index_of(e)] - (blocks_ - 1) * size_, j) = values_[index_of(e)];
  }
  for (int k = 0; k + 1 < blocks_; ++k) {
    Block& block = block_[index_of(k)];
    block.border = inverted_transposed(block, std::move(rows));
    rows = -transposed_product(k + 1, -1, block.border(coupled_rows_, Eigen::all));
  }
  at_last_ = Columns::Zero(border_, size_);
  for (std::size_t c = 0; c < coupled_.size(); ++c)
    at_last_.col(coupled_[c]) = rows.row(static_cast<Eigen::Index>(c)).transpose();
  border_columns_ = columns;
  invert(block_.back(), border_columns_);
  corner_.compute(at_last_ * border_columns_);
  return border_columns_.allFinite() && at_last_.allFinite();
}

void InstantElimination::apply(std::span<double> x) const {
  const auto part = [&](int k) { return Eigen::Map<Vector>(x.data() + k * size_, size_); };
  Eigen::Map<Vector> p(x.data() + blocks_ * size_, border_);
  Vector r, y, coupled;
  for (int k = 0; k < blocks_; ++k) {
    r = part(k);
    if (k > 0) add_product(k - 1, 1, -1.0, coupled, r);
    part(k) = r;
    const Block& block = block_[index_of(k)];
    if (border_ > 0 && k + 1 < blocks_) p.noalias() -= block.border.transpose() * r;
    invert(block, r);
    y.swap(r);
    coupled = y(coupled_);
  }
  if (border_ > 0) {
    p = corner_.solve(at_last_ * y - p).eval();
    y -= border_columns_ * p;
    coupled = y(coupled_);
  }
  part(blocks_ - 1) = y;
  for (int k = blocks_ - 2; k >= 0; --k) {
    r = part(k);
    add_product(k + 1, -1, -1.0, coupled, r);
    invert(block_[index_of(k)], r);
    part(k) = r;
    coupled = r(coupled_);
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
    sum += block.straight.entries() + index_of(block.V.size() + block.W.size() + block.border.size());
  return sum;
}

}  // namespace invar

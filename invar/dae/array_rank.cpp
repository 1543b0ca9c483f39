// See array_rank.h.
#include "invar/dae/array_rank.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "invar/base/interrupt.h"
#include "invar/math/decompositions.h"
#include "invar/math/svd.h"

namespace invar {

namespace {

constexpr double entry_noise = 1e-13;  // entries below this part of their row are rounding errors of larger terms

Matrix without_noise(Matrix A) {
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double smallest = entry_noise * A.row(i).cwiseAbs().maxCoeff();
    for (Eigen::Index j = 0; j < A.cols(); ++j)
      if (std::abs(A(i, j)) < smallest) A(i, j) = 0.0;
  }
  return A;
}

double inverse_root(double x) { return x > 0.0 ? 1.0 / std::sqrt(x) : 1.0; }

// Rows and columns to a largest entry near one [D. Ruiz, RAL-TR-2001-034]. Most entries of large arrays are zero.
ArrayScale balance(const Matrix& B) {
  constexpr int sweeps = 20;  // each halves the logarithm of what is left
  struct Entry {
    Eigen::Index row, column;
    double size;
  };
  std::vector<Entry> entries;
  for (Eigen::Index j = 0; j < B.cols(); ++j)
    for (Eigen::Index i = 0; i < B.rows(); ++i)
      if (B(i, j) != 0.0) entries.push_back({i, j, std::abs(B(i, j))});
  ArrayScale scale{Vector::Ones(B.rows()), Vector::Ones(B.cols())};
  Vector row(B.rows()), column(B.cols());
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    row.setZero();
    column.setZero();
    for (const Entry& e : entries) {
      row[e.row] = std::max(row[e.row], e.size);
      column[e.column] = std::max(column[e.column], e.size);
    }
    row = row.unaryExpr(&inverse_root).eval();
    column = column.unaryExpr(&inverse_root).eval();
    for (Entry& e : entries) e.size = row[e.row] * e.size * column[e.column];
    scale.row = scale.row.cwiseProduct(row);
    scale.column = scale.column.cwiseProduct(column);
  }
  return scale;
}

// The array in natural units.
ArrayScale natural_scale(const ArrayShape& shape) {
  ArrayScale scale{Vector(static_cast<Eigen::Index>(shape.rows.size())),
                   Vector(static_cast<Eigen::Index>(shape.columns.size()))};
  for (Eigen::Index i = 0; i < scale.row.size(); ++i) {
    const Derivative& row = shape.rows[static_cast<std::size_t>(i)];
    scale.row[i] = shape.units.equation(static_cast<std::size_t>(row.index), row.order);
  }
  for (Eigen::Index j = 0; j < scale.column.size(); ++j) {
    const Derivative& column = shape.columns[static_cast<std::size_t>(j)];
    scale.column[j] = shape.units.unknown(static_cast<std::size_t>(column.index), column.order);
  }
  return scale;
}

double time_factor(int order, double tau) {  // τ^l/l!
  double factor = 1.0;
  for (int l = 1; l <= order; ++l) factor *= tau / l;
  return factor;
}

// The τ that makes neighbouring derivatives of an unknown equally important to a row, in the median.
double typical_time(const Matrix& A, const ArrayShape& shape) {
  const Matrix clean = scaled(A, natural_scale(shape));
  std::vector<double> logarithms;
  for (Eigen::Index i = 0; i < clean.rows(); ++i) {
    const Derivative* before = nullptr;
    double size_before = 0.0;
    for (Eigen::Index j = 0; j < clean.cols(); ++j) {
      const Derivative& column = shape.columns[static_cast<std::size_t>(j)];
      if (clean(i, j) == 0.0) continue;
      const double size = std::abs(clean(i, j)) / time_factor(column.order, 1.0);
      if (before && before->index == column.index)
        logarithms.push_back(std::log(size / size_before) / (column.order - before->order));
      before = &column;
      size_before = size;
    }
  }
  if (logarithms.empty()) return 1.0;
  const auto middle = logarithms.begin() + static_cast<std::ptrdiff_t>(logarithms.size() / 2);
  std::nth_element(logarithms.begin(), middle, logarithms.end());
  return std::exp(*middle);
}

std::vector<int> others(std::size_t count, const std::vector<int>& left_out, const std::vector<int>& also = {}) {
  std::vector<bool> out(count, false);
  for (const int z : left_out) out[static_cast<std::size_t>(z)] = true;
  for (const int z : also) out[static_cast<std::size_t>(z)] = true;
  std::vector<int> rest;
  for (std::size_t z = 0; z < count; ++z)
    if (!out[z]) rest.push_back(static_cast<int>(z));
  return rest;
}

// Of A, A[not y] and A[not y,w] at one τ, with the smallest part that counts.
struct Counted {
  double tau;
  std::array<Eigen::Index, 3> rank = {0, 0, 0};
  double smallest = 1.0;
  Eigen::Index total() const { return rank[0] + rank[1] + rank[2]; }
};

Counted count(const Matrix& A, const ArrayShape& shape, const std::array<std::vector<int>, 3>& parts, double tau) {
  Counted counted{tau};
  const Matrix B = scaled(A, array_scale(A, shape, tau));
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (parts[p].empty() || B.rows() == 0) continue;
    if (p > 0 && parts[p].size() == parts[p - 1].size()) {
      counted.rank[p] = counted.rank[p - 1];
      continue;
    }
    poll_interrupt();
    const Eigen::ColPivHouseholderQR<Matrix> qr(B(Eigen::all, parts[p]));
    const Vector pivots = qr.matrixQR().diagonal().cwiseAbs();
    Eigen::Index& rank = counted.rank[p];
    while (rank < pivots.size() && pivots[rank] > array_rank_tolerance * pivots[0]) ++rank;
    if (rank > 0) counted.smallest = std::min(counted.smallest, pivots[rank - 1] / pivots[0]);
  }
  return counted;
}

}  // namespace

double reciprocal_condition(const Matrix& J) {
  if (J.size() == 0 || !J.allFinite()) return 0.0;
  const Matrix clean = without_noise(J);
  const ArrayScale scale = balance(clean);
  const Matrix balanced = scale.row.asDiagonal() * clean * scale.column.asDiagonal();
  const Vector s = svd(balanced).values;
  return s[0] > 0.0 ? s[s.size() - 1] / s[0] : 0.0;
}

void residual_rows(JetEvaluator& evaluator, const Jet& jet, const std::vector<Derivative>& rows, Matrix& f, Vector& r) {
  int order = 0;
  for (const Derivative& row : rows) order = std::max(order, row.order);
  evaluator.residuals(jet, order, f);
  r.resize(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t i = 0; i < rows.size(); ++i) r[static_cast<Eigen::Index>(i)] = f(rows[i].index, rows[i].order);
}

Vector residual_rows(JetEvaluator& evaluator, const Jet& jet, const std::vector<Derivative>& rows) {
  Matrix f;
  Vector r;
  residual_rows(evaluator, jet, rows, f, r);
  return r;
}

ArrayShape array_shape(const Offsets& offsets, int k, const NaturalUnits& units) {
  ArrayShape shape{{}, {}, units};
  for (std::size_t i = 0; i < offsets.c.size(); ++i)
    for (int m = 0; m <= offsets.c[i] + k; ++m) shape.rows.push_back({static_cast<int>(i), m});
  for (std::size_t j = 0; j < offsets.d.size(); ++j)
    for (int n = 0; n <= offsets.d[j] + k; ++n) shape.columns.push_back({static_cast<int>(j), n});
  return shape;
}

ArrayScale array_scale(const Matrix& A, const ArrayShape& shape, double tau) {
  ArrayScale scale = natural_scale(shape);
  int equations = 0, unknowns = 0;
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const Derivative& row = shape.rows[static_cast<std::size_t>(i)];
    scale.row[i] *= time_factor(row.order, tau);
    equations = std::max(equations, row.index + 1);
  }
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    const Derivative& column = shape.columns[static_cast<std::size_t>(j)];
    scale.column[j] /= time_factor(column.order, tau);
    unknowns = std::max(unknowns, column.index + 1);
  }
  Matrix largest = Matrix::Zero(equations, unknowns);
  for (Eigen::Index i = 0; i < A.rows(); ++i)
    for (Eigen::Index j = 0; j < A.cols(); ++j) {
      double& block =
          largest(shape.rows[static_cast<std::size_t>(i)].index, shape.columns[static_cast<std::size_t>(j)].index);
      block = std::max(block, scale.row[i] * std::abs(A(i, j)) * scale.column[j]);
    }
  const ArrayScale blocks = balance(without_noise(largest));
  for (Eigen::Index i = 0; i < A.rows(); ++i) scale.row[i] *= blocks.row[shape.rows[static_cast<std::size_t>(i)].index];
  for (Eigen::Index j = 0; j < A.cols(); ++j)
    scale.column[j] *= blocks.column[shape.columns[static_cast<std::size_t>(j)].index];
  return scale;
}

Matrix scaled(const Matrix& A, const ArrayScale& scale) {
  return without_noise(scale.row.asDiagonal() * A * scale.column.asDiagonal());
}

ArrayRoles array_roles(const ArrayShape& shape, const JetEvaluator& evaluator, const Offsets& offsets, const Dae& dae,
                       int k) {
  ArrayRoles roles;
  for (std::size_t z = 0; z < shape.columns.size(); ++z) {
    const int order = shape.columns[z].order, position = static_cast<int>(z);
    const auto j = static_cast<std::size_t>(shape.columns[z].index);
    if (dae.unknowns[j].kind == UnknownKind::input && order == 0) roles.wanted.push_back(position);
    if (dae.unknowns[j].kind != UnknownKind::coordinate) continue;
    const int top = std::max(evaluator.highest(j), 1);
    if (order < top && order < offsets.d[j] + k) roles.state.push_back(position);
    if (order == top) roles.wanted.push_back(position);
  }
  return roles;
}

ArrayRanks array_ranks(const Matrix& A, const ArrayShape& shape, const ArrayRoles& roles) {
  constexpr double much_smaller = 0.03;  // of the best: costs less than two of sixteen digits
  const std::size_t n = shape.columns.size();
  const std::array<std::vector<int>, 3> parts = {others(n, {}), others(n, roles.state),
                                                 others(n, roles.state, roles.wanted)};
  const double typical = typical_time(A, shape);
  std::vector<Counted> tried;
  Counted most{typical};
  for (const double factor : {1.0, 1.0 / 3.0, 3.0, 1.0 / 9.0, 9.0, 1.0 / 27.0, 27.0, 1.0 / 81.0, 81.0}) {
    tried.push_back(count(A, shape, parts, factor * typical));
    for (std::size_t p = 0; p < parts.size(); ++p) most.rank[p] = std::max(most.rank[p], tried.back().rank[p]);
  }
  Eigen::Index total = 0;
  double smallest = 0.0;
  for (const Counted& c : tried) total = std::max(total, c.total());
  for (const Counted& c : tried)
    if (c.total() == total) smallest = std::max(smallest, c.smallest);
  const auto chosen = std::find_if(tried.begin(), tried.end(), [&](const Counted& c) {
    return c.total() == total && c.smallest >= much_smaller * smallest;
  });
  return {.rank = most.rank[0],
          .degrees_of_freedom =
              static_cast<int>(static_cast<Eigen::Index>(roles.state.size()) - most.rank[0] + most.rank[1]),
          .determined = most.rank[1] - most.rank[2] == static_cast<Eigen::Index>(roles.wanted.size()),
          .tau = chosen->tau};
}

double time_scale(const Matrix& A, const ArrayShape& shape) { return array_ranks(A, shape, {}).tau; }

}  // namespace invar

// See array_rank.h.
#include "invar/dae/array_rank.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "invar/base/interrupt.h"
#include "invar/math/decompositions.h"
#include "invar/math/svd.h"

namespace invar {

namespace {

Matrix without_noise(Matrix A) {
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const double smallest = entry_noise * A.row(i).cwiseAbs().maxCoeff();
    for (Eigen::Index j = 0; j < A.cols(); ++j)
      if (std::abs(A(i, j)) < smallest) A(i, j) = 0.0;
  }
  return A;
}

double inverse_root(double x) { return x > 0.0 ? 1.0 / std::sqrt(x) : 1.0; }

// Rows and columns to a largest entry near one [D. Ruiz, RAL-TR-2001-034].
ArrayScale balance(std::vector<ArrayEntry> entries, Eigen::Index rows, Eigen::Index columns) {
  constexpr int sweeps = 20;  // each halves the logarithm of what is left
  ArrayScale scale{Vector::Ones(rows), Vector::Ones(columns)};
  Vector row(rows), column(columns);
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    row.setZero();
    column.setZero();
    for (const ArrayEntry& e : entries) {
      row[e.row] = std::max(row[e.row], e.value);
      column[e.column] = std::max(column[e.column], e.value);
    }
    row = row.unaryExpr(&inverse_root).eval();
    column = column.unaryExpr(&inverse_root).eval();
    for (ArrayEntry& e : entries) e.value = row[e.row] * e.value * column[e.column];
    scale.row = scale.row.cwiseProduct(row);
    scale.column = scale.column.cwiseProduct(column);
  }
  return scale;
}

// Of a matrix: most entries of large arrays are zero. Sizes only.
std::vector<ArrayEntry> entries_of(const Matrix& A) {
  std::vector<ArrayEntry> entries;
  for (Eigen::Index j = 0; j < A.cols(); ++j)
    for (Eigen::Index i = 0; i < A.rows(); ++i)
      if (A(i, j) != 0.0) entries.push_back({i, j, std::abs(A(i, j))});
  return entries;
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
  const ArrayScale scale = balance(entries_of(clean), clean.rows(), clean.cols());
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
  return array_scale(entries_of(A), shape, tau);
}

ArrayScale array_scale(std::span<const ArrayEntry> entries, const ArrayShape& shape, double tau) {
  ArrayScale scale = natural_scale(shape);
  Eigen::Index equations = 0, unknowns = 0;
  for (std::size_t i = 0; i < shape.rows.size(); ++i) {
    scale.row[static_cast<Eigen::Index>(i)] *= time_factor(shape.rows[i].order, tau);
    equations = std::max<Eigen::Index>(equations, shape.rows[i].index + 1);
  }
  for (std::size_t j = 0; j < shape.columns.size(); ++j) {
    scale.column[static_cast<Eigen::Index>(j)] /= time_factor(shape.columns[j].order, tau);
    unknowns = std::max<Eigen::Index>(unknowns, shape.columns[j].index + 1);
  }
  // The largest of each block of an equation and an unknown, those of one unknown together.
  std::vector<ArrayEntry> blocks;
  for (const ArrayEntry& e : entries)
    blocks.push_back({shape.rows[static_cast<std::size_t>(e.row)].index,
                      shape.columns[static_cast<std::size_t>(e.column)].index,
                      scale.row[e.row] * std::abs(e.value) * scale.column[e.column]});
  std::ranges::sort(blocks, [](const ArrayEntry& a, const ArrayEntry& b) {
    return std::tie(a.column, a.row, b.value) < std::tie(b.column, b.row, a.value);
  });
  const auto same = [](const ArrayEntry& a, const ArrayEntry& b) { return a.column == b.column && a.row == b.row; };
  blocks.erase(std::ranges::unique(blocks, same).begin(), blocks.end());
  Vector largest = Vector::Zero(equations);
  for (const ArrayEntry& e : blocks) largest[e.row] = std::max(largest[e.row], e.value);
  std::erase_if(blocks, [&](const ArrayEntry& e) { return e.value == 0.0 || e.value < entry_noise * largest[e.row]; });
  const ArrayScale balanced = balance(std::move(blocks), equations, unknowns);
  for (std::size_t i = 0; i < shape.rows.size(); ++i)
    scale.row[static_cast<Eigen::Index>(i)] *= balanced.row[shape.rows[i].index];
  for (std::size_t j = 0; j < shape.columns.size(); ++j)
    scale.column[static_cast<Eigen::Index>(j)] *= balanced.column[shape.columns[j].index];
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

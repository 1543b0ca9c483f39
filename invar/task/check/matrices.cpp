// See matrices.h.
#include "invar/task/check/matrices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "invar/expr/lists.h"
#include "invar/math/decompositions.h"
#include "invar/math/rank.h"
#include "invar/math/svd.h"
#include "invar/record/csv_rows.h"
#include "invar/system/equations.h"

namespace invar {

namespace {

std::vector<std::string> names_in_list(const auto& list) {
  std::vector<std::string> found;
  for (const auto& item : list) found.push_back(item.name);
  return found;
}

std::vector<Quantity> outputs_of(const Problem& problem) {
  if (problem.targets.empty()) return problem.system.outputs;
  std::vector<Quantity> list;
  for (const ServoTarget& target : problem.targets) list.push_back({target.output, target.expr});
  return list;
}

// With respect to the highest derivatives of the coordinates in it: what the inputs change at once.
Exprs output_row(const Expr& output, const System& system) {
  for (int order = 2;; --order) {
    Exprs symbols;
    for (const Variable& x : system.coordinates) symbols.push_back(at(x, order));
    if (order > 0 && !depends(output, symbols)) continue;
    Exprs row;
    const SparseExprs gradient = jacobian(Exprs{output}, symbols);
    for (int j = 0; j < static_cast<int>(symbols.size()); ++j) row.push_back(gradient.at(0, j));
    return row;
  }
}

// Formulas by rows as numbers at the start.
Matrix values_of(const Problem& problem, const State& start, const Exprs& by_rows, std::size_t rows) {
  const auto columns = static_cast<Eigen::Index>(problem.system.coordinates.size());
  const std::vector<double> values = StateFunction(problem.system, by_rows, problem.signals)(start);
  return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
      values.data(), static_cast<Eigen::Index>(rows), columns);
}

struct NullSpace {
  Matrix P;
  std::vector<Eigen::Index> independent;  // coordinates
};

NullSpace allowed_velocities(const Matrix& G, Eigen::Index freedoms) {
  const Eigen::Index n = G.cols(), dependent = n - freedoms;
  NullSpace found{Matrix::Zero(n, freedoms), {}};
  Matrix unit = G;
  for (Eigen::Index i = 0; i < G.rows(); ++i)
    if (const double length = G.row(i).norm(); length > 0.0) unit.row(i) /= length;
  if (G.rows() == 0) unit = Matrix::Zero(1, n);
  const Eigen::ColPivHouseholderQR<Matrix> qr(unit);
  const auto& order = qr.colsPermutation().indices();
  for (Eigen::Index k = dependent; k < n; ++k) found.independent.push_back(order(k));
  std::ranges::sort(found.independent);
  const Matrix R = qr.matrixR();
  const Matrix solved = R.topLeftCorner(dependent, dependent)
                            .triangularView<Eigen::Upper>()
                            .solve(R.block(0, dependent, dependent, freedoms));
  for (Eigen::Index k = 0; k < freedoms; ++k) {
    const auto column = std::ranges::find(found.independent, order(dependent + k)) - found.independent.begin();
    found.P(order(dependent + k), column) = 1.0;
    for (Eigen::Index i = 0; i < dependent; ++i) found.P(order(i), column) = -solved(i, k);
  }
  return found;
}

NamedMatrix described(NamedMatrix m) {
  if (m.values.size() == 0) return m;
  m.rank = rank(m.values, rank_tolerance, Scaling::rows_and_columns);
  m.singular_values = svd(m.values).values;
  return m;
}

// Where terms cancel to round-off, zero is meant, and not a number to be scaled.
Matrix without_noise(const Matrix& product, const Matrix& sizes) {
  constexpr double noise = 1e-12;
  return (product.cwiseAbs().array() > noise * sizes.array()).select(product, 0.0);
}

// Nothing if there are velocities without kinetic energy.
std::optional<NamedMatrix> accelerations_by_inputs(const NamedMatrix& M, const NamedMatrix& B, const NamedMatrix& P,
                                                   const NamedMatrix& S) {
  NamedMatrix found{"S M⁻¹ Bᵀ", "SMB", S.rows, B.rows, Matrix::Zero(S.values.rows(), B.values.rows())};
  if (P.columns.empty()) return found;
  const Matrix reduced = P.values.transpose() * M.values * P.values;
  if (rank(reduced, rank_tolerance, Scaling::rows_and_columns) < reduced.rows()) return std::nullopt;
  const Matrix inverse = P.values * Eigen::PartialPivLU<Matrix>(reduced).solve(P.values.transpose());
  found.values = without_noise(S.values * inverse * B.values.transpose(),
                               S.values.cwiseAbs() * inverse.cwiseAbs() * B.values.cwiseAbs().transpose());
  return described(std::move(found));
}

JsonList by_rows(const Matrix& m) {
  JsonList rows;
  for (Eigen::Index i = 0; i < m.rows(); ++i) {
    JsonList row;
    for (Eigen::Index j = 0; j < m.cols(); ++j) row.emplace_back(m(i, j));
    rows.emplace_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::vector<NamedMatrix> matrices(const Problem& problem, const Verdict& verdict) {
  const System& system = problem.system;
  const State& start = verdict.start.state;
  const Equations e = equations(system);
  std::vector<std::string> coordinates, free;
  for (const Variable& x : system.coordinates) coordinates.push_back(x.name());
  const std::vector<Quantity> outputs = outputs_of(problem);
  Exprs directions, gradients;
  for (const Input& u : system.inputs) append(directions, u.direction);
  for (const Quantity& y : outputs) append(gradients, output_row(y.expr, system));
  const auto numbers = [&](const Exprs& list, std::size_t rows) { return values_of(problem, start, list, rows); };

  const NamedMatrix M = described({"M", "M", coordinates, coordinates, numbers(dense(e.mass()), coordinates.size())});
  const NamedMatrix G = described({"G", "G", names_in_list(system.constraints), coordinates,
                                   numbers(dense(e.gradient), system.constraints.size())});
  const NamedMatrix B =
      described({"B", "B", names_in_list(system.inputs), coordinates, numbers(directions, system.inputs.size())});
  NullSpace null = allowed_velocities(G.values, static_cast<Eigen::Index>(coordinates.size()) - G.rank);
  for (const Eigen::Index i : null.independent) free.push_back(coordinates[static_cast<std::size_t>(i)]);
  const NamedMatrix P = described({"P", "P", coordinates, free, std::move(null.P)});
  const NamedMatrix S = described({"S", "S", names_in_list(outputs), coordinates, numbers(gradients, outputs.size())});
  std::vector<NamedMatrix> all = {M, G, B, P, S};
  if (std::optional<NamedMatrix> product = accelerations_by_inputs(M, B, P, S)) all.push_back(std::move(*product));
  return all;
}

std::string to_csv(const NamedMatrix& m) {
  std::string text = csv_name(m.name);
  for (const std::string& column : m.columns) text += "," + csv_name(column);
  text += '\n';
  for (Eigen::Index i = 0; i < m.values.rows(); ++i) {
    text += csv_name(m.rows[static_cast<std::size_t>(i)]);
    for (Eigen::Index j = 0; j < m.values.cols(); ++j) text += fmt::format(",{:.17g}", m.values(i, j));
    text += '\n';
  }
  return text;
}

JsonObject MatricesSummary::figures() const {
  JsonObject all;
  for (const NamedMatrix& m : list_)
    all.push_back({m.file, JsonObject{{"matrix", m.name},
                                      {"rows", m.rows},
                                      {"columns", m.columns},
                                      {"values", by_rows(m.values)},
                                      {"rank", m.rank},
                                      {"singular_values",
                                       std::vector<double>(m.singular_values.begin(), m.singular_values.end())}}});
  return all;
}

std::vector<std::string> MatricesSummary::sentences(const Summary&) const {
  std::vector<std::string> list;
  for (const NamedMatrix& m : list_) {
    std::string text = fmt::format("{}: {} × {}", m.name, m.rows.size(), m.columns.size());
    if (m.values.size() > 0) text += fmt::format(", rank {}", m.rank);
    if (m.file == "SMB" && m.singular_values.size() > 0)
      text += fmt::format(", singular values {:.6g}", fmt::join(m.singular_values, ", "));
    list.push_back(text);
  }
  if (list_.back().file != "SMB")
    list.push_back("S M⁻¹ Bᵀ: there is none, since velocities that the constraints allow move no mass");
  return list;
}

}  // namespace invar

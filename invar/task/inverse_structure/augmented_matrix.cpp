// See augmented_matrix.h.
#include "invar/task/inverse_structure/augmented_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/math/decompositions.h"
#include "invar/math/rank.h"
#include "invar/math/svd.h"
#include "invar/system/equations.h"
#include "invar/task/inverse_structure/impossible.h"

namespace invar {

namespace {

// Of each output with respect to the highest derivatives of the coordinates in it: those that the inputs change at once
// are two orders above a position and one above a velocity.
std::vector<Exprs> output_gradients(const Exprs& outputs, const System& system) {
  std::vector<Exprs> rows;
  for (const Expr& output : outputs)
    for (int order = 2; order >= 0; --order) {
      Exprs symbols, row;
      for (const Variable& x : system.coordinates) symbols.push_back(at(x, order));
      const SparseExprs s = jacobian(Exprs{output}, symbols);
      bool present = false;
      for (int j = 0; j < static_cast<int>(symbols.size()); ++j) {
        row.push_back(s.at(0, j));
        present = present || !row.back().is_constant(0.0);
      }
      if (!present && order > 0) continue;
      rows.push_back(std::move(row));
      break;
    }
  return rows;
}

// M, G, the directions and the gradients of the outputs, row by row.
Exprs entries(const Problem& problem) {
  const System& system = problem.system;
  const Equations e = equations(system);
  const int n = static_cast<int>(e.q.size()), m = static_cast<int>(e.constraint.size());
  Exprs outputs, all;
  for (const ServoTarget& target : problem.targets) outputs.push_back(target.expr);
  const std::vector<Exprs> gradients = output_gradients(outputs, system);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) all.push_back(e.mass().at(i, j));
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) all.push_back(e.gradient.at(i, j));
  for (const Input& u : system.inputs) all.insert(all.end(), u.direction.begin(), u.direction.end());
  for (int i = 0; i < static_cast<int>(outputs.size()); ++i)
    all.insert(all.end(), gradients[static_cast<std::size_t>(i)].begin(), gradients[static_cast<std::size_t>(i)].end());
  return all;
}

std::vector<Reference> references(const Problem& problem) {
  std::vector<Reference> all = problem.signals;
  for (const ServoTarget& target : problem.targets) all.insert(all.end(), target.follow.begin(), target.follow.end());
  return all;
}

// Factors of rows and columns that do away with units, alike for all jets: a coordinate counts with the root of its
// largest mass, one without mass with its largest share in a gradient; a gradient or a direction with its largest
// length in such coordinates.
struct Scale {
  Vector row, column;
};

double inverse(double x) { return x > 0.0 ? 1.0 / x : 1.0; }

Scale scale_along(AugmentedMatrix& matrix, std::span<const Jet> jets) {
  const Eigen::Index n = matrix.coordinates();
  std::vector<Matrix> all;
  Vector mass = Vector::Zero(n);
  for (const Jet& jet : jets) {
    Matrix a = matrix.at(jet);
    if (!a.allFinite()) continue;
    mass = mass.cwiseMax(a.diagonal().head(n));
    all.push_back(std::move(a));
  }
  Vector unit = mass.unaryExpr([](double m) { return m > 0.0 ? 1.0 / std::sqrt(m) : 0.0; }), reach = Vector::Zero(n);
  for (const Matrix& a : all) {
    const Matrix gradients = a.bottomLeftCorner(a.rows() - n, n).cwiseAbs();
    const Vector length = (gradients * unit.asDiagonal()).rowwise().maxCoeff().unaryExpr(&inverse);
    reach = reach.cwiseMax((length.asDiagonal() * gradients).colwise().maxCoeff().transpose());
  }
  for (Eigen::Index i = 0; i < n; ++i)
    if (unit(i) == 0.0) unit(i) = inverse(reach(i));
  Vector row, column;
  for (const Matrix& a : all) {
    if (row.size() == 0) row = column = Vector::Zero(a.rows() - n);
    row = row.cwiseMax((a.bottomLeftCorner(a.rows() - n, n) * unit.asDiagonal()).rowwise().norm());
    column = column.cwiseMax((unit.asDiagonal() * a.topRightCorner(n, a.cols() - n)).colwise().norm().transpose());
  }
  Scale s{Vector(n + row.size()), Vector(n + column.size())};
  s.row << unit, row.unaryExpr(&inverse);
  s.column << unit, column.unaryExpr(&inverse);
  return s;
}

Matrix scaled(AugmentedMatrix& matrix, const Scale& s, const Jet& jet) {
  return s.row.asDiagonal() * matrix.at(jet) * s.column.asDiagonal();
}

double reciprocal_condition_of(const Matrix& a) {
  if (!a.allFinite()) return 0.0;
  const Eigen::PartialPivLU<Matrix> lu(a);
  if (lu.matrixLU().diagonal().cwiseAbs().minCoeff() == 0.0) return 0.0;  // of which the estimate knows nothing
  const double r = lu.rcond();
  return std::isfinite(r) ? r : 0.0;
}

// Those of `names` that stand out in a null vector.
std::vector<std::string> prominent(const std::vector<std::string>& names, const Vector& part) {
  constexpr double stands_out = 0.1;
  std::vector<std::string> found;
  const double most = part.cwiseAbs().maxCoeff();
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::abs(part(static_cast<Eigen::Index>(i))) > stands_out * most) found.push_back(names[i]);
  return found;
}

std::string counted(const char* noun, const std::vector<std::string>& names) {
  return fmt::format("{}{} {}", noun, names.size() == 1 ? "" : "s", listed(names));
}

}  // namespace

AugmentedMatrix::AugmentedMatrix(const Problem& problem)
    : coordinates_(static_cast<Eigen::Index>(problem.system.coordinates.size())),
      constraints_(static_cast<Eigen::Index>(problem.system.constraints.size())),
      entries_(problem.system, entries(problem), references(problem)) {
  for (const Input& u : problem.system.inputs) inputs_.push_back(u.name);
  for (const ServoTarget& target : problem.targets) outputs_.push_back(target.output);
}

Matrix AugmentedMatrix::at(const Jet& jet) {
  const Eigen::Index n = coordinates_, m = constraints_;
  const auto inputs = static_cast<Eigen::Index>(inputs_.size()), outputs = static_cast<Eigen::Index>(outputs_.size());
  State state{jet.t, {}, {}, {}, {}};
  for (Eigen::Index i = 0; i < n; ++i) {
    const std::vector<double>& x = jet.x[static_cast<std::size_t>(i)];
    state.q.push_back(x[0]);
    state.v.push_back(x.size() > 1 ? x[1] : 0.0);
  }
  const std::vector<double> values = entries_(state);
  auto value = values.begin();
  Matrix a = Matrix::Zero(n + m + outputs, n + m + inputs);
  for (Eigen::Index i = 0; i < n + m; ++i)
    for (Eigen::Index j = 0; j < n; ++j) a(i, j) = *value++;
  a.block(0, n, n, m) = a.block(n, 0, m, n).transpose();
  for (Eigen::Index k = 0; k < inputs; ++k)
    for (Eigen::Index i = 0; i < n; ++i) a(i, n + m + k) = *value++;
  for (Eigen::Index k = 0; k < outputs; ++k)
    for (Eigen::Index j = 0; j < n; ++j) a(n + m + k, j) = *value++;
  return a;
}

std::vector<double> conditioning(AugmentedMatrix& matrix, std::span<const Jet> jets) {
  const Scale s = scale_along(matrix, jets);
  std::vector<double> all;
  for (const Jet& jet : jets) all.push_back(reciprocal_condition_of(scaled(matrix, s, jet)));
  return all;
}

std::string breakdown_in_words(AugmentedMatrix& matrix, std::span<const Jet> jets) {
  const std::vector<double> all = conditioning(matrix, jets);
  const double r = all.back(), best = *std::max_element(all.begin(), all.end());
  const Matrix last = scaled(matrix, scale_along(matrix, jets), jets.back());
  if (r > much_worse * best || !last.allFinite()) return {};
  const Svd parts = svd(last);
  const auto inputs = static_cast<Eigen::Index>(matrix.inputs().size()),
             outputs = static_cast<Eigen::Index>(matrix.outputs().size());
  const std::vector<std::string> who = prominent(matrix.inputs(), parts.V.rightCols(1).bottomRows(inputs)),
                                 what = prominent(matrix.outputs(), parts.U.rightCols(1).bottomRows(outputs));
  return fmt::format(
      "{} no longer accelerate{} {}{} there (augmented matrix of masses, input directions and outputs nearly singular, "
      "condition number {}, {:.1e} at best)",
      counted("input", who), who.size() == 1 ? "s" : "", counted("output", what),
      what.size() == 1 ? "" : " independently", r > 0.0 ? fmt::format("{:.1e}", 1.0 / r) : "infinite", 1.0 / best);
}

void require_independent_inputs(AugmentedMatrix& matrix, const Jet& jet) {
  const Matrix a = matrix.at(jet);
  const auto inputs = static_cast<Eigen::Index>(matrix.inputs().size());
  if (inputs == 0 || !a.allFinite()) return;
  const Vector unit = scale_along(matrix, {&jet, 1}).row.head(matrix.coordinates());
  const RowRank found = row_rank((unit.asDiagonal() * a.topRightCorner(matrix.coordinates(), inputs)).transpose());
  if (found.dependent.empty()) return;
  const Dependency& d = found.dependent.front();
  const std::string& name = matrix.inputs()[static_cast<std::size_t>(d.row)];
  if (d.combination.empty())
    throw InputError(fmt::format("cannot be inverted: input \"{}\" pushes nothing where the motion starts", name));
  std::vector<std::string> others;
  for (const auto& [row, factor] : d.combination) others.push_back(matrix.inputs()[static_cast<std::size_t>(row)]);
  throw InputError(fmt::format(
      "cannot be inverted: input \"{}\" pushes in the same direction as {} {}, so they cannot accelerate the outputs "
      "independently; choose another direction for one of them",
      name, others.size() == 1 ? "input" : "a combination of inputs", listed(others)));
}

}  // namespace invar

// See augmented_matrix.h.
#include "invar/task/inverse_structure/augmented_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/math/decompositions.h"
#include "invar/math/rank.h"
#include "invar/math/sparse_condition.h"
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

template <class Visit>
void for_each_entry(const Pattern& pattern, std::span<const double> values, const Visit& visit) {
  std::size_t place = 0;
  for (int col = 0; col < pattern.cols; ++col)
    for (; place < static_cast<std::size_t>(pattern.start[static_cast<std::size_t>(col) + 1]); ++place)
      visit(static_cast<Eigen::Index>(pattern.row[place]), static_cast<Eigen::Index>(col), values[place]);
}

bool finite(const std::vector<double>& x) {
  return std::ranges::all_of(x, [](double y) { return std::isfinite(y); });
}

Scale scale_along(AugmentedMatrix& matrix, const std::vector<std::vector<double>>& all) {
  const Eigen::Index n = matrix.coordinates(), rows = matrix.pattern().rows, cols = matrix.pattern().cols;
  Vector mass = Vector::Zero(n), reach = Vector::Zero(n), length(rows);
  for (const std::vector<double>& values : all)
    for_each_entry(matrix.pattern(), values, [&](Eigen::Index i, Eigen::Index j, double x) {
      if (i == j && i < n) mass[i] = std::max(mass[i], x);
    });
  Vector unit = mass.unaryExpr([](double m) { return m > 0.0 ? 1.0 / std::sqrt(m) : 0.0; });
  for (const std::vector<double>& values : all) {
    length.setZero();
    for_each_entry(matrix.pattern(), values, [&](Eigen::Index i, Eigen::Index j, double x) {
      if (i >= n && j < n) length[i] = std::max(length[i], std::abs(x) * unit[j]);
    });
    length = length.unaryExpr(&inverse).eval();
    for_each_entry(matrix.pattern(), values, [&](Eigen::Index i, Eigen::Index j, double x) {
      if (i >= n && j < n) reach[j] = std::max(reach[j], length[i] * std::abs(x));
    });
  }
  for (Eigen::Index i = 0; i < n; ++i)
    if (unit(i) == 0.0) unit(i) = inverse(reach(i));
  Vector row = Vector::Zero(rows - n), column = Vector::Zero(cols - n);
  for (const std::vector<double>& values : all) {
    Vector row_now = Vector::Zero(rows - n), column_now = Vector::Zero(cols - n);
    for_each_entry(matrix.pattern(), values, [&](Eigen::Index i, Eigen::Index j, double x) {
      if (i >= n && j < n) row_now[i - n] += std::pow(x * unit[j], 2);
      if (i < n && j >= n) column_now[j - n] += std::pow(x * unit[i], 2);
    });
    row = row.cwiseMax(row_now.cwiseSqrt());
    column = column.cwiseMax(column_now.cwiseSqrt());
  }
  Scale s{Vector(rows), Vector(cols)};
  s.row << unit, row.unaryExpr(&inverse);
  s.column << unit, column.unaryExpr(&inverse);
  return s;
}

// The values at the jets; those that are not finite are left out.
std::vector<std::vector<double>> finite_values(AugmentedMatrix& matrix, std::span<const Jet> jets) {
  std::vector<std::vector<double>> all;
  for (const Jet& jet : jets) {
    std::vector<double> values;
    matrix.at(jet, values);
    if (finite(values)) all.push_back(std::move(values));
  }
  return all;
}

Scale scale_along(AugmentedMatrix& matrix, std::span<const Jet> jets) {
  return scale_along(matrix, finite_values(matrix, jets));
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

// M, the gradients of constraints and outputs, and the directions, without zeros.
struct AugmentedMatrix::Entries {
  struct Entry {
    int col, row;
    std::size_t formula;
    auto operator<=>(const Entry&) const = default;
  };
  std::vector<Entry> list;
  Exprs formulas;

  explicit Entries(const Problem& problem) {
    const System& system = problem.system;
    const Equations e = equations(system);
    const int n = static_cast<int>(e.q.size()), m = static_cast<int>(e.constraint.size());
    add_all(e.mass(), 0);
    add_all(e.gradient, n);
    for (std::size_t k = 0; k < system.inputs.size(); ++k)
      for (int i = 0; i < n; ++i)
        add(i, n + m + static_cast<int>(k), system.inputs[k].direction[static_cast<std::size_t>(i)]);
    Exprs outputs;
    for (const ServoTarget& target : problem.targets) outputs.push_back(target.expr);
    const std::vector<Exprs> gradients = output_gradients(outputs, system);
    for (std::size_t k = 0; k < gradients.size(); ++k)
      for (int j = 0; j < n; ++j) add(n + m + static_cast<int>(k), j, gradients[k][static_cast<std::size_t>(j)]);
    std::ranges::sort(list);
  }

 private:
  void add(int row, int col, const Expr& formula) {
    if (formula.is_constant(0.0)) return;
    list.push_back({col, row, formulas.size()});
    formulas.push_back(formula);
  }
  // Gradients stand on both sides.
  void add_all(const SparseExprs& part, int first_row) {
    for (int j = 0; j < part.pattern.cols; ++j)
      for (auto k = static_cast<std::size_t>(part.pattern.start[static_cast<std::size_t>(j)]);
           k < static_cast<std::size_t>(part.pattern.start[static_cast<std::size_t>(j) + 1]); ++k) {
        const int row = first_row + part.pattern.row[k];
        const std::size_t before = list.size();
        add(row, j, part.value[k]);
        if (first_row > 0 && list.size() > before) list.push_back({row, j, list.back().formula});
      }
  }
};

AugmentedMatrix::AugmentedMatrix(const Problem& problem) : AugmentedMatrix(problem, Entries(problem)) {}

AugmentedMatrix::AugmentedMatrix(const Problem& problem, Entries entries)
    : coordinates_(static_cast<Eigen::Index>(problem.system.coordinates.size())),
      entries_(problem.system, entries.formulas, references(problem)) {
  for (const Input& u : problem.system.inputs) inputs_.push_back(u.name);
  for (const ServoTarget& target : problem.targets) outputs_.push_back(target.output);
  const std::size_t common = problem.system.coordinates.size() + problem.system.constraints.size();
  pattern_.rows = static_cast<int>(common + outputs_.size());
  pattern_.cols = static_cast<int>(common + inputs_.size());
  auto entry = entries.list.begin();
  for (int col = 0; col < pattern_.cols; ++col) {
    for (; entry != entries.list.end() && entry->col == col; ++entry) {
      pattern_.row.push_back(entry->row);
      formula_.push_back(entry->formula);
    }
    pattern_.start.push_back(static_cast<int>(pattern_.row.size()));
  }
}

void AugmentedMatrix::at(const Jet& jet, std::vector<double>& values) {
  State state{jet.t, {}, {}, {}, {}};
  for (Eigen::Index i = 0; i < coordinates_; ++i) {
    const Derivatives& x = jet.x[static_cast<std::size_t>(i)];
    state.q.push_back(x[0]);
    state.v.push_back(x.size() > 1 ? x[1] : 0.0);
  }
  const std::vector<double> found = entries_(state);
  values.resize(formula_.size());
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = found[formula_[k]];
}

Matrix AugmentedMatrix::at(const Jet& jet) {
  std::vector<double> values;
  at(jet, values);
  Matrix a = Matrix::Zero(pattern_.rows, pattern_.cols);
  for_each_entry(pattern_, values, [&](Eigen::Index i, Eigen::Index j, double x) { a(i, j) = x; });
  return a;
}

std::vector<double> conditioning(AugmentedMatrix& matrix, std::span<const Jet> jets) {
  constexpr int large = 60;  // rows from which on sparse factors pay
  const Scale s = scale_along(matrix, jets);
  std::vector<double> all;
  if (matrix.pattern().rows < large || matrix.pattern().rows != matrix.pattern().cols) {
    for (const Jet& jet : jets) all.push_back(reciprocal_condition_of(scaled(matrix, s, jet)));
    return all;
  }
  SparseCondition condition(matrix.pattern());
  std::vector<double> values;
  for (const Jet& jet : jets) {
    matrix.at(jet, values);
    double* next = values.data();
    for_each_entry(matrix.pattern(), values,
                   [&](Eigen::Index i, Eigen::Index j, double x) { *next++ = s.row[i] * x * s.column[j]; });
    all.push_back(finite(values) ? condition.reciprocal(values) : 0.0);
  }
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

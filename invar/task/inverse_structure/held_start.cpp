// See held_start.h.
#include "invar/task/inverse_structure/held_start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/dae/stages.h"
#include "invar/math/svd.h"

namespace invar {

namespace {

// Of the singular values of J in balanced units: an extrapolated start has errors of about 1e-8, regular ones lie above
// 1e-3.
constexpr double open_below = 1e-6;

// One unknown of a jet, expanded.
class Expansion : public TimeFunction {
 public:
  Expansion(const Jet& jet, std::size_t unknown) : jet_{jet.t, jet.side, {jet.x[unknown]}} {}

  void series(double t, Side, std::span<double> out) const override {
    const Derivatives x = shifted(jet_, t).x.front();
    double factorial = 1.0;
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (k > 1) factorial *= static_cast<double>(k);
      out[k] = k < x.size() ? x[k] / factorial : 0.0;
    }
  }
  std::vector<double> knots() const override { return {}; }
  int smoothness() const override { return analytic; }
  std::string describe() const override { return "expansion"; }

 private:
  Jet jet_;
};

// Rows and columns brought to largest entries near one, both at the start and after it.
struct Balanced {
  Vector row, column;

  explicit Balanced(const Matrix& largest) : row(Vector::Ones(largest.rows())), column(Vector::Ones(largest.cols())) {
    const auto inverse_root = [](double x) { return x > 0.0 ? 1.0 / std::sqrt(x) : 1.0; };
    for (int sweep = 0; sweep < 10; ++sweep) {
      row = row.cwiseProduct(
          (row.asDiagonal() * largest * column.asDiagonal()).rowwise().maxCoeff().unaryExpr(inverse_root));
      column = column.cwiseProduct(
          (row.asDiagonal() * largest * column.asDiagonal()).colwise().maxCoeff().transpose().unaryExpr(inverse_root));
    }
  }
};

// One place for each column of N in which these vectors, combined, are largest; only `candidates` if any of them
// counts.
std::vector<int> prominent(Matrix N, const std::vector<bool>& candidates) {
  constexpr double counts = 0.1;  // of the largest entry
  std::vector<int> places;
  for (Eigen::Index k = 0; k < N.cols(); ++k) {
    Vector size = N.rowwise().norm(), preferred = size;
    for (Eigen::Index i = 0; i < size.size(); ++i)
      if (!candidates[static_cast<std::size_t>(i)]) preferred[i] = 0.0;
    Eigen::Index best = 0;
    if (preferred.maxCoeff() > counts * size.maxCoeff()) size = preferred;
    size.maxCoeff(&best);
    places.push_back(static_cast<int>(best));
    const Vector direction = N.row(best).transpose().normalized();
    N -= N * direction * direction.transpose();
  }
  return places;
}

}  // namespace

HeldStart hold_open_unknowns(const InverseStructure& s) {
  expects(s.singular_start, "a singular start");
  StagedSolver solver(*s.evaluator, s.formal);
  const Matrix at_start = solver.system_jacobian(s.start), later = solver.system_jacobian(s.near);
  const Balanced units(at_start.cwiseAbs().cwiseMax(later.cwiseAbs()));
  const Svd parts = svd(units.row.asDiagonal() * at_start * units.column.asDiagonal());
  const Eigen::Index open = (parts.values.array() < open_below * parts.values[0]).count();
  std::vector<bool> coordinates, any(s.dae.equations.size(), true);
  for (const DaeUnknown& x : s.dae.unknowns) coordinates.push_back(x.kind == UnknownKind::coordinate);
  const std::vector<int> unknowns = prominent(parts.V.rightCols(open), coordinates),
                         equations = prominent(parts.U.rightCols(open), any);
  HeldStart held{s.dae, s.near.t, {}};
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    const auto j = static_cast<std::size_t>(unknowns[k]);
    const std::string name = fmt::format("expansion of \"{}\"", s.dae.unknowns[j].name);
    const Reference value = {name, held.dae.graph.reference(name), std::make_shared<Expansion>(s.near, j)};
    held.dae.references.push_back(value);
    held.dae.equations[static_cast<std::size_t>(equations[k])] = {
        name, at(s.dae.unknowns[j].variable) - at(value.value), EquationKind::constraint};
    held.held.push_back(s.dae.unknowns[j].name);
  }
  return held;
}

}  // namespace invar

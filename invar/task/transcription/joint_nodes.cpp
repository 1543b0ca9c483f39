// See joint_nodes.h.
#include "invar/task/transcription/joint_nodes.h"

#include <Eigen/QR>
#include <numbers>
#include <random>

#include "invar/base/error.h"
#include "invar/math/rank.h"
#include "invar/model/mechanism/assemble.h"
#include "invar/model/mechanism/minimal.h"
#include "invar/task/transcription/end_equations.h"

namespace invar {

JointNodes::JointNodes(Exprs mu, Exprs image, std::vector<double> start)
    : mu_(std::move(mu)),
      image_(std::move(image)),
      start_(std::move(start)),
      function_(mu_, with_rows_of_jacobian(image_, mu_)) {
  find_independent();
}

std::optional<JointNodes> JointNodes::of(const Problem& problem, const System& system, const std::vector<double>& q0) {
  if (!problem.mechanism || problem.formulation != Formulation::director || !system.nodal) return std::nullopt;
  const MinimalForm minimal = minimal_form(*problem.mechanism, assemble(*problem.mechanism));
  if (!minimal.loops.empty() || minimal.mapping.image.size() != q0.size()) return std::nullopt;
  Exprs mu;
  for (const Variable& x : minimal.mapping.coordinates) mu.push_back(invar::at(x));
  JointNodes nodes(std::move(mu), minimal.mapping.image, minimal.start);
  if (!nodes.regular()) return std::nullopt;
  nodes.follow(q0, nodes.start_);
  constexpr double same = 1e-9;
  const Vector distance = nodes.at(nodes.start_).q - first_of(q0, q0.size());
  if (!(distance.cwiseAbs().maxCoeff() < same)) return std::nullopt;
  return nodes;
}

JointNodes::Image JointNodes::at(std::span<const double> mu) const {
  std::vector<double> numbers(function_.output_count());
  Scratch scratch;
  function_(mu, numbers, scratch);
  return {first_of(numbers, image_.size()), rows_from(numbers, image_.size(), image_.size(), mu_.size())};
}

// Three angles about turning axes are dependent where the second one makes the others turn about the same axis: it is
// then a multiple of a right angle.
bool JointNodes::regular() const {
  constexpr double dependent = 1e-6;
  for (std::size_t j = 0; j < mu_.size(); ++j)
    for (const double quarters : {-1.0, 0.0, 1.0, 2.0}) {
      std::vector<double> mu = start_;
      mu[j] = 0.5 * std::numbers::pi * quarters;
      const Matrix slope = at(mu).slope.colwise().normalized();
      if (rank(slope, dependent, Scaling::none) < static_cast<int>(mu.size())) return false;
    }
  return true;
}

// From differences between configurations that were chosen at random.
void JointNodes::find_independent() {
  const auto n = static_cast<Eigen::Index>(image_.size());
  const Eigen::Index more = 8;  // than could be independent
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  const Vector first = at(start_).q;
  Matrix differences(n, n + more);
  for (Eigen::Index k = 0; k < differences.cols(); ++k) {
    std::vector<double> mu = start_;
    for (double& x : mu) x += uniform(random);
    differences.col(k) = at(mu).q - first;
  }
  const RowRank rows = row_rank(differences);
  const auto count = static_cast<Eigen::Index>(rows.independent.size());
  combination_ = Matrix::Zero(n, count);
  std::vector<Eigen::Index> column(image_.size(), -1);
  for (const int row : rows.independent) {
    column[static_cast<std::size_t>(row)] = std::ssize(independent_);
    combination_(row, std::ssize(independent_)) = 1.0;
    independent_.push_back(static_cast<std::size_t>(row));
  }
  for (const Dependency& d : rows.dependent)
    for (const auto& [other, factor] : d.combination)
      combination_(d.row, column[static_cast<std::size_t>(other)]) = factor;
}

void JointNodes::follow(std::span<const double> q, std::vector<double>& mu) const {
  constexpr int most_steps = 20;
  constexpr double small = 1e-14;
  const Eigen::Map<const Vector> wanted(q.data(), std::ssize(q));
  for (int k = 0; k < most_steps; ++k) {
    const Image now = at(mu);
    const Vector step = now.slope.colPivHouseholderQr().solve(wanted - now.q);
    if (!step.allFinite()) return;
    for (std::size_t j = 0; j < mu.size(); ++j) mu[j] += step(static_cast<Eigen::Index>(j));
    if (step.cwiseAbs().maxCoeff() < small * (1.0 + first_of(mu, mu.size()).cwiseAbs().maxCoeff())) return;
  }
}

std::vector<double> JointNodes::rates(std::span<const double> mu, std::span<const double> v) const {
  const Eigen::Map<const Vector> wanted(v.data(), std::ssize(v));
  const Vector rate = at(mu).slope.colPivHouseholderQr().solve(wanted);
  return {rate.begin(), rate.end()};
}

}  // namespace invar

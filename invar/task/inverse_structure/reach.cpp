// See reach.h.
#include "invar/task/inverse_structure/reach.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "invar/dae/structure.h"
#include "invar/math/decompositions.h"
#include "invar/math/rank.h"

namespace invar {

namespace {

constexpr double constraint_weight = 100.0;
constexpr double reached_below = 1e-8;  // of the coordinates; Newton's method would take it from there
constexpr int starts = 12, max_iterations = 200;

// Constraints and outputs that are formulas of positions alone, as functions of the coordinates in natural units.
class Positions {
 public:
  Positions(const Dae& dae, JetEvaluator& evaluator, const Jet& jet) : evaluator_(evaluator), jet_(jet) {
    const Signature s = signature(dae);
    for (std::size_t j = 0; j < dae.unknowns.size(); ++j)
      if (dae.unknowns[j].kind == UnknownKind::coordinate) columns_.push_back({static_cast<int>(j), 0});
    unit_.resize(static_cast<Eigen::Index>(columns_.size()));
    for (std::size_t j = 0; j < columns_.size(); ++j)
      unit_[static_cast<Eigen::Index>(j)] = evaluator.units().unknown(static_cast<std::size_t>(columns_[j].index));
    for (std::size_t i = 0; i < dae.equations.size(); ++i) {
      if (dae.equations[i].kind == EquationKind::dynamics) continue;
      if (std::all_of(s.order[i].begin(), s.order[i].end(), [](int order) { return order <= 0; })) {
        rows_.push_back({static_cast<int>(i), 0});
        is_output_.push_back(dae.equations[i].kind == EquationKind::servo);
      }
    }
    set_weights();
  }

  Vector coordinates() const {
    Vector q(static_cast<Eigen::Index>(columns_.size()));
    for (std::size_t j = 0; j < columns_.size(); ++j)
      q[static_cast<Eigen::Index>(j)] = jet_.x[static_cast<std::size_t>(columns_[j].index)][0];
    return q.cwiseQuotient(unit_);
  }
  Vector residual(const Vector& q) { return weight_.cwiseProduct(plain_residual(q)); }
  Vector plain_residual(const Vector& q) {
    set(q);
    evaluator_.residuals(jet_, 0, f_);
    Vector r(static_cast<Eigen::Index>(rows_.size()));
    for (std::size_t i = 0; i < rows_.size(); ++i) r[static_cast<Eigen::Index>(i)] = f_(rows_[i].index, 0);
    return r;
  }
  Matrix gradient(const Vector& q) {
    set(q);
    return weight_.asDiagonal() * evaluator_.array(jet_, rows_, columns_) * unit_.asDiagonal();
  }
  const std::vector<Derivative>& rows() const { return rows_; }
  bool is_output(std::size_t row) const { return is_output_[row]; }

 private:
  void set(const Vector& q) {
    for (std::size_t j = 0; j < columns_.size(); ++j)
      jet_.x[static_cast<std::size_t>(columns_[j].index)][0] =
          q[static_cast<Eigen::Index>(j)] * unit_[static_cast<Eigen::Index>(j)];
  }
  // Residuals in units of the coordinates. Outputs of one size have one weight, so that distances in space stay
  // distances.
  void set_weights() {
    constexpr double another_size = 1e-2;
    weight_ = Vector::Ones(static_cast<Eigen::Index>(rows_.size()));
    const Vector size = gradient(coordinates()).rowwise().norm();
    double largest = 0.0;
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (is_output_[i]) largest = std::max(largest, size[static_cast<Eigen::Index>(i)]);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      const double scale = is_output_[i] && size[row] > another_size * largest ? largest : size[row];
      weight_[row] = (is_output_[i] ? 1.0 : constraint_weight) / (scale > 0.0 ? scale : 1.0);
    }
  }

  JetEvaluator& evaluator_;
  Jet jet_;
  std::vector<Derivative> rows_, columns_;
  std::vector<bool> is_output_;
  Vector unit_, weight_;
  Matrix f_;
};

// A local minimum of |r|² near q, which becomes it; the largest residual there. By Levenberg and Marquardt, not by
// math/newton.h: out of reach there is no solution, and the nearest place is wanted.
double minimise(Positions& at, Vector& q) {
  double damping = 1e-3;
  Vector r = at.residual(q);
  for (int k = 0; k < max_iterations && r.allFinite(); ++k) {
    const Matrix G = at.gradient(q);
    const Vector slope = G.transpose() * r;
    if (r.cwiseAbs().maxCoeff() < 1e-3 * reached_below || slope.norm() < 1e-12 * G.norm() * r.norm()) break;
    Matrix H = G.transpose() * G;
    H.diagonal().array() += damping * std::max(H.diagonal().maxCoeff(), 1e-300);
    const Vector trial = q - H.ldlt().solve(slope);
    const Vector after = at.residual(trial);
    if (after.allFinite() && after.norm() < r.norm()) {
      q = trial;
      r = after;
      damping = std::max(damping / 5.0, 1e-15);
    } else {
      damping *= 4.0;
      if (damping > 1e8) break;
    }
  }
  return r.allFinite() ? r.cwiseAbs().maxCoeff() : 1e300;
}

// Rows that depend on each other whatever the configuration are no question of reach.
bool independent_somewhere(Positions& at, const Vector& given, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  for (int k = 0; k < 3; ++k) {
    Vector q = given;
    for (double& x : q) x += 0.1 * std::max(1.0, std::abs(x)) * normal(random);
    const Matrix G = at.gradient(q);
    if (G.allFinite() && rank(G) == G.rows()) return true;
  }
  return false;
}

}  // namespace

std::vector<Miss> out_of_reach(const Dae& dae, JetEvaluator& evaluator, const Jet& jet) {
  Positions at(dae, evaluator, jet);
  if (at.rows().empty()) return {};
  const Vector given = at.coordinates();
  std::mt19937_64 random(11);
  if (!independent_somewhere(at, given, random)) return {};
  std::normal_distribution<double> normal;
  Vector best = given;
  double least = 1e300;
  for (int k = 0; k < starts; ++k) {
    Vector q = given;
    if (k > 0)
      for (double& x : q) x += 0.5 * std::max(1.0, std::abs(x)) * normal(random);
    const double largest = minimise(at, q);
    if (largest < least) {
      least = largest;
      best = q;
    }
    if (least < reached_below * (1.0 + best.cwiseAbs().maxCoeff())) return {};
  }
  const Vector r = at.plain_residual(best);
  double worst = 0.0;
  for (std::size_t i = 0; i < at.rows().size(); ++i)
    if (at.is_output(i)) worst = std::max(worst, std::abs(r[static_cast<Eigen::Index>(i)]));
  std::vector<Miss> misses;
  for (std::size_t i = 0; i < at.rows().size(); ++i) {
    const double distance = std::abs(r[static_cast<Eigen::Index>(i)]);
    if (at.is_output(i) && distance > 0.01 * worst)
      misses.push_back({dae.equations[static_cast<std::size_t>(at.rows()[i].index)].name, distance});
  }
  return misses;
}

std::string in_words(const std::vector<Miss>& misses) {
  std::vector<std::string> parts;
  for (const Miss& m : misses) parts.push_back(fmt::format("{} by {:.3g}", m.output, m.distance));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace invar

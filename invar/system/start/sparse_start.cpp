// See sparse_start.h. Every step solves [W Gᵀ; G 0] with the same pattern, W = M with weights where it has none.
#include "invar/system/start/sparse_start.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "invar/expr/lists.h"
#include "invar/math/linear_solver.h"
#include "invar/system/equations.h"
#include "invar/system/start/start_evaluation.h"
#include "invar/system/start/start_metric.h"

namespace invar {

namespace {

constexpr double satisfied_sparsely = 1e-12;  // of the gradient times the size of the coordinates
constexpr double acceptable = 1e-9;           // likewise, where Newton's method has ended
constexpr double regular_pivot = 1e-11;       // smallest pivot, relative
constexpr int max_sparse_corrections = 30;

}  // namespace

class SparseStart::Evaluation {
 public:
  Evaluation(const System& system, std::span<const Reference> references)
      : n_(static_cast<int>(system.coordinates.size())),
        m_(static_cast<int>(system.constraints.size())),
        equations_(std::make_shared<const Equations>(equations(system))),
        constant_mass_(invar::has_constant_mass(*equations_)),
        matrices_(system, joined(equations_->mass().value, equations_->gradient.value), references),
        value_(system, equations_->constraint, references),
        rate_(system, equations_->constraint_rate, references),
        motion_(system, joined(equations_->dynamics, equations_->constraint_acceleration), references) {
    const Equations& e = *equations_;
    // Places of the entries: the mass matrix with a full diagonal, the gradient and its transpose.
    std::map<std::pair<int, int>, std::size_t> places;  // by column, then row
    auto all = [&](auto&& visit) {
      for (int i = 0; i < n_; ++i) visit(i, i);
      each(e.mass(), [&](int r, int c, std::size_t) { visit(r, c); });
      each(e.gradient, [&](int r, int c, std::size_t) {
        visit(n_ + r, c);
        visit(c, n_ + r);
      });
    };
    all([&](int r, int c) { places[{c, r}] = 0; });
    pattern_.rows = pattern_.cols = n_ + m_;
    pattern_.start.assign(static_cast<std::size_t>(n_ + m_) + 1, 0);
    for (auto& [key, place] : places) {
      place = pattern_.row.size();
      pattern_.row.push_back(key.second);
      ++pattern_.start[static_cast<std::size_t>(key.first) + 1];
    }
    for (std::size_t c = 0; c + 1 < pattern_.start.size(); ++c) pattern_.start[c + 1] += pattern_.start[c];
    for (int i = 0; i < n_; ++i) diagonal_.push_back(places[{i, i}]);
    each(e.mass(), [&](int r, int c, std::size_t) { mass_.push_back(places[{c, r}]); });
    each(e.gradient, [&](int r, int c, std::size_t) {
      lower_.push_back(places[{c, n_ + r}]);
      upper_.push_back(places[{n_ + r, c}]);
    });
  }

  void set_parameters(std::span<const double> values) {
    for (StateFunction* f : {&matrices_, &value_, &rate_, &motion_}) f->set_parameters(values);
  }

  // The matrix at a state, with weights for massless coordinates or as it is.
  std::vector<double> matrix(const State& s, bool weighted) {
    numbers_ = matrices_(s);
    std::vector<double> values(pattern_.row.size(), 0.0);
    double largest = 0.0;
    for (std::size_t k = 0; k < mass_.size(); ++k) values[mass_[k]] = numbers_[k];
    for (std::size_t i : diagonal_) largest = std::max(largest, values[i]);
    for (std::size_t i : diagonal_)
      if (weighted) values[i] = values[i] > 0.0 ? values[i] * (1.0 + 1e-9) : largest > 0.0 ? 1e-3 * largest : 1.0;
    for (std::size_t k = 0; k < lower_.size(); ++k) values[lower_[k]] = values[upper_[k]] = numbers_[mass_.size() + k];
    return values;
  }

  // Scales rows and columns alike, so that the largest entry of each is about one: small masses of fine meshes are not
  // singular. Returns the factors.
  std::vector<double> equilibrate(std::vector<double>& values) const {
    constexpr int sweeps = 4;
    std::vector<double> scale(static_cast<std::size_t>(n_ + m_), 1.0);
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      std::vector<double> largest(scale.size(), 0.0);
      each_place([&](std::size_t r, std::size_t c, std::size_t k) {
        largest[r] = std::max(largest[r], std::abs(values[k]) * scale[r] * scale[c]);
      });
      for (std::size_t i = 0; i < scale.size(); ++i)
        if (largest[i] > 0.0) scale[i] /= std::sqrt(largest[i]);
    }
    each_place([&](std::size_t r, std::size_t c, std::size_t k) { values[k] *= scale[r] * scale[c]; });
    return scale;
  }

  // Largest violation of constraints of these levels, relative to its row and the sizes of x; the matrix has been
  // evaluated.
  double worst(const std::vector<double>& violation, const std::vector<double>& x, bool velocities) const {
    constexpr double jitter = 1e-3;  // a part of the largest coordinate
    const Equations& e = *equations_;
    double largest_coordinate = 0.0;
    for (const double value : x) largest_coordinate = std::max(largest_coordinate, std::abs(value));
    std::vector<double> scale(static_cast<std::size_t>(m_), 1e-300);
    std::size_t k = mass_.size();
    each(e.gradient, [&](int r, int c, std::size_t) {
      scale[static_cast<std::size_t>(r)] +=
          std::abs(numbers_[k++]) * std::max(jitter * largest_coordinate, std::abs(x[static_cast<std::size_t>(c)]));
    });
    double largest = 0.0;
    for (std::size_t c = 0; c < scale.size(); ++c) {
      if (e.level[c] == Level::acceleration || (e.level[c] == Level::velocity && !velocities)) continue;
      const double share = std::abs(violation[c]) / scale[c];
      largest = share <= largest ? largest : share;
    }
    return largest;
  }

  std::vector<double> value(const State& s) { return value_(s); }
  std::vector<double> rate(const State& s) { return rate_(s); }
  std::vector<double> motion(const State& s, std::span<const double> u) { return motion_(s, u); }
  const Pattern& pattern() const { return pattern_; }
  const Equations& formulas() const { return *equations_; }
  bool has_constant_mass() const { return constant_mass_; }
  int coordinates() const { return n_; }
  int constraints() const { return m_; }
  // The diagonal of the mass matrix.
  std::vector<double> masses(const State& s) {
    const std::vector<double> values = matrix(s, false);
    std::vector<double> diagonal;
    for (const std::size_t i : diagonal_) diagonal.push_back(values[i]);
    return diagonal;
  }

 private:
  template <class Visit>
  void each_place(const Visit& visit) const {
    for (std::size_t c = 0; c + 1 < pattern_.start.size(); ++c)
      for (int k = pattern_.start[c]; k < pattern_.start[c + 1]; ++k)
        visit(static_cast<std::size_t>(pattern_.row[static_cast<std::size_t>(k)]), c, static_cast<std::size_t>(k));
  }
  template <class Visit>
  static void each(const SparseExprs& m, const Visit& visit) {
    for (int c = 0; c < m.pattern.cols; ++c)
      for (int k = m.pattern.start[static_cast<std::size_t>(c)]; k < m.pattern.start[static_cast<std::size_t>(c) + 1];
           ++k)
        visit(m.pattern.row[static_cast<std::size_t>(k)], c, static_cast<std::size_t>(k));
  }

  int n_, m_;
  std::shared_ptr<const Equations> equations_;
  bool constant_mass_;
  StateFunction matrices_, value_, rate_, motion_;
  Pattern pattern_;
  std::vector<std::size_t> diagonal_, mass_, lower_, upper_;
  std::vector<double> numbers_;
};

SparseStart::SparseStart(const System& system, std::span<const Reference> references)
    : formulas_(std::make_shared<const Evaluation>(system, references)) {}

std::optional<Start> SparseStart::solve(const System& system, const State& given, std::span<const double> u,
                                        std::span<const double> parameters) const {
  Evaluation at = *formulas_;
  at.set_parameters(parameters);
  const auto n = static_cast<std::size_t>(at.coordinates()), m = static_cast<std::size_t>(at.constraints());
  LinearSolver solver(at.pattern());
  Start start;
  State& s = start.state;
  s = {given.t, given.q, given.v, {}, {}};
  auto solve = [&](std::vector<double> rhs, bool weighted) -> std::optional<std::vector<double>> {
    std::vector<double> matrix = at.matrix(s, weighted);
    const std::vector<double> scale = at.equilibrate(matrix);
    if (!solver.factor(matrix) || solver.reciprocal_condition() < regular_pivot) return std::nullopt;
    for (std::size_t i = 0; i < rhs.size(); ++i) rhs[i] *= scale[i];
    solver.solve(rhs);
    for (std::size_t i = 0; i < rhs.size(); ++i) rhs[i] *= scale[i];
    return std::all_of(rhs.begin(), rhs.end(), [](double x) { return std::isfinite(x); }) ? std::optional(rhs)
                                                                                          : std::nullopt;
  };
  // The smallest step that removes the violations of these constraints; others stay as they are.
  auto correction = [&](const std::vector<double>& violation, bool velocities) {
    std::vector<double> rhs(n + m, 0.0);
    for (std::size_t c = 0; c < m; ++c) {
      const Level level = at.formulas().level[c];
      if (level == Level::position || (velocities && level == Level::velocity)) rhs[n + c] = -violation[c];
    }
    return solve(std::move(rhs), true);
  };
  double left = 1.0;
  for (int k = 0; k < max_sparse_corrections; ++k) {
    at.matrix(s, true);
    const std::vector<double> violation = at.value(s);
    left = at.worst(violation, s.q, false);
    if (left <= satisfied_sparsely) break;
    const auto step = correction(violation, false);
    if (!step) return std::nullopt;
    for (std::size_t i = 0; i < n; ++i) s.q[i] += (*step)[i];
  }
  if (!(left <= acceptable)) return std::nullopt;
  const auto step = correction(at.rate(s), true);
  if (!step) return std::nullopt;
  for (std::size_t i = 0; i < n; ++i) s.v[i] += (*step)[i];
  if (!(at.worst(at.rate(s), s.v, true) <= acceptable)) return std::nullopt;

  s.a.assign(n, 0.0);
  s.lambda.assign(m, 0.0);
  std::vector<double> rhs = at.motion(s, u);
  for (double& x : rhs) x = -x;
  const auto motion = solve(std::move(rhs), false);
  if (!motion) return std::nullopt;
  std::copy_n(motion->begin(), n, s.a.begin());
  std::copy_n(motion->begin() + static_cast<std::ptrdiff_t>(n), m, s.lambda.begin());

  start.degrees_of_freedom = at.coordinates() - at.constraints();
  start.mass_kind = at.has_constant_mass() ? MassKind::constant : MassKind::configuration_dependent;
  const std::vector<double> masses = at.masses(s);
  start.mass_rank = static_cast<int>(std::ranges::count_if(masses, [](double mass) { return mass > 0.0; }));
  start.negative_masses = negative_masses(system, masses);
  note_changes(system, given, s, start.changes);
  return start;
}

}  // namespace invar

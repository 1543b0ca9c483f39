// The loop linearised around rest by central differences, in coordinates along the constraints. See sampled_loop.h.
#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/math/decompositions.h"
#include "invar/math/eigen_pairs.h"
#include "invar/system/equations.h"
#include "invar/task/control/controllers.h"
#include "invar/task/control/sampled_loop.h"

namespace invar {

namespace {

constexpr double small_change = 1e-6;  // relative to the size of what is changed, or absolute if that is below one

// Directions in which the constraints let the system move, as columns.
Eigen::MatrixXd free_directions(const System& system, const State& rest, std::span<const Reference> references) {
  const invar::Equations e = equations(system);
  const auto n = static_cast<Eigen::Index>(e.q.size()), m = static_cast<Eigen::Index>(e.constraint.size());
  if (m == 0) return Eigen::MatrixXd::Identity(n, n);
  StateFunction values(system, e.gradient.value, references);
  const std::vector<double> entries = values(rest);
  Eigen::MatrixXd g = Eigen::MatrixXd::Zero(m, n);
  for (Eigen::Index j = 0; j < n; ++j)
    for (int k = e.gradient.pattern.start[static_cast<std::size_t>(j)];
         k < e.gradient.pattern.start[static_cast<std::size_t>(j) + 1]; ++k)
      g(e.gradient.pattern.row[static_cast<std::size_t>(k)], j) = entries[static_cast<std::size_t>(k)];
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(g.transpose());
  const Eigen::MatrixXd all = qr.householderQ();
  return all.rightCols(n - qr.rank());
}

// The map from one sample to the next in local coordinates: along the directions for q and v, and the memory.
class SampleMap {
 public:
  SampleMap(const Problem& model, const State& rest, SampledLoop& loop)
      : rest_(rest), loop_(loop), directions_(free_directions(loop.system(), rest, model.signals)) {}

  // Runs a sample from rest, so that the memory is that of rest.
  bool settle() {
    loop_.start_at(rest_);
    if (!loop_.control() || !loop_.advance()) return false;
    memory_ = loop_.memory();
    const Eigen::VectorXd moved = here();
    // Where a loop starts in its rest, one sample moves nothing.
    constexpr double still = 1e-6;
    return moved.head(2 * directions_.cols()).cwiseAbs().maxCoeff() < still;
  }

  Eigen::Index size() const { return 2 * directions_.cols() + static_cast<Eigen::Index>(memory_.size()); }
  const std::vector<double>& memory() const { return memory_; }

  // Where a sample leads from a change of local coordinate i.
  std::optional<Eigen::VectorXd> from(Eigen::Index i, double change) {
    const Eigen::Index f = directions_.cols();
    State state{rest_.t, rest_.q, rest_.v, {}, {}};
    std::vector<double> memory = memory_;
    if (i < 2 * f) {
      std::vector<double>& part = i < f ? state.q : state.v;
      for (std::size_t j = 0; j < part.size(); ++j)
        part[j] += change * directions_(static_cast<Eigen::Index>(j), i < f ? i : i - f);
      state = loop_.consistent(state);
    } else {
      memory[static_cast<std::size_t>(i - 2 * f)] += change;
    }
    loop_.start_at(state);
    if (!loop_.control()) return std::nullopt;  // fills what waits
    loop_.remember(memory);
    if (!loop_.control() || !loop_.advance()) return std::nullopt;
    return here();
  }

 private:
  Eigen::VectorXd here() const {
    const Eigen::Index f = directions_.cols();
    const std::vector<double> memory = loop_.memory();
    Eigen::VectorXd x(2 * f + static_cast<Eigen::Index>(memory.size()));
    Eigen::VectorXd q(directions_.rows()), v(directions_.rows());
    for (Eigen::Index j = 0; j < q.size(); ++j) {
      q(j) = loop_.q()[static_cast<std::size_t>(j)] - rest_.q[static_cast<std::size_t>(j)];
      v(j) = loop_.v()[static_cast<std::size_t>(j)];
    }
    x << directions_.transpose() * q, directions_.transpose() * v,
        Eigen::Map<const Eigen::VectorXd>(memory.data(), static_cast<Eigen::Index>(memory.size()));
    return x;
  }

  const State& rest_;
  SampledLoop& loop_;
  Eigen::MatrixXd directions_;
  std::vector<double> memory_;
};

}  // namespace

LoopStability loop_stability(const Problem& moving) {
  LoopStability result;
  const Problem model = standing_still(moving);
  const std::unique_ptr<Controller> controller = make_controller(model);
  State rest = controller->wanted_start();
  std::fill(rest.v.begin(), rest.v.end(), 0.0);
  SampledLoop loop(model, ProblemStart(model, StartInputs::open), model.settings.of<ControlSettings>(), *controller,
                   false);
  SampleMap map(model, rest, loop);
  if (!map.settle()) {
    result.trouble = loop.fault().empty() ? "the loop is not at rest where its references begin" : loop.fault();
    return result;
  }
  result.inputs.assign(loop.inputs().begin(), loop.inputs().end());
  Eigen::MatrixXd jacobian(map.size(), map.size());
  const Eigen::Index plant = map.size() - static_cast<Eigen::Index>(map.memory().size());
  for (Eigen::Index i = 0; i < map.size(); ++i) {
    const double size = i < plant ? 1.0 : std::max(1.0, std::abs(map.memory()[static_cast<std::size_t>(i - plant)]));
    const auto ahead = map.from(i, small_change * size), behind = map.from(i, -small_change * size);
    if (!ahead || !behind) {
      result.trouble = loop.fault();
      return result;
    }
    jacobian.col(i) = (*ahead - *behind) / (2.0 * small_change * size);
  }
  result.spectral_radius = eigen_pairs(jacobian).values.cwiseAbs().maxCoeff();
  return result;
}

}  // namespace invar

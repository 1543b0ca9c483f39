// See perturbed_guess.h.
#include "invar/task/optimize/perturbed_guess.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "invar/task/transcription/configuration.h"

namespace invar {

namespace {

constexpr std::size_t waves = 3;
constexpr double small = 0.25, large = 0.5;  // of the reach, in turns

// Twice the kinetic energy of a velocity at the start.
class Inertia {
 public:
  explicit Inertia(const OptimalTask& task) : at_(task.start), energy_(task.system, {&task.system.kinetic, 1}) {}
  double operator()(const std::vector<double>& v) {
    at_.v = v;
    return 2.0 * energy_(at_).front();
  }

 private:
  State at_;
  StateFunction energy_;
};

// How far each coordinate may leave its way.
std::vector<double> reach(const OptimalTask& task) {
  Inertia inertia(task);
  const std::size_t n = task.start.q.size();
  std::vector<double> way(n), result(n);
  double longest = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    way[i] = task.goal.q[i] - task.start.q[i];
    longest = std::max(longest, std::abs(way[i]));
  }
  const double energy = longest > 0.0 ? inertia(way) : 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    std::vector<double> unit(n, 0.0);
    unit[i] = 1.0;
    const double light = std::sqrt(energy / inertia(unit));
    result[i] = longest == 0.0 ? 1.0 : std::isfinite(light) ? std::min(light, longest) : longest;
  }
  // Directions of bodies, which have length one.
  for (const RigidBody& body : task.system.bodies)
    if (!body.point)
      for (std::size_t i = body.first + static_cast<std::size_t>(body.dimension); i < body.first + body.size(); ++i)
        result[i] = 1.0;
  return result;
}

// Uniform in [-1, 1]; the distributions of the standard library differ between systems.
double next(std::mt19937& random) { return 2.0 * static_cast<double>(random()) / std::mt19937::max() - 1.0; }

}  // namespace

MeshMotion perturbed_guess(const OptimalTask& task, const MeshMotion& way, unsigned seed) {
  std::mt19937 random(seed);
  const std::size_t n = task.start.q.size(), N = way.intervals();
  const std::vector<double> far = reach(task);
  const double size = seed % 2 == 1 ? small : large;
  std::vector<std::vector<double>> wave(waves, std::vector<double>(n));
  for (std::size_t j = 0; j < waves; ++j)
    for (std::size_t i = 0; i < n; ++i) wave[j][i] = size * far[i] * next(random) / static_cast<double>(j + 1);
  Constraints constraints(task.system, task.problem.signals);
  const std::vector<bool> none(n, false);
  const double h = way.horizon / static_cast<double>(N);
  constexpr double on_constraints = 1e-3;
  MeshMotion motion = way;
  for (std::size_t k = 1; k <= N; ++k) {
    std::vector<double> q(way.x[k].begin(), way.x[k].begin() + static_cast<std::ptrdiff_t>(n));
    const std::vector<double> before = q;
    const double part = static_cast<double>(k) / static_cast<double>(N);
    for (std::size_t j = 0; j < waves && k < N; ++j)
      for (std::size_t i = 0; i < n; ++i)
        q[i] += wave[j][i] * std::sin(static_cast<double>(j + 1) * std::numbers::pi * part);
    if (!(constraints.satisfy(part * way.horizon, q, none) < on_constraints)) q = before;
    for (std::size_t i = 0; i < n; ++i) {
      motion.x[k][i] = q[i];
      motion.x[k][n + i] = (q[i] - motion.x[k - 1][i]) / h;
    }
  }
  return motion;
}

}  // namespace invar

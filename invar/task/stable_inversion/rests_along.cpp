// See rests_along.h.
#include "invar/task/stable_inversion/rests_along.h"

#include <algorithm>

#include "invar/dae/rest_point.h"
#include "invar/math/matrix.h"

namespace invar {

namespace {

// From the rest at one time to that with the outputs where they should be at another, in smaller steps of time if need
// be: what Newton's method finds after many iterations may be another rest than the one that moved.
bool move_rest(JetEvaluator& evaluator, double t, int halvings, Jet& rest) {
  constexpr int few = 7;
  Jet trial = rest;
  trial.t = t;
  trial.side = Side::right;
  const JetResult result = frozen_point(evaluator, trial);
  const bool converged = result.status == JetResult::Status::converged;
  if (converged && (result.iterations <= few || halvings == 0)) {
    rest = std::move(trial);
    return true;
  }
  const double middle = 0.5 * (rest.t + t);
  return halvings > 0 && move_rest(evaluator, middle, halvings - 1, rest) &&
         move_rest(evaluator, t, halvings - 1, rest);
}

// As rests_along, with the references at γ(t₀) + part (γ(t) - γ(t₀)).
std::vector<Jet> rests_part_of_the_way(JetEvaluator& evaluator, const Jet& start, const std::vector<double>& t,
                                       double part) {
  Matrix first, f;
  evaluator.residuals(start, 0, first);
  Jet there = start, rest = start;
  std::vector<Jet> rests;
  for (const double at : t) {
    there.t = at;
    there.side = Side::right;
    evaluator.residuals(there, 0, f);
    std::vector<std::vector<double>> shift(evaluator.size(), std::vector<double>(1, 0.0));
    for (std::size_t i = 0; i < shift.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(i);
      if (evaluator.kind(i) == EquationKind::servo) shift[i][0] = -(1.0 - part) * (f(row, 0) - first(row, 0));
    }
    evaluator.disturb(shift);
    Jet trial = rest;
    trial.t = at;
    trial.side = Side::right;
    if (frozen_point(evaluator, trial).status == JetResult::Status::converged) rest = std::move(trial);
    evaluator.disturb({});
    rests.push_back(rest);
    rests.back().t = at;
  }
  return rests;
}

// On the cubic through the rests number i and i + 1 and those beside them, or as many as there are.
Jet smoothly_between(const std::vector<Jet>& rests, std::size_t i, double t) {
  const std::size_t first = i > 0 ? i - 1 : 0, last = std::min(i + 2, rests.size() - 1);
  Jet jet = rests[i];
  jet.t = t;
  for (auto& x : jet.x) x = {0.0};
  for (std::size_t a = first; a <= last; ++a) {
    double weight = 1.0;
    for (std::size_t b = first; b <= last; ++b)
      if (b != a) weight *= (t - rests[b].t) / (rests[a].t - rests[b].t);
    for (std::size_t j = 0; j < jet.x.size(); ++j) jet.x[j][0] += weight * rests[a].x[j][0];
  }
  return jet;
}

}  // namespace

std::vector<Jet> rests_along(JetEvaluator& evaluator, const Jet& start, const std::vector<double>& t) {
  constexpr int halvings = 6;
  std::vector<Jet> rests;
  Jet rest = start;
  for (const double at : t) {
    move_rest(evaluator, at, halvings, rest);
    rests.push_back(rest);
    rests.back().t = at;
  }
  return rests;
}

Jet rest_at(JetEvaluator& evaluator, const Jet& rest, double t) {
  Jet jet = rest;
  jet.t = t;
  return rest_point(evaluator, jet).status == JetResult::Status::converged ? jet : rest;
}

std::vector<Jet> guess_along(JetEvaluator& evaluator, const Jet& start, const std::vector<double>& t, double part) {
  constexpr std::size_t enough = 50;
  const std::size_t stride = t.size() / enough + 1;
  std::vector<double> sparse;
  for (std::size_t k = 0; k < t.size(); k += stride) sparse.push_back(t[k]);
  sparse.push_back(t.back() + (t[1] - t[0]));
  const std::vector<Jet> rests =
      part == 1.0 ? rests_along(evaluator, start, sparse) : rests_part_of_the_way(evaluator, start, sparse, part);
  std::vector<Jet> guess;
  for (std::size_t k = 0; k < t.size(); ++k) guess.push_back(smoothly_between(rests, k / stride, t[k]));
  return guess;
}

}  // namespace invar

// The same problem written in other units and in another order, for tests that no verdict depends on either.
//
// New coordinates a_i q_i, new time τ t and a factor E on all energies contain any change of the units of length, mass
// and time; constraints, inputs and outputs have factors of their own. With δW' = E δW the generalised forces become E
// f_i/a_i.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "invar/expr/derivative.h"
#include "invar/model/problem/problem.h"
#include "invar/task/inverse_structure/invert_settings.h"
#include "invar/task/run/simulate_settings.h"

namespace invar::test {

struct Rescaling {
  std::vector<double> coordinate, constraint, input, output;
  double time = 1.0, energy = 1.0;
};

// Powers of ten between 10^-decades and 10^decades, not rounded.
inline Rescaling random_rescaling(const Problem& problem, double decades, std::mt19937_64& random) {
  std::uniform_real_distribution<double> exponent(-decades, decades);
  const auto list = [&](std::size_t count) {
    std::vector<double> all(count);
    for (double& x : all) x = std::pow(10.0, exponent(random));
    return all;
  };
  const System& s = problem.system;
  return {list(s.coordinates.size()),   list(s.constraints.size()),       list(s.inputs.size()),
          list(problem.targets.size()), std::pow(10.0, exponent(random)), std::pow(10.0, exponent(random))};
}

class RescaledFunction : public TimeFunction {
 public:
  RescaledFunction(std::shared_ptr<const TimeFunction> of, double factor, double time)
      : of_(std::move(of)), factor_(factor), time_(time) {}
  void series(double t, Side side, std::span<double> out) const override {
    // A knot must stay one whatever rounding does to it.
    double old = t / time_;
    for (const double knot : of_->knots())
      if (knot * time_ == t) old = knot;
    of_->series(old, side, out);
    double factor = factor_;
    for (double& c : out) c *= factor, factor /= time_;
  }
  std::vector<double> knots() const override {
    std::vector<double> all = of_->knots();
    for (double& t : all) t *= time_;
    return all;
  }
  int smoothness() const override { return of_->smoothness(); }
  std::string describe() const override { return of_->describe(); }

 private:
  std::shared_ptr<const TimeFunction> of_;
  double factor_, time_;
};

// Old symbols and what stands for them.
struct Replacement {
  Exprs from, to;
  Expr operator()(const Expr& f) const { return substitute(f, from, to); }
};

inline Replacement replacement(const Problem& p, const Rescaling& by) {
  Replacement r;
  const System& s = p.system;
  r.from.push_back(s.graph.time());
  r.to.push_back(s.graph.time() / by.time);
  for (std::size_t i = 0; i < s.coordinates.size(); ++i)
    for (int order = 0; order <= 2; ++order) {
      r.from.push_back(at(s.coordinates[i], order));
      r.to.push_back(at(s.coordinates[i], order) * (std::pow(by.time, order) / by.coordinate[i]));
    }
  for (const invar::Reference& signal : p.signals)
    for (int order = 1; order <= 2; ++order) {
      r.from.push_back(at(signal.value, order));
      r.to.push_back(at(signal.value, order) * std::pow(by.time, order));
    }
  return r;
}

inline Problem rescaled(const Problem& old, const Rescaling& by) {
  Problem p = old;
  p.mechanism.reset();
  p.plant.reset();
  p.drawing.clear();
  p.formulation = Formulation::formula;
  System& s = p.system;
  s.bodies.clear();
  s.momenta.clear();
  s.invariants.clear();
  s.shown.clear();
  s.outputs.clear();
  s.nodal.reset();
  const Replacement in_new = replacement(old, by);
  s.kinetic = by.energy * in_new(s.kinetic);
  s.potential = by.energy * in_new(s.potential);
  for (std::size_t i = 0; i < s.coordinates.size(); ++i) {
    s.forces[i] = in_new(s.forces[i]) * (by.energy / by.coordinate[i]);
    for (std::size_t k = 0; k < s.inputs.size(); ++k)
      s.inputs[k].direction[i] = in_new(s.inputs[k].direction[i]) * (by.energy / by.coordinate[i] / by.input[k]);
    p.q0[i] *= by.coordinate[i];
    p.v0[i] *= by.coordinate[i] / by.time;
  }
  for (std::size_t k = 0; k < s.constraints.size(); ++k) {
    s.constraints[k].expr = by.constraint[k] * in_new(s.constraints[k].expr);
    s.constraints[k].tension = in_new(s.constraints[k].tension);
  }
  const auto in_time = [&](invar::Reference& r, double factor) {
    r.function = std::make_shared<RescaledFunction>(r.function, factor, by.time);
  };
  for (std::size_t k = 0; k < p.targets.size(); ++k) {
    p.targets[k].expr = by.output[k] * in_new(p.targets[k].expr);
    for (invar::Reference& r : p.targets[k].follow) in_time(r, by.output[k]);
  }
  for (invar::Reference& r : p.signals) in_time(r, 1.0);
  InvertSettings& inversion = p.settings.of<InvertSettings>();
  SimulateSettings& simulation = p.settings.of<SimulateSettings>();
  for (double* t : {&inversion.until, &inversion.step, &simulation.until, &simulation.step}) *t *= by.time;
  return p;
}

template <class List>
void reorder(List& list, const std::vector<std::size_t>& order) {
  List sorted;
  for (const std::size_t i : order) sorted.push_back(list[i]);
  list = std::move(sorted);
}

inline std::vector<std::size_t> random_order(std::size_t count, std::mt19937_64& random) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), 0U);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}

inline Problem reordered(Problem p, std::mt19937_64& random) {
  System& s = p.system;
  const std::vector<std::size_t> order = random_order(s.coordinates.size(), random);
  reorder(s.coordinates, order);
  reorder(s.forces, order);
  for (Input& u : s.inputs) reorder(u.direction, order);
  reorder(p.q0, order);
  reorder(p.v0, order);
  reorder(s.constraints, random_order(s.constraints.size(), random));
  reorder(s.inputs, random_order(s.inputs.size(), random));
  reorder(p.targets, random_order(p.targets.size(), random));
  return p;
}

}  // namespace invar::test

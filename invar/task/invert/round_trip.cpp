// See round_trip.h.
#include "invar/task/invert/round_trip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/system/equations.h"
#include "invar/system/start/start.h"
#include "invar/tape/compilation.h"
#include "invar/task/inverse_structure/impossible.h"
#include "invar/task/invert/explicit_plant.h"
#include "invar/task/invert/output_scale.h"

namespace invar {

namespace {

std::vector<std::string> massless(const System& system) {
  const SparseExprs mass = equations(system).mass();
  std::vector<std::string> names;
  for (int i = 0; i < mass.pattern.rows; ++i) {
    bool moves_mass = false;
    for (int j = 0; j < mass.pattern.cols; ++j) moves_mass = moves_mass || !mass.at(i, j).is_constant(0.0);
    if (!moves_mass) names.push_back(system.coordinates[static_cast<std::size_t>(i)].name());
  }
  return names;
}

std::string stopped(const System& system, double t, const std::string& equation) {
  const std::vector<std::string> names = massless(system);
  return fmt::format(
      "the simulation with these inputs stopped at t = {:.6g} s in {}{}", t, equation,
      names.empty() ? std::string()
                    : fmt::format(": without mass, {} may be left open by the equations of motion", listed(names)));
}

State state_of(const Jet& jet, std::size_t n) {
  State state{jet.t, {}, {}, {}, {}};
  for (std::size_t j = 0; j < n; ++j) {
    state.q.push_back(jet.x[j][0]);
    state.v.push_back(jet.x[j].size() > 1 ? jet.x[j][1] : 0.0);
  }
  return state;
}

}  // namespace

// How the plant moves from one instant to the next.
struct RoundTrip::Mover {
  virtual ~Mover() = default;
  virtual void start(const State& state, double h) = 0;
  // Nothing, or the equation in which it failed.
  virtual std::optional<std::string> advance(double h, const Stepper::Inputs& inputs) = 0;
  virtual void set_t(double t) = 0;
  virtual std::span<const double> q() const = 0;
  virtual std::span<const double> v() const = 0;
};

struct RoundTrip::Quick : Mover {
  ExplicitPlant plant;
  explicit Quick(ExplicitPlant made) : plant(std::move(made)) {}
  void start(const State& state, double) override { plant.start(state); }
  std::optional<std::string> advance(double h, const Stepper::Inputs& inputs) override {
    return plant.advance(h, inputs) ? std::nullopt : std::optional<std::string>("the equations of motion");
  }
  void set_t(double t) override { plant.set_t(t); }
  std::span<const double> q() const override { return plant.q(); }
  std::span<const double> v() const override { return plant.v(); }
};

struct RoundTrip::Thorough : Mover {
  Stepper stepper;
  Thorough(const System& system, const std::vector<Reference>& signals)
      : stepper(system, *find_scheme("radau5"), {}, signals) {}
  void start(const State& state, double h) override { stepper.start(state, h); }
  std::optional<std::string> advance(double h, const Stepper::Inputs& inputs) override {
    const NewtonResult r = stepper.advance(h, inputs);
    if (r.status == NewtonStatus::converged) return std::nullopt;
    return stepper.equation(std::max(0, r.worst_equation));
  }
  void set_t(double t) override { stepper.set_t(t); }
  std::span<const double> q() const override { return stepper.q(); }
  std::span<const double> v() const override { return stepper.v(); }
};

// The system without constraints that say something twice.
struct RoundTrip::Plant {
  System system;
  bool complete;  // nothing was left out
  std::vector<Reference> signals;
  ConsistentStart start;
  std::unique_ptr<Quick> quick;        // if it can be had
  std::unique_ptr<Thorough> thorough;  // made when it is needed
  Plant(const System& all, const std::vector<Redundancy>& redundant, const std::vector<Reference>& given)
      : system(without(all, redundant)), complete(redundant.empty()), signals(given), start(system, given) {
    if (std::optional<ExplicitPlant> made = ExplicitPlant::make(system, given))
      quick = std::make_unique<Quick>(std::move(*made));
  }
  Thorough& stepper() {
    if (!thorough) thorough = std::make_unique<Thorough>(system, signals);
    return *thorough;
  }
};

RoundTrip::RoundTrip(const Problem& problem, const InverseStructure& structure, const std::vector<Jet>& jets,
                     const JetInterpolation& interpolation)
    : problem_(problem),
      structure_(structure),
      jets_(jets),
      interpolation_(interpolation),
      scales_(output_scales(problem, structure, jets)),
      coordinates_(coordinate_scales(structure, jets)) {}

RoundTrip::~RoundTrip() = default;

// Where mass matrix and constraints alone do not determine accelerations and multipliers (coordinates without mass),
// those of the jet lead the first step to the right branch.
State RoundTrip::start_at(const Jet& jet, std::span<const double> u) {
  const std::size_t n = problem_.system.coordinates.size(), m = problem_.system.constraints.size();
  State state = state_of(jet, n);
  const bool first = plant_ == nullptr;
  if (first) {
    const Start start = consistent_start(problem_.system, state, u, problem_.signals);
    plant_ = std::make_unique<Plant>(problem_.system, start.redundant, problem_.signals);
    state = start.state;
  }
  const bool known = std::all_of(jet.x.begin(), jet.x.begin() + static_cast<std::ptrdiff_t>(n),
                                 [](const auto& x) { return x.size() > 2; });
  if (!plant_->complete || (!known && !first))
    return plant_->start({state, u}, parameter_values(problem_.system)).state;
  if (!known) return state;
  state.a.clear();
  state.lambda.clear();
  for (std::size_t j = 0; j < n; ++j) state.a.push_back(jet.x[j][2]);
  for (std::size_t j = 0; j < m; ++j) state.lambda.push_back(jet.x[n + j][0]);
  return state;
}

void RoundTrip::compare(const Jet& wanted, const Mover& mover, Replay& replay) {
  reached_ = wanted;
  for (std::size_t j = 0; j < coordinates_.size(); ++j) {
    reached_.x[j][0] = mover.q()[j];
    if (reached_.x[j].size() > 1) reached_.x[j][1] = mover.v()[j];
    if (coordinates_[j] > 0.0)
      replay.motion = std::max(replay.motion, std::abs(reached_.x[j][0] - wanted.x[j][0]) / coordinates_[j]);
  }
  structure_.evaluator->residuals(reached_, 0, f_);
  replay.t.push_back(reached_.t);
  replay.error.push_back(0.0);
  std::size_t output = 0;
  for (std::size_t i = 0; i < structure_.dae.equations.size(); ++i) {
    if (structure_.dae.equations[i].kind != EquationKind::servo) continue;
    const double difference = std::abs(f_(static_cast<Eigen::Index>(i), 0));
    const double error = std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
    const double relative = error / scales_[output];
    replay.largest_error = std::max(replay.largest_error, error);
    replay.error.back() = std::max(replay.error.back(), relative);
    if (relative > replay.relative) {
      replay.relative = relative;
      replay.output = problem_.targets[output].output;
      replay.at = reached_.t;
    }
    ++output;
  }
}

Replay RoundTrip::simulate(Mover& mover, const Part& part, const State& start) {
  const std::size_t first = part.first, last = part.last;
  Replay result;
  result.from = jets_[first].t;
  std::size_t current = first;
  const Stepper::Inputs inputs = [&](double t, std::span<double> u) {
    std::size_t k = current;  // the jet before t
    while (k + 1 < std::min(current + part.stride, part.last) && jets_[k + 1].t <= t) ++k;
    inputs_at(k, t, u);
  };
  const std::size_t parts = (part.steps + last - first - 1) / (last - first);
  mover.start(start, (jets_[first + 1].t - jets_[first].t) / static_cast<double>(parts));
  LoopProgress progress;
  while (current < last) {
    poll_interrupt();
    progress.reached(static_cast<double>(current - first) / static_cast<double>(last - first));
    const std::size_t end = std::min({current + part.stride, last, interpolation_.next_knot(current)});
    const Jet& next = jets_[end];
    for (std::size_t i = 0; i < parts; ++i)
      if (const auto fault = mover.advance((next.t - jets_[current].t) / static_cast<double>(parts), inputs)) {
        result.message = stopped(problem_.system, jets_[current].t, *fault);
        return result;
      }
    mover.set_t(next.t);
    compare(next, mover, result);
    current = end;
  }
  result.complete = true;
  return result;
}

void RoundTrip::inputs_at(std::size_t k, double t, std::span<double> u) const {
  const std::size_t first = problem_.system.coordinates.size() + problem_.system.constraints.size();
  interpolation_.values(k, first, t, u);
}

// Explicit steps, more of them, and the implicit scheme where what they tell leaves a doubt.
Replay RoundTrip::simulate(const Part& part) {
  constexpr double departed_far = 1e-3;
  std::vector<double> u0(problem_.system.inputs.size());
  inputs_at(part.first, jets_[part.first].t, u0);
  const State start = start_at(jets_[part.first], u0);
  if (plant_->quick) {
    Part finer = part;
    Replay quick;
    for (const std::size_t more : {1U, 2U, 6U}) {
      finer.steps = more * std::max(part.steps, part.last - part.first);
      quick = simulate(*plant_->quick, finer, start);
      if (quick.complete && quick.relative <= part.accepted && quick.motion <= part.accepted) return quick;
      if (!quick.complete || !(quick.relative <= departed_far)) break;
    }
    if (!part.settle && quick.complete && quick.relative <= departed_far) return quick;
  }
  return simulate(plant_->stepper(), part, start);
}

Replay RoundTrip::replay(const Part& part) {
  try {
    return simulate(part);
  } catch (const InputError& e) {
    Replay none;
    none.from = jets_[part.first].t;
    none.message = std::string("no round trip: ") + e.what();
    return none;
  }
}

Replay RoundTrip::replay(std::size_t first, std::size_t last, std::size_t steps, double accepted) {
  return replay({first, last, steps, 1, true, accepted});
}

// Of very many jets a thousand steps tell the same, if what they tell leaves no doubt.
Replay RoundTrip::replay_quickly(std::size_t first, std::size_t last, bool settle) {
  constexpr std::size_t enough = 400;    // steps of a scheme of order five
  constexpr double beyond_doubt = 1e-8;  // of the range of an output
  for (const std::size_t many : {1000U, 4000U})
    if (const std::size_t stride = (last - first) / many; stride > 1) {
      Replay quick = replay({first, last, enough, stride});
      if (quick.complete && quick.relative <= beyond_doubt && quick.motion <= beyond_doubt) return quick;
    }
  return replay({first, last, enough, 1, settle});
}

Replay RoundTrip::replay(bool settle) {
  constexpr double away = 0.03;  // of the motion, from a singular start
  if (!structure_.singular_start) return replay_quickly(0, jets_.size() - 1, settle);
  std::size_t first = 1;
  while (first + 2 < jets_.size() && jets_[first].t < away * jets_.back().t) ++first;
  if (first + 1 < jets_.size()) return replay_quickly(first, jets_.size() - 1, settle);
  Replay none;
  none.message = "no round trip: the motion is too short to begin away from its singular start";
  return none;
}

}  // namespace invar

// See swarm.h.
#include "invar/task/simulate/swarm.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <thread>
#include <vector>

#include "invar/base/error.h"
#include "invar/scheme/steps/lane_steps.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/task/run/simulate_settings.h"
#include "invar/task/simulate/prepared_simulation.h"
#include "invar/task/simulate/step_advance.h"

namespace invar {

struct Swarm::Inside {
  Inside(const Prepared& prepared, std::size_t count);

  std::size_t count() const { return begin_.size(); }
  bool in_lanes() const { return !lanes_.empty(); }
  void start(std::size_t p);
  void start(std::size_t p, std::span<const double> q, std::span<const double> v, double t);
  void advance(std::span<const double> u, int steps, int threads);
  void state(std::size_t p, std::span<double> q, std::span<double> v) const;

  struct Member {
    Stepper stepper;
    Stepper::Memory memory = {};
  };

  void take(std::size_t p, const State& state);
  void advance_alone(std::size_t p);
  void advance_some(int steps, std::size_t worker, std::size_t from, std::size_t to);

  const Prepared prepared_;
  const PreparedSimulation& ready_;
  std::size_t n_, inputs_;
  double step_;
  std::vector<double> begin_, t_;    // of each simulation
  std::vector<std::uint64_t> done_;  // steps since then
  std::vector<std::uint8_t> going_;
  std::vector<double> state_, u_;  // in structure-of-arrays layout
  std::vector<LaneSteps> lanes_;   // one for each thread
  std::vector<Member> members_;    // or one for each simulation
};

Swarm::Inside::Inside(const Prepared& prepared, std::size_t count)
    : prepared_(prepared),
      ready_(prepared_.part<PreparedSimulation>()),
      n_(ready_.system().coordinates.size()),
      inputs_(ready_.system().inputs.size()),
      step_(prepared_.problem().settings.of<SimulateSettings>().step),
      begin_(count),
      t_(count),
      done_(count),
      going_(count),
      state_(2 * n_ * count),
      u_(inputs_ * count) {
  const SimulateSettings& settings = prepared_.problem().settings.of<SimulateSettings>();
  if (settings.adaptive > 0.0) throw InputError("swarm: all steps are equal; leave out \"adaptive\"");
  const Scheme& scheme = ready_.scheme;
  if (scheme.explicit_method && !scheme.info.on_rotations && LaneSteps::fits(ready_.system()))
    lanes_.emplace_back(ready_.system(), scheme.explicit_method(), prepared_.problem().signals);
  else
    for (std::size_t p = 0; p < count; ++p) members_.push_back({ready_.stepper()});
  for (std::size_t p = 0; p < count; ++p) start(p);
}

void Swarm::Inside::start(std::size_t p) { take(p, ready_.start.point().state); }

void Swarm::Inside::start(std::size_t p, std::span<const double> q, std::span<const double> v, double t) {
  expects(q.size() == n_ && v.size() == n_, "a value for every coordinate and velocity");
  State wanted = ready_.start.point().state;
  wanted.t = t;
  wanted.q.assign(q.begin(), q.end());
  wanted.v.assign(v.begin(), v.end());
  if (in_lanes() && ready_.system().constraints.empty()) return take(p, wanted);
  take(p, ready_.start.consistent(wanted, std::vector<double>(inputs_)));
}

void Swarm::Inside::take(std::size_t p, const State& state) {
  begin_[p] = t_[p] = state.t;
  done_[p] = 0;
  going_[p] = 1;
  for (std::size_t i = 0; i < n_; ++i) {
    state_[i * count() + p] = state.q[i];
    state_[(n_ + i) * count() + p] = state.v[i];
  }
  if (!in_lanes()) members_[p].stepper.start(state, step_);
}

void Swarm::Inside::state(std::size_t p, std::span<double> q, std::span<double> v) const {
  for (std::size_t i = 0; i < n_; ++i) {
    q[i] = state_[i * count() + p];
    v[i] = state_[(n_ + i) * count() + p];
  }
}

void Swarm::Inside::advance(std::span<const double> u, int steps, int threads) {
  expects(u.size() == inputs_ * count(), "inputs of every simulation");
  for (std::size_t p = 0; p < count(); ++p)
    for (std::size_t k = 0; k < inputs_; ++k) u_[k * count() + p] = u[p * inputs_ + k];
  constexpr std::size_t fewest = 64;  // simulations that are worth a thread
  const std::size_t workers =
      std::clamp<std::size_t>(count() / fewest, 1, static_cast<std::size_t>(std::max(threads, 1)));
  while (in_lanes() && lanes_.size() < workers) lanes_.push_back(lanes_.front());
  std::vector<std::jthread> others;
  for (std::size_t k = 1; k < workers; ++k)
    others.emplace_back([&, k] { advance_some(steps, k, count() * k / workers, count() * (k + 1) / workers); });
  advance_some(steps, 0, 0, count() / workers);
}

void Swarm::Inside::advance_alone(std::size_t p) {
  Stepper& stepper = members_[p].stepper;
  const auto held = [&](double, std::span<double> out) {
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = u_[k * count() + p];
  };
  const double next = begin_[p] + static_cast<double>(done_[p] + 1) * step_;
  Summary summary;
  const auto is_finite = [](double x) { return std::isfinite(x); };
  if (!invar::advance(stepper, next - t_[p], held, members_[p].memory, summary).done ||
      !std::ranges::all_of(stepper.q(), is_finite) || !std::ranges::all_of(stepper.v(), is_finite)) {
    going_[p] = 0;
    return;
  }
  stepper.set_t(next);
  for (std::size_t i = 0; i < n_; ++i) {
    state_[i * count() + p] = stepper.q()[i];
    state_[(n_ + i) * count() + p] = stepper.v()[i];
  }
}

void Swarm::Inside::advance_some(int steps, std::size_t worker, std::size_t from, std::size_t to) {
  for (int step = 0; step < steps; ++step) {
    if (in_lanes()) lanes_[worker].advance(step_, {t_, state_, u_, going_}, from, to);
    for (std::size_t p = from; p < to; ++p) {
      if (!in_lanes() && going_[p] != 0) advance_alone(p);
      if (going_[p] != 0) t_[p] = begin_[p] + static_cast<double>(++done_[p]) * step_;
    }
  }
}

Swarm::Swarm(const Prepared& prepared, std::size_t count) : inside_(std::make_unique<Inside>(prepared, count)) {}
Swarm::Swarm(Swarm&& other) noexcept = default;
Swarm::~Swarm() = default;

std::size_t Swarm::count() const { return inside_->count(); }
std::size_t Swarm::coordinates() const { return inside_->n_; }
std::size_t Swarm::inputs() const { return inside_->inputs_; }
bool Swarm::in_lanes() const { return inside_->in_lanes(); }
double Swarm::step_size() const { return inside_->step_; }
bool Swarm::failed(std::size_t p) const { return inside_->going_[p] == 0; }
double Swarm::t(std::size_t p) const { return inside_->t_[p]; }

void Swarm::start(std::size_t p) { inside_->start(p); }
void Swarm::start(std::size_t p, std::span<const double> q, std::span<const double> v, double t) {
  inside_->start(p, q, v, t);
}
void Swarm::advance(std::span<const double> u, int steps, int threads) { inside_->advance(u, steps, threads); }
void Swarm::state(std::size_t p, std::span<double> q, std::span<double> v) const { inside_->state(p, q, v); }

}  // namespace invar

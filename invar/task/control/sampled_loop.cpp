// See sampled_loop.h.
#include "invar/task/control/sampled_loop.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/base/error.h"
#include "invar/scheme/choose.h"
#include "invar/task/run/baumgarte_setting.h"
#include "invar/task/simulate/simulate.h"

namespace invar {

namespace {

const Scheme& plant_scheme(const System& system, const ControlSettings& settings) {
  const Scheme& scheme = choose_scheme(system, settings.scheme);
  require_stable(settings.baumgarte, scheme, settings.period / settings.substeps);
  return scheme;
}

StepperOptions plant_options(const ControlSettings& settings) {
  StepperOptions options;
  options.scheme.baumgarte = settings.baumgarte;
  options.scheme.project = !settings.baumgarte;
  return options;
}

}  // namespace

SampledLoop::SampledLoop(const Problem& plant, const ProblemStart& start, const ControlSettings& settings,
                         Controller& controller, bool limited)
    : plant_start_(start),
      settings_(settings),
      controller_(controller),
      limited_(limited),
      start_(start.consistent({.t = 0.0, .q = plant.q0, .v = plant.v0, .a = {}, .lambda = {}},
                              controller.inputs_at_start())),
      stepper_(system(), plant_scheme(system(), settings), plant_options(settings), plant.signals) {
  this->start();
}

void SampledLoop::start() { start_at(start_); }

void SampledLoop::start_at(const State& state) {
  controller_.start();
  random_.seed(settings_.seed);
  held_ = controller_.inputs_at_start();
  command_ = held_;
  waiting_.clear();
  sample_ = 0;
  first_ = true;
  State full = state;
  if (full.a.empty() || full.lambda.size() != system().constraints.size()) full = plant_start_.consistent(state, held_);
  stepper_.start(full, settings_.period / settings_.substeps);
}

void SampledLoop::limit(std::span<double> u) {
  saturated_ = false;
  if (!limited_) return;
  for (std::size_t i = 0; i < u.size() && i < settings_.limits.size(); ++i) {
    const InputLimits& l = settings_.limits[i];
    // The first sample finds the drives at rest in any position.
    const double reach = first_ ? std::numeric_limits<double>::infinity() : l.rate * settings_.period;
    const double lower = std::max(l.lower, held_[i] - reach), upper = std::min(l.upper, held_[i] + reach);
    const double allowed = std::clamp(u[i], lower, std::max(lower, upper));
    saturated_ = saturated_ || allowed != u[i];
    u[i] = allowed;
  }
}

bool SampledLoop::control() {
  q_.assign(q().begin(), q().end());
  v_.assign(v().begin(), v().end());
  if (limited_ && !settings_.noise.empty()) {
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < q_.size(); ++i) q_[i] += settings_.noise[i] * normal(random_);
    for (std::size_t i = 0; i < v_.size(); ++i) v_[i] += settings_.noise[q_.size() + i] * normal(random_);
  }
  if (!controller_.sample({t(), q_, v_, held_}, command_)) {
    fault_ = controller_.fault();
    return false;
  }
  for (const double u : command_)
    if (!std::isfinite(u)) {
      fault_ = fmt::format("the controller asks for an input that is not finite at t = {:.6g} s", t());
      return false;
    }
  // Until the first command has come through, the drives do what it says.
  if (first_) waiting_.assign(static_cast<std::size_t>(settings_.delay), command_);
  waiting_.push_back(command_);
  std::vector<double> u = waiting_.front();
  waiting_.pop_front();
  limit(u);
  held_ = u;
  first_ = false;
  return true;
}

bool SampledLoop::advance() {
  const double h = settings_.period / settings_.substeps;
  const auto inputs = [&](double, std::span<double> u) { std::copy(held_.begin(), held_.end(), u.begin()); };
  for (int k = 0; k < settings_.substeps; ++k)
    if (stepper_.advance(h, inputs).status != NewtonStatus::converged) {
      fault_ = fmt::format("the plant cannot be simulated beyond t = {:.6g} s; is the loop stable?", t());
      return false;
    }
  ++sample_;
  stepper_.set_t(settings_.period * static_cast<double>(sample_));
  return true;
}

std::vector<double> SampledLoop::memory() const {
  std::vector<double> all = held_;
  for (const std::vector<double>& u : waiting_) all.insert(all.end(), u.begin(), u.end());
  const std::vector<double> more = controller_.memory();
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

void SampledLoop::remember(std::span<const double> memory) {
  const auto take = [&](std::vector<double>& to) {
    std::copy_n(memory.begin(), to.size(), to.begin());
    memory = memory.subspan(to.size());
  };
  take(held_);
  for (std::vector<double>& u : waiting_) take(u);
  controller_.remember(memory);
}

}  // namespace invar

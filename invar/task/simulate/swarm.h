// Many simulations of one problem side by side, each in a state of its own and with inputs of its own, as learning and
// sampling need them.
//
//   Swarm swarm(prepared, 1000);
//   swarm.start(7, q, v);          // the others begin where the problem does
//   swarm.advance(u, 10);          // ten steps with held inputs
//
// With an explicit method the steps of all are taken together in vector lanes where accelerations are formulas (see
// lane_steps.h); otherwise one simulation after the other takes them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "invar/scheme/steps/lane_steps.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/task/run/prepared.h"

namespace invar {

class PreparedSimulation;

class Swarm {
 public:
  // Step and method are those of the settings. InputError if the problem is wrong or its steps are adaptive.
  Swarm(const Prepared& prepared, std::size_t count);

  std::size_t count() const { return begin_.size(); }
  std::size_t coordinates() const { return n_; }
  std::size_t inputs() const { return inputs_; }
  bool in_lanes() const { return !lanes_.empty(); }
  double step_size() const { return step_; }

  // Simulation p begins where the problem does, or in another state, made consistent.
  void start(std::size_t p);
  void start(std::size_t p, std::span<const double> q, std::span<const double> v, double t = 0.0);

  // So many steps with inputs held: u[p*inputs() + k] is input k of simulation p. One that cannot go on stays where it
  // is until it is started again; so many threads share the work.
  void advance(std::span<const double> u, int steps = 1, int threads = 1);
  bool failed(std::size_t p) const { return going_[p] == 0; }

  double t(std::size_t p) const { return t_[p]; }
  // Coordinates and velocities of simulation p.
  void state(std::size_t p, std::span<double> q, std::span<double> v) const;

 private:
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

}  // namespace invar

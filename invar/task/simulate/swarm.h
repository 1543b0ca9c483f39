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

#include <memory>
#include <span>

#include "invar/task/run/prepared.h"

namespace invar {

class Swarm {
 public:
  // Step and method are those of the settings. InputError if the problem is wrong or its steps are adaptive.
  Swarm(const Prepared& prepared, std::size_t count);
  Swarm(Swarm&& other) noexcept;
  ~Swarm();

  std::size_t count() const;
  std::size_t coordinates() const;
  std::size_t inputs() const;
  bool in_lanes() const;
  double step_size() const;

  // Simulation p begins where the problem does, or in another state, made consistent.
  void start(std::size_t p);
  void start(std::size_t p, std::span<const double> q, std::span<const double> v, double t = 0.0);

  // So many steps with inputs held: u[p*inputs() + k] is input k of simulation p. One that cannot go on stays where it
  // is until it is started again; so many threads share the work.
  void advance(std::span<const double> u, int steps = 1, int threads = 1);
  bool failed(std::size_t p) const;

  double t(std::size_t p) const;
  // Coordinates and velocities of simulation p.
  void state(std::size_t p, std::span<double> q, std::span<double> v) const;

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace invar

// Cost of a time step per body, for chains of bodies in director coordinates: it must not grow with the length of the
// chain. And what a step of fifth order takes, whose stages are solved one by one.
#include <deque>
#include <memory>
#include <string>

#include "bench/ratios.h"
#include "invar/model/joints/joint_kinds.h"
#include "invar/model/mechanism/assemble.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/system/start/start.h"

namespace invar {
namespace {

constexpr int rounds = 15;
constexpr double bar = 1.5;
constexpr double h = 1e-3;
constexpr double radau5_step = 5e6;  // ns, of a chain of ten

// A hanging chain of equal links on ball joints, pulled aside and let go.
struct LongChain {
  std::unique_ptr<Stepper> stepper;
  Stepper::Memory begin;
  bool converged = true;

  explicit LongChain(int count, const char* scheme = "energy-momentum") {
    Mechanism m;
    m.gravity = {0.0, 0.0, -9.81};
    for (int k = 0; k < count; ++k) {
      Body link;
      link.name = "link" + std::to_string(k);
      link.mass = 1.0;
      link.inertia = Vector3(0.1, 0.2, 0.3).asDiagonal();
      link.position = {k + 0.5, 0.0, 0.0};
      m.bodies.push_back(link);
      Joint joint;
      joint.name = "joint" + std::to_string(k);
      joint.kind = &spherical_joint;
      joint.a = k - 1;
      joint.b = k;
      joint.at = {static_cast<double>(k), 0.0, 0.0};
      m.joints.push_back(joint);
    }
    const Assembly a = assemble(m);
    const Start start = consistent_start(a.system, {0.0, a.q0, a.v0, {}, {}});
    stepper = std::make_unique<Stepper>(a.system, *find_scheme(scheme));
    stepper->start(start.state, h);
    stepper->save(begin);
  }
  void operator()() {
    stepper->restore(begin);
    for (int k = 0; k < 3; ++k)
      converged = stepper->advance(h, [](double, std::span<double>) {}).status == NewtonStatus::converged && converged;
  }
};

int run() {
  constexpr int lengths[] = {10, 100, 1000};
  std::deque<LongChain> chains;
  std::vector<Candidate> candidates;
  for (int n : lengths) {
    LongChain& chain = chains.emplace_back(n);
    candidates.push_back(
        {fmt::format("chain of {}, per step and body", n), [&chain] { chain(); }, 3 * static_cast<std::size_t>(n), {}});
  }
  candidates[2].bar = bar;
  candidates[2].against = 1;
  bool met = print_ratios(candidates, fastest(candidates, rounds));
  LongChain& stages = chains.emplace_back(10, "radau5");
  const double step = fastest({{"radau5", [&stages] { stages(); }, 3, {}}}, rounds).front();
  met = step <= radau5_step && met;
  fmt::print("{:<36}{:>8.2f}{:>8.2f}{:>7}\n", "radau5, chain of 10, ms per step", 1e-6 * step, 1e-6 * radau5_step,
             step <= radau5_step ? "PASS" : "FAIL");
  for (const LongChain& chain : chains)
    if (!chain.converged) {
      fmt::print("FAIL: a step did not converge\n");
      return 1;
    }
  return met ? 0 : 1;
}

}  // namespace
}  // namespace invar

int main() { return invar::run(); }

// Cost of a Newton iteration of a time step per element, for beams and strings: it must not grow with their number.
#include <deque>
#include <memory>
#include <string>

#include "bench/ratios.h"
#include "invar/read/read_problem.h"
#include "invar/scheme/steps/stepper.h"
#include "invar/system/start/start.h"

namespace invar {
namespace {

constexpr int rounds = 5, steps = 3;
constexpr double bar = 1.3;
constexpr double h = 1e-3;

constexpr const char* beam = R"(
name = "beam"
[world]
gravity = [0, 0, -9.81]
[[beam]]
name = "beam"
points = [[0, 0, 0], [10, 0, 0]]
normal = [0, 0, 1]
from = "ground"
EA = 2e6
GA = 8e5
EI = 200
GJ = 150
mass_per_length = 1.0
inertia_per_length = [1e-3, 1e-3, 2e-3]
elements = {}
)";
constexpr const char* string = R"(
name = "string"
[world]
gravity = [0, 0, -9.81]
[[string]]
name = "string"
points = [[0, 0, 0], [10, 0, 0]]
length = 9.9
from = "ground"
to = "ground"
EA = 2e4
mass_per_length = 1.0
elements = {}
)";

// Let go under its weight.
struct LongMember {
  std::unique_ptr<Stepper> stepper;
  Stepper::Memory begin;
  int iterations = 0;  // of the steps together
  bool converged = true;

  LongMember(const char* model, const char* scheme, int count) {
    const Problem problem = read_problem_text(fmt::format(fmt::runtime(model), count), "member.toml");
    const Start start = consistent_start(problem.system, {0.0, problem.q0, problem.v0, {}, {}});
    stepper = std::make_unique<Stepper>(problem.system, *find_scheme(scheme));
    stepper->start(start.state, h);
    stepper->save(begin);
    (*this)();
  }
  void operator()() {
    stepper->restore(begin);
    iterations = 0;
    for (int k = 0; k < steps; ++k) {
      const NewtonResult r = stepper->advance(h, [](double, std::span<double>) {});
      iterations += r.iterations;
      converged = r.status == NewtonStatus::converged && converged;
    }
  }
};

int run() {
  constexpr int lengths[] = {10, 100, 1000};
  bool met = true;
  for (const auto& [kind, model] : {std::pair{"beam", beam}, std::pair{"string", string}})
    for (const char* scheme : {"energy-momentum", "generalized-alpha"}) {
      std::deque<LongMember> members;
      std::vector<Candidate> candidates;
      for (const int n : lengths) {
        LongMember& member = members.emplace_back(model, scheme, n);
        const std::size_t units = static_cast<std::size_t>(member.iterations) * static_cast<std::size_t>(n);
        candidates.push_back({fmt::format("{} of {}, {}", kind, n, scheme), [&member] { member(); }, units, {}});
      }
      candidates[2].bar = bar;
      met = print_ratios(candidates, fastest(candidates, rounds)) && met;
      for (const LongMember& member : members) {
        if (!member.converged) fmt::print("FAIL: a step did not converge\n");
        met = met && member.converged;
      }
    }
  return met ? 0 : 1;
}

}  // namespace
}  // namespace invar

int main() { return invar::run(); }

// What a sweep adds to its runs: processor time per run of bare steps (start, Newton's method, nothing recorded), of
// simulate() in a loop, and of cases of a sweep in one thread with their journal; and how much sooner two threads are
// done. Runs that take a millisecond or longer may cost the part of their steps that the bar says, where cases share
// one prepared problem.
//
//   sweep_bench                                  all of the list below
//   sweep_bench MODEL PARAMETER [CASES [METHOD]]
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

#include "bench/ratios.h"
#include "invar/model/problem/with_parameters.h"
#include "invar/read/read_problem.h"
#include "invar/sweep/run_cases.h"
#include "invar/sweep/sweep_journals.h"
#include "invar/task/run/simulate_settings.h"
#include "invar/task/simulate/prepared_simulation.h"
#include "invar/task/simulate/simulate.h"
#include "invar/task/simulate/simulate_task.h"

namespace invar {
namespace {

constexpr int rounds = 5;
constexpr double case_bar = 1.05, threads_bar = 1.9;
constexpr double shortest_run = 1e6;  // ns, of which the bar is asked

// The same nodes as a simulation, and nothing else.
double bare_steps(const PreparedSimulation& ready, const Problem& problem) {
  const SimulateSettings& settings = problem.settings.of<SimulateSettings>();
  const StartPoint start = *ready.start.point(problem);
  const std::vector<double> parameters = parameter_values(problem.system);
  InputValues inputs = ready.inputs;
  inputs.set_parameters(parameters);
  Stepper stepper(ready.stepper());
  stepper.set_parameters(parameters);
  stepper.start(start.state, settings.step);
  const auto steps = static_cast<int>(std::ceil(settings.until / settings.step * (1.0 - 1e-12)));
  for (int k = 1; k <= steps; ++k) {
    stepper.advance(k * settings.step - stepper.t(), [&](double t, std::span<double> u) { inputs(t, u); });
    stepper.set_t(k * settings.step);
  }
  return stepper.q()[0];
}

struct Subject {
  std::string model, parameter, method;
  std::uint64_t cases;
};

// Cases of a subject, in the ways that are compared.
class Runs {
 public:
  explicit Runs(const Subject& subject)
      : cases_(subject.cases),
        prepared_(read(subject)),
        value_(value_of(subject.parameter)),
        design_({{{subject.parameter},
                  {ValueSet::read(fmt::format("{}:{}:{}", 0.9 * value_, 1.1 * value_, subject.cases))}}},
                Sampling::random, 0, 1),
        runner_(swept(subject), simulate_task, design_.names(), std::vector<double>{value_},
                RecordingChoice({"figures", "end"})),
        folder_(std::filesystem::temp_directory_path() / ("sweep_bench_" + std::to_string(getpid()))) {}
  ~Runs() { std::filesystem::remove_all(folder_); }

  bool shares() const { return runner_.shares(); }
  void bare() {
    const auto& ready = prepared_.part<PreparedSimulation>();
    for (std::uint64_t k = 0; k < cases_; ++k) sum_ += bare_steps(ready, with_parameters(prepared_.problem(), at(k)));
  }
  void whole() {
    for (std::uint64_t k = 0; k < cases_; ++k) sum_ += simulate(prepared_, at(k)).summary.accuracy.energy_relative;
  }
  void sweep(std::size_t threads) {
    std::filesystem::remove_all(folder_);
    SweepJournals journals(folder_, "bench", cases_);
    journals.open({});
    CaseQueue queue(cases_, {}, journals.recorded());
    CaseWork work = {.runner = runner_, .design = design_};
    work.threads = threads;
    work.deliver = [&](const CaseRecord& r) { journals.append(r); };
    run_cases(work, queue);
  }

 private:
  static Problem read(const Subject& subject) {
    Problem problem = read_problem(subject.model);
    if (!subject.method.empty()) problem.settings.of<SimulateSettings>().method = subject.method;
    return problem;
  }
  static SweptModel swept(const Subject& subject) {
    GivenSettings given;
    given.method = subject.method;
    return {model::read_document(subject.model), {}, {}, given};
  }
  double value_of(const std::string& parameter) const {
    for (const Parameter& p : prepared_.problem().system.parameters)
      if (p.name == parameter) return p.value;
    throw InputError("there is no parameter " + parameter);
  }
  // Steps are the same where cases have to be read anew.
  Overrides at(std::uint64_t k) const {
    if (!runner_.shares()) return {};
    std::vector<double> values(1);
    design_.set_case(k, values);
    return {{design_.names().front(), values[0]}};
  }

  std::uint64_t cases_;
  const Prepared prepared_;
  double value_, sum_ = 0.0;
  const Design design_;
  const CaseRunner runner_;
  const std::filesystem::path folder_;
};

// Seconds on the clock and of processors, of the fastest of some rounds.
struct Spent {
  double wall = 1e9, processors = 0.0;
};
void keep_faster(Spent& best, Runs& runs, std::size_t threads) {
  const auto of_process = [] {
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
  };
  const auto begin = std::chrono::steady_clock::now();
  const double before = of_process();
  runs.sweep(threads);
  const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  if (wall < best.wall) best = {wall, of_process() - before};
}

// Whether the bar holds, if two processors were to be had.
bool compare_threads(Runs& runs) {
  constexpr double both = 1.95;  // of two processors, at least so much was ours
  Spent one, two;
  for (int round = 0; round < rounds; ++round) {
    keep_faster(one, runs, 1);
    keep_faster(two, runs, 2);
  }
  const double sooner = one.wall / two.wall, got = two.processors / two.wall;
  const bool judged = got >= both;
  fmt::print("  two threads are done {:.2f} times as soon, on {:.2f} processors: {}\n", sooner, got,
             !judged                 ? "others were at work, not judged"
             : sooner >= threads_bar ? "PASS"
                                     : "FAIL");
  return !judged || sooner >= threads_bar;
}

bool measure(const Subject& subject) {
  Runs runs(subject);
  const auto units = static_cast<std::size_t>(subject.cases);
  std::vector<Candidate> candidates = {{"bare steps", [&] { runs.bare(); }, units, {}},
                                       {"simulate()", [&] { runs.whole(); }, units, {}},
                                       {"sweep, one thread", [&] { runs.sweep(1); }, units, {}}};
  const std::vector<double> ns = fastest(candidates, rounds);
  if (ns.front() >= shortest_run && runs.shares()) candidates.back().bar = case_bar;
  fmt::print("{} {}, {} cases of {}{}\n", std::filesystem::path(subject.model).parent_path().filename().string(),
             subject.method, subject.cases, subject.parameter,
             runs.shares() ? "" : ": each is read anew, since numbers were computed from it");
  const bool met = print_ratios(candidates, ns);
  return compare_threads(runs) && met;
}

int measure_all() {
  const auto example = [](const std::string& name) { return INVAR_EXAMPLES_DIR "/" + name + "/model.toml"; };
  bool well = true;
  for (const Subject& subject :
       {Subject{example("overhead_crane"), "m", "", 40}, Subject{example("rotary_crane_bodies"), "w", "", 4},
        Subject{example("double_pendulum_bodies"), "m", "", 10}, Subject{example("andrews_squeezer"), "m1", "", 10},
        Subject{example("pendulum"), "m", "rk4", 10}})
    well = measure(subject) && well;
  return well ? 0 : 1;
}

}  // namespace
}  // namespace invar

int main(int argc, char** argv) {
  if (argc < 3) return invar::measure_all();
  return invar::measure({argv[1], argv[2], argc > 4 ? argv[4] : "", argc > 3 ? std::stoul(argv[3]) : 20}) ? 0 : 1;
}

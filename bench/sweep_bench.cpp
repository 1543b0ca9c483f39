// What a sweep adds to its runs: seconds per run of bare steps (start, Newton's method, nothing recorded), of
// simulate() in a loop, of cases of a sweep in one thread with their journal, and in two threads.
//
//   sweep_bench [MODEL [PARAMETER [CASES]]]
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>

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

template <class Work>
double shortest(const Work& work) {
  double best = 1e9;
  for (int i = 0; i < rounds; ++i) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return best;
}

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

int measure(const std::string& file, const std::string& parameter, std::uint64_t cases) {
  const Prepared prepared(read_problem(file));
  const double value = [&] {
    for (const Parameter& p : prepared.problem().system.parameters)
      if (p.name == parameter) return p.value;
    return 1.0;
  }();
  const Design design({{{parameter}, {ValueSet::read(fmt::format("{}:{}:{}", 0.8 * value, 1.2 * value, cases))}}},
                      Sampling::random, 0, 1);
  const auto at = [&](std::uint64_t k) {
    std::vector<double> values(1);
    design.set_case(k, values);
    return Overrides{{parameter, values[0]}};
  };
  const auto per_run = [&](double seconds) { return 1e3 * seconds / static_cast<double>(cases); };
  const auto& ready = prepared.part<PreparedSimulation>();
  double sum = 0.0;
  const double bare = per_run(shortest([&] {
    for (std::uint64_t k = 0; k < cases; ++k) sum += bare_steps(ready, with_parameters(prepared.problem(), at(k)));
  }));
  const double whole = per_run(shortest([&] {
    for (std::uint64_t k = 0; k < cases; ++k) sum += simulate(prepared, at(k)).summary.accuracy.energy_relative;
  }));
  fmt::print("{}, {} cases of {}: {:.3f} ms of bare steps, {:.3f} ms by simulate()\n", file, cases, parameter, bare,
             whole);
  for (const auto& record : {std::vector<std::string>{"figures", "end"}, {"end"}})
    for (const std::size_t threads : {1, 2}) {
      const std::filesystem::path folder =
          std::filesystem::temp_directory_path() / ("sweep_bench_" + std::to_string(getpid()));
      const CaseRunner runner({model::read_document(file), {}, {}, {}}, simulate_task, design.names(),
                              std::vector<double>{value}, RecordingChoice(record));
      CaseWork work = {.runner = runner, .design = design};
      work.threads = threads;
      const double each = per_run(shortest([&] {
        std::filesystem::remove_all(folder);
        SweepJournals journals(folder, "bench", cases);
        journals.open({});
        CaseQueue queue(cases, {}, journals.recorded());
        work.deliver = [&](const CaseRecord& r) { journals.append(r); };
        run_cases(work, queue);
      }));
      std::filesystem::remove_all(folder);
      fmt::print("  sweep, {} thread{}, {}: {:.3f} ms, {:.2f} of bare steps\n", threads, threads == 1 ? "" : "s",
                 fmt::join(record, " and "), each, each / bare);
    }
  return sum == 0.12345;
}

}  // namespace
}  // namespace invar

int main(int argc, char** argv) {
  const std::string model = argc > 1 ? argv[1] : INVAR_EXAMPLES_DIR "/overhead_crane/model.toml";
  return invar::measure(model, argc > 2 ? argv[2] : "m", argc > 3 ? std::stoul(argv[3]) : 200);
}

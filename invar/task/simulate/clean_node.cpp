// See clean_node.h.
#include "invar/task/simulate/clean_node.h"

#include <algorithm>

#include "invar/base/state_bytes.h"
#include "invar/task/run/simulate_settings.h"

namespace invar {

void CleanNode::note(std::uint64_t now, const Stepper& stepper, const Summary& summary) {
  step = now;
  stepper.save(memory);
  factorisations += stepper.factorisations();
  mended += stepper.mended();
  steps = summary.steps;
  substeps = summary.substeps;
  iterations = summary.newton_iterations.total;
  most_iterations = summary.newton_iterations.max;
}

void CleanNode::tell(Summary& summary) const {
  summary.steps = steps;
  summary.substeps = substeps;
  summary.newton_iterations.total = iterations;
  summary.newton_iterations.max = most_iterations;
}

std::uint64_t steps_between_clean_nodes(const Stepper& stepper) {
  constexpr std::uint64_t instructions = 1'000'000'000, fewest = 100, beside = 20;
  return std::max(fewest, instructions / (beside + stepper.instruction_count()));
}

std::string identity_of(const Problem& problem, const State& start, const std::vector<std::string>& columns) {
  SimulateSettings settings = problem.settings.of<SimulateSettings>();
  StateWriter writer;
  std::string version = program_version(), text = problem.text;
  std::vector<std::string> names = columns;
  std::vector<double> numbers;
  for (const auto* part : {&start.q, &start.v, &start.a, &start.lambda})
    numbers.insert(numbers.end(), part->begin(), part->end());
  for (const Parameter& p : problem.system.parameters) numbers.push_back(p.value);
  for (const double x : {settings.until, settings.step, settings.rho, settings.adaptive, settings.absolute,
                         settings.first_step, settings.tolerance})
    numbers.push_back(x);
  for (const int choice :
       {static_cast<int>(problem.formulation), static_cast<int>(settings.map), settings.every, settings.project ? 1 : 0,
        settings.stabilise ? 1 : 0, settings.minimal_extension ? 1 : 0, settings.baumgarte ? 1 : 0})
    numbers.push_back(choice);
  if (const std::optional<Baumgarte>& terms = settings.baumgarte)
    numbers.insert(numbers.end(), {terms->alpha, terms->beta, terms->follows_step ? 1.0 : 0.0});
  constexpr int instants = 4096;
  for (const InputSignal& input : settings.inputs) {
    names.push_back(input.input);
    numbers.insert(numbers.end(), input.time.begin(), input.time.end());
    numbers.insert(numbers.end(), input.value.begin(), input.value.end());
    for (int k = 0; input.function && k <= instants; ++k)
      numbers.push_back(input.function(settings.until * k / instants));
  }
  for (const Reference& signal : problem.signals) {
    std::vector<double> times = signal.function->knots(), value(1);
    for (int k = 0; k <= instants; ++k) times.push_back(settings.until * k / instants);
    for (const double t : times) {
      signal.function->series(t, Side::right, value);
      numbers.insert(numbers.end(), {t, value.front()});
    }
  }
  writer(version, text, settings.method, names, numbers);
  return writer.take();
}

}  // namespace invar

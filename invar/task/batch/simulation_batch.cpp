// See simulation_batch.h.
#include "invar/task/batch/simulation_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/device/step_batch.h"
#include "invar/expr/derivative.h"
#include "invar/scheme/steps/lane_steps.h"
#include "invar/system/all_multipliers.h"
#include "invar/task/simulate/prepared_simulation.h"
#include "invar/task/simulate/simulate.h"

namespace invar {

namespace {

constexpr int first_steps = 20;  // of the processor, after which pivots suit the motion

const SimulateSettings& settings_of(const Prepared& prepared) {
  return prepared.problem().settings.of<SimulateSettings>();
}

std::vector<double> step_times(const SimulateSettings& s) {
  const auto steps = static_cast<std::uint64_t>(std::ceil(s.until / s.step * (1.0 - 1e-12)));
  std::vector<double> times;
  for (std::uint64_t k = 0; k < steps; ++k) times.push_back(static_cast<double>(k) * s.step);
  times.push_back(s.until);
  return times;
}

bool by_formulas(const PreparedSimulation& ready) {
  return ready.scheme.explicit_method && !ready.scheme.info.on_rotations && LaneSteps::fits(ready.system());
}

// Values of all parameters of every case, and which of them are not always the same.
struct CaseParameters {
  std::vector<std::vector<double>> values;
  KernelParameters kernel;

  CaseParameters(const Prepared& prepared, std::span<const Overrides> cases) {
    kernel.values = parameter_values(prepared.problem().system);
    for (const Overrides& changes : cases)
      values.push_back(parameter_values(with_parameters(prepared.problem(), changes).system));
    for (std::size_t k = 0; k < kernel.values.size(); ++k) {
      const bool differs = std::ranges::any_of(values, [&](const auto& v) { return v[k] != values.front()[k]; });
      if (differs) kernel.own.push_back(k);
      if (!values.empty()) kernel.values[k] = values.front()[k];
    }
  }
};

// The program of the steps; nothing if there is none.
std::optional<StepProgram> program_of(const Prepared& prepared, const PreparedSimulation& ready,
                                      const KernelParameters& parameters) {
  const std::size_t watched = 2 * ready.system().coordinates.size();
  if (by_formulas(ready))
    return explicit_program(ready.system(), ready.scheme.explicit_method(), prepared.problem().signals, parameters,
                            watched);
  Stepper stepper = ready.stepper();
  const std::optional<StepFormulas> formulas = stepper.formulas();
  if (!formulas) return std::nullopt;
  InputValues inputs = ready.inputs;
  inputs.set_parameters(parameters.values);
  stepper.set_parameters(parameters.values);
  const double h = settings_of(prepared).step;
  stepper.start(ready.start.point().state, h);
  for (int k = 0; k < first_steps; ++k)
    if (stepper.advance(h, [&](double t, std::span<double> u) { inputs(t, u); }).status != NewtonStatus::converged)
      break;
  return implicit_program(*formulas, settings_of(prepared).tolerance, stepper.arguments(), parameters, watched);
}

}  // namespace

std::string refusal_of_batch(const Prepared& prepared, std::span<const Overrides> cases) {
  const SimulateSettings& settings = settings_of(prepared);
  if (settings.adaptive > 0.0) return "--device cuda: all steps are equal there; leave out \"adaptive\"";
  const PreparedSimulation& ready = prepared.part<PreparedSimulation>();
  if (!by_formulas(ready) && !ready.stepper().formulas())
    return fmt::format(
        "--device cuda: steps of {} are not for a GPU here; use an implicit method such as energy-momentum, or along "
        "open trees of bodies an explicit one such as rk4 with --formulation minimal",
        ready.scheme.info.name);
  for (const Variable& x : ready.system().coordinates)
    if (x.name().ends_with(".angle2"))
      return fmt::format(
          "--device cuda: nobody watches there whether the three angles of \"{}\" come to where they fail; use "
          "rotations = \"quaternions\" under [world]",
          x.name().substr(0, x.name().size() - 7));
  const CaseParameters parameters(prepared, cases);
  for (const InputSignal& input : settings.inputs) {
    if (!input.formula) continue;
    for (const std::size_t k : parameters.kernel.own) {
      const Expr symbol = prepared.problem().system.parameters[k].symbol;
      if (depends(Exprs{*input.formula}, Exprs{symbol}))
        return fmt::format("--device cuda: input \"{}\" contains \"{}\", which is not the same in all runs",
                           input.input, symbol.name());
    }
  }
  return {};
}

BatchEnds simulate_batch(Device& device, const Prepared& prepared, std::span<const Overrides> cases,
                         const RunOptions& options) {
  if (const std::string why = refusal_of_batch(prepared, cases); !why.empty()) throw InputError(why);
  const PreparedSimulation& ready = prepared.part<PreparedSimulation>();
  const CaseParameters parameters(prepared, cases);
  const std::optional<StepProgram> program = program_of(prepared, ready, parameters.kernel);
  if (!program) throw InputError("--device cuda: the equations of a step are too many for a GPU, or singular");
  const std::size_t count = cases.size(), n = ready.system().coordinates.size();
  const double h = settings_of(prepared).step;

  BatchEnds result;
  result.columns = ready.observer.columns();
  result.watched.assign(result.columns.begin() + 1, result.columns.begin() + 1 + static_cast<std::ptrdiff_t>(2 * n));
  result.cases.resize(count);
  std::vector<double> states(program->state * count), own;
  Stepper stepper = ready.stepper();
  Stepper::Memory memory;
  for (std::size_t p = 0; p < count; ++p) {
    const Problem changed = with_parameters(prepared.problem(), cases[p]);
    const std::optional<StartPoint> start = ready.start.point(changed);
    result.cases[p].by_processor = !start || !ready.fits(changed);
    stepper.set_parameters(parameters.values[p]);
    stepper.start(start ? start->state : ready.start.point().state, h);
    stepper.save(memory);
    for (std::size_t k = 0; k < program->state; ++k) states[k * count + p] = memory.node[k];
  }
  for (const std::size_t k : parameters.kernel.own)
    for (std::size_t p = 0; p < count; ++p) own.push_back(parameters.values[p][k]);

  InputValues inputs = ready.inputs;
  inputs.set_parameters(parameters.kernel.values);
  StepBatch batch(device, *program, count);
  batch.start(states, own);
  const std::vector<double> times = step_times(settings_of(prepared));
  batch.advance(times, [&](double t, std::span<double> u) { inputs(t, u); });
  states = batch.states();
  const std::vector<double> range = batch.range();
  const std::vector<std::int64_t> left = batch.left();

  Observer observer = ready.observer;
  AllMultipliers multipliers(prepared.problem().system, ready.system());
  std::vector<double> q(n), v(n), lambda(ready.system().constraints.size()),
      u(prepared.problem().system.inputs.size());
  for (std::size_t p = 0; p < count; ++p) {
    BatchEnds::Case& c = result.cases[p];
    c.by_processor = c.by_processor || left[p] != StepBatch::none;
    if (!c.by_processor) {
      for (std::size_t k = 0; k < n; ++k) {
        q[k] = states[k * count + p];
        v[k] = states[(n + k) * count + p];
      }
      for (std::size_t k = 0; k < lambda.size(); ++k) lambda[k] = states[(2 * n + k) * count + p];
      inputs(times.back(), u);
      c.end.resize(result.columns.size());
      observer.observe(times.back(), q, v, multipliers.all(lambda), u, parameters.values[p], c.end);
      c.by_processor = !std::ranges::all_of(c.end, [](double x) { return std::isfinite(x); });
      for (std::size_t k = 0; k < 2 * n; ++k) {
        c.least.push_back(range[k * count + p]);
        c.greatest.push_back(range[(2 * n + k) * count + p]);
      }
    }
    if (!c.by_processor) continue;
    c = {};
    c.by_processor = true;
    const Simulation alone = simulate(prepared, cases[p], options);
    if (alone.summary.status != RunStatus::done)
      c.failure = alone.summary.message;
    else
      c.end.assign(alone.trajectory.row(alone.trajectory.rows() - 1).begin(),
                   alone.trajectory.row(alone.trajectory.rows() - 1).end());
  }
  return result;
}

bool gpu_pays(const Prepared& prepared, std::size_t cases, unsigned cores) {
  // Seconds: to open the GPU; to build a kernel, per instruction; then per instruction of a step: on a core in lanes,
  // on one step by step, on the GPU if many points share it, and if there are few.
  constexpr double opening = 0.7, building = 1.5e-3, in_lanes = 0.25e-9, alone = 2.5e-9, shared = 1e-12, few = 10e-9;
  constexpr double iteration = 9.0;  // three, each three times as long as a residual with its Jacobian
  const PreparedSimulation& ready = prepared.part<PreparedSimulation>();
  const SimulateSettings& s = settings_of(prepared);
  const bool is_explicit = ready.stepper().is_explicit();
  const double length = static_cast<double>(ready.stepper().instruction_count()) * (is_explicit ? 1.0 : iteration);
  const double in_turn = length * s.until / s.step, all = in_turn * static_cast<double>(cases);
  const double on_cores = all * (is_explicit ? in_lanes : alone) / std::max(cores, 1u);
  return on_cores > opening + building * length + in_turn * few + all * shared;
}

}  // namespace invar

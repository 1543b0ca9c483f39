// See simulation_program.h.
#include "invar/task/batch/simulation_program.h"

#include <fmt/format.h>

#include <algorithm>

#include "invar/base/error.h"
#include "invar/device/step_places.h"
#include "invar/expr/derivative.h"
#include "invar/scheme/steps/lane_steps.h"
#include "invar/task/batch/batch_parameters.h"
#include "invar/task/simulate/prepared_simulation.h"

namespace invar {

namespace {

// Seconds per instruction of a step: on a core in lanes, on one step by step, on the GPU if many points share it, and
// if there are few; to open the GPU; to build a kernel, per instruction. As measured (docs/gpu.md).
constexpr double in_lanes = 0.25e-9, alone = 2.5e-9, shared = 1e-12, few = 10e-9, opening = 0.7, building = 1.5e-3;
constexpr double iteration = 9.0;  // three, each three times as long as a residual with its Jacobian

bool by_formulas(const PreparedSimulation& ready) {
  return ready.scheme.explicit_method && !ready.scheme.info.on_rotations && LaneSteps::fits(ready.system());
}

// The program of the steps; nothing if there is none.
std::optional<StepProgram> program_of(const Prepared& prepared, const PreparedSimulation& ready,
                                      const KernelParameters& parameters) {
  const std::size_t watched = 2 * ready.system().coordinates.size();
  const auto every = static_cast<std::size_t>(simulation_settings(prepared).every);
  if (by_formulas(ready))
    return explicit_program(ready.system(), ready.scheme.explicit_method(), prepared.problem().signals, parameters,
                            watched, every);
  Stepper stepper = ready.stepper();
  const std::optional<StepFormulas> formulas = stepper.formulas();
  if (!formulas) return std::nullopt;
  InputValues inputs = ready.inputs;
  inputs.set_parameters(parameters.values);
  stepper.set_parameters(parameters.values);
  const double h = simulation_settings(prepared).step;
  stepper.start(ready.start.point().state, h);
  const auto places = step_places(stepper, *formulas, h, [&](double t, std::span<double> u) { inputs(t, u); });
  return implicit_program(*formulas, simulation_settings(prepared).tolerance, places, parameters, watched, every);
}

// Instructions of a step.
double step_length(const Stepper& stepper) {
  return static_cast<double>(stepper.instruction_count()) * (stepper.is_explicit() ? 1.0 : iteration);
}

}  // namespace

std::string refusal_of_batch(const Prepared& prepared, const std::vector<std::string>& varied) {
  const SimulateSettings& settings = simulation_settings(prepared);
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
  const KernelParameters parameters = batch_parameters(prepared.problem(), varied);
  for (const InputSignal& input : settings.inputs) {
    if (!input.formula) continue;
    for (const std::size_t k : parameters.own) {
      const Expr symbol = prepared.problem().system.parameters[k].symbol;
      if (depends(Exprs{*input.formula}, Exprs{symbol}))
        return fmt::format("--device cuda: input \"{}\" contains \"{}\", which is not the same in all runs",
                           input.input, symbol.name());
    }
  }
  return {};
}

bool gpu_pays(const Prepared& prepared, std::size_t cases, unsigned cores) {
  const PreparedSimulation& ready = prepared.part<PreparedSimulation>();
  const SimulateSettings& s = simulation_settings(prepared);
  const double length = step_length(ready.stepper());
  const double in_turn = length * s.until / s.step, all = in_turn * static_cast<double>(cases);
  const double on_cores = all * (ready.stepper().is_explicit() ? in_lanes : alone) / std::max(cores, 1u);
  return on_cores > opening + building * length + in_turn * few + all * shared;
}

StepProgram simulation_program(const Prepared& prepared, const std::vector<std::string>& varied,
                               const KernelParameters& parameters) {
  if (const std::string why = refusal_of_batch(prepared, varied); !why.empty()) throw InputError(why);
  std::optional<StepProgram> program = program_of(prepared, prepared.part<PreparedSimulation>(), parameters);
  if (!program) throw InputError("--device cuda: the equations of a step are too many for a GPU, or singular");
  return *std::move(program);
}

double seconds_on_gpu(const Stepper& stepper) { return step_length(stepper) * shared; }

}  // namespace invar

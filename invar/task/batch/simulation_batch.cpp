// See simulation_batch.h.
#include "invar/task/batch/simulation_batch.h"

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/device/step_batch.h"
#include "invar/system/all_multipliers.h"
#include "invar/task/batch/batch_parameters.h"
#include "invar/task/batch/in_parts.h"
#include "invar/task/batch/simulation_program.h"
#include "invar/task/simulate/prepared_simulation.h"

namespace invar {

namespace {

constexpr double kept_energy = 1e-6, roughly_kept_energy = 0.05;  // as in simulation_check.cpp

std::vector<double> step_times(const SimulateSettings& s) {
  const auto steps = static_cast<std::uint64_t>(std::ceil(s.until / s.step * (1.0 - 1e-12)));
  std::vector<double> times;
  for (std::uint64_t k = 0; k < steps; ++k) times.push_back(static_cast<double>(k) * s.step);
  times.push_back(s.until);
  return times;
}

// Energy that ought to be the same and is another one: then the processor runs the case, and judges it.
class EnergyDoubt {
 public:
  EnergyDoubt(const PreparedSimulation& ready) : bound_(ready.scheme.info.energy ? kept_energy : roughly_kept_energy) {
    const std::vector<std::string>& columns = ready.observer.columns();
    const auto kept = std::ranges::find(ready.observer.conserved(), "energy.total", &Conserved::column);
    const auto kinetic = std::ranges::find(columns, "energy.kinetic");
    if (kept == ready.observer.conserved().end() || !kept->expected || kinetic == columns.end()) return;
    kinetic_ = static_cast<std::size_t>(kinetic - columns.begin());
    known_ = kinetic_ + 1 < columns.size();
  }
  bool known() const { return known_; }
  bool operator()(std::span<const double> first, std::span<const double> last) const {
    double size = 0.0;
    for (const std::span<const double> row : {first, last})
      size = std::max({size, std::abs(row[kinetic_]), std::abs(row[kinetic_ + 1])});
    return !(std::abs(total(last) - total(first)) <= bound_ * size);
  }

 private:
  double total(std::span<const double> row) const { return row[kinetic_] + row[kinetic_ + 1]; }

  double bound_;
  std::size_t kinetic_ = 0;  // and then the potential one
  bool known_ = false;
};

class SimulationBatch : public RunBatch {
 public:
  SimulationBatch(Device& device, const Prepared& prepared, const std::vector<std::string>& varied)
      : device_(device),
        prepared_(prepared),
        ready_(prepared.part<PreparedSimulation>()),
        parameters_(batch_parameters(prepared.problem(), varied)),
        program_(simulation_program(prepared, varied, parameters_)),
        kernel_(device.build(program_.kernel)),
        times_(step_times(simulation_settings(prepared))),
        doubt_(ready_),
        n_(ready_.system().coordinates.size()),
        columns_(simulation_columns(prepared)) {
    watch_inputs();
  }

  const std::vector<Column>& columns() const override { return columns_; }
  std::string device() const override { return device_.name(); }
  std::size_t portion() const override;
  std::optional<std::vector<Case>> run(std::span<const Overrides> cases, const Help& help) override;

 private:
  struct Points {
    std::vector<double> states, own;
    std::vector<std::vector<double>> parameters;
    std::vector<std::vector<double>> first_row;  // where energy is compared
    std::vector<char> lost;                      // without a start
  };
  void watch_inputs();
  void begin(std::span<const Overrides> cases, std::size_t first, std::size_t last, Points& points) const;
  void end(const Points& points, std::span<const double> range, std::size_t first, std::size_t last,
           std::vector<Case>& found) const;
  InputValues inputs() const {
    InputValues values = ready_.inputs;
    values.set_parameters(parameters_.values);
    return values;
  }

  Device& device_;
  const Prepared prepared_;
  const PreparedSimulation& ready_;
  const KernelParameters parameters_;
  const StepProgram program_;
  const std::shared_ptr<Kernel> kernel_;
  const std::vector<double> times_;
  const EnergyDoubt doubt_;
  const std::size_t n_;
  const std::vector<Column> columns_;
  std::vector<std::size_t> input_columns_;
  std::vector<double> least_input_, greatest_input_;  // the same in all cases
};

void SimulationBatch::watch_inputs() {
  const std::vector<Input>& of = prepared_.problem().system.inputs;
  std::vector<double> u(of.size());
  InputValues values = inputs();
  const auto every = static_cast<std::size_t>(simulation_settings(prepared_).every);
  for (std::size_t k = 0; k < times_.size(); ++k) {
    if (k % every != 0 && k + 1 < times_.size()) continue;
    values(times_[k], u);
    if (k == 0) least_input_ = greatest_input_ = u;
    for (std::size_t i = 0; i < u.size(); ++i) {
      least_input_[i] = std::min(least_input_[i], u[i]);
      greatest_input_[i] = std::max(greatest_input_[i], u[i]);
    }
  }
  for (const Input& input : of) {
    const auto column = std::ranges::find(columns_, input.name, &Column::name);
    input_columns_.push_back(static_cast<std::size_t>(column - columns_.begin()));
  }
}

// About a minute of the GPU at most, which is what a kill loses, and what its memory holds.
std::size_t SimulationBatch::portion() const {
  constexpr double minute = 60.0, memory = 2e9;
  const std::size_t most = device_.points(), least = most / 32 + 1;
  const double bytes =
      8.0 * static_cast<double>(program_.state + program_.own + 1 + 2 * program_.watched + program_.memory);
  const double seconds = seconds_on_gpu(ready_.stepper()) * static_cast<double>(times_.size());
  return static_cast<std::size_t>(
      std::clamp(std::min(minute / seconds, memory / bytes), static_cast<double>(least), static_cast<double>(most)));
}

// Starts of some of the cases.
void SimulationBatch::begin(std::span<const Overrides> cases, std::size_t first, std::size_t last,
                            Points& points) const {
  const std::size_t count = cases.size();
  const double h = simulation_settings(prepared_).step;
  Stepper stepper = ready_.stepper();
  Stepper::Memory memory;
  Observer observer = ready_.observer;
  AllMultipliers multipliers(prepared_.problem().system, ready_.system());
  InputValues values = inputs();
  std::vector<double> u(prepared_.problem().system.inputs.size());
  for (std::size_t p = first; p < last; ++p) {
    std::optional<StartPoint> start;
    points.parameters[p] = parameters_.values;
    try {
      const Problem changed = with_parameters(prepared_.problem(), cases[p]);
      points.parameters[p] = parameter_values(changed.system);
      if (ready_.fits(changed)) start = ready_.start.point(changed);
    } catch (const InputError&) {  // whose words are those of the run
    }
    points.lost[p] = !start;
    stepper.set_parameters(points.parameters[p]);
    stepper.start(start ? start->state : ready_.start.point().state, h);
    stepper.save(memory);
    for (std::size_t k = 0; k < program_.state; ++k) points.states[k * count + p] = memory.node[k];
    for (std::size_t k = 0; k < parameters_.own.size(); ++k)
      points.own[k * count + p] = points.parameters[p][parameters_.own[k]];
    if (!doubt_.known()) continue;
    values(0.0, u);
    points.first_row[p].resize(columns_.size());
    observer.observe(0.0, stepper.q(), stepper.v(), multipliers.all(stepper.lambda()), u, points.parameters[p],
                     points.first_row[p]);
  }
}

void SimulationBatch::end(const Points& points, std::span<const double> range, std::size_t first, std::size_t last,
                          std::vector<Case>& found) const {
  const std::size_t count = found.size();
  Observer observer = ready_.observer;
  AllMultipliers multipliers(prepared_.problem().system, ready_.system());
  std::vector<double> q(n_), v(n_), lambda(ready_.system().constraints.size()),
      u(prepared_.problem().system.inputs.size());
  InputValues values = inputs();
  values(times_.back(), u);
  for (std::size_t p = first; p < last; ++p) {
    if (points.lost[p]) continue;
    Case& c = found[p];
    const auto state = [&](std::size_t k) { return points.states[k * count + p]; };
    for (std::size_t k = 0; k < n_; ++k) q[k] = state(k), v[k] = state(n_ + k);
    for (std::size_t k = 0; k < lambda.size(); ++k) lambda[k] = state(2 * n_ + k);
    c.end.resize(columns_.size());
    observer.observe(times_.back(), q, v, multipliers.all(lambda), u, points.parameters[p], c.end);
    if (!std::ranges::all_of(c.end, [](double x) { return std::isfinite(x); }) ||
        (doubt_.known() && doubt_(points.first_row[p], c.end))) {
      c = {};
      continue;
    }
    c.least = c.greatest = c.end;
    c.least[0] = 0.0;
    for (std::size_t k = 0; k < 2 * n_; ++k) {
      c.least[1 + k] = std::min(range[k * count + p], c.end[1 + k]);
      c.greatest[1 + k] = std::max(range[(2 * n_ + k) * count + p], c.end[1 + k]);
    }
    for (std::size_t i = 0; i < input_columns_.size(); ++i)
      if (input_columns_[i] < columns_.size()) {
        c.least[input_columns_[i]] = least_input_[i];
        c.greatest[input_columns_[i]] = greatest_input_[i];
      }
  }
}

std::optional<std::vector<RunBatch::Case>> SimulationBatch::run(std::span<const Overrides> cases, const Help& help) {
  constexpr std::size_t between_questions = 256;  // steps
  const std::size_t count = cases.size();
  Points points = {std::vector<double>(program_.state * count), std::vector<double>(parameters_.own.size() * count),
                   std::vector<std::vector<double>>(count), std::vector<std::vector<double>>(count),
                   std::vector<char>(count)};
  in_parts(count, help.threads, [&](std::size_t first, std::size_t last) { begin(cases, first, last, points); });
  StepBatch batch(device_, program_, count, kernel_);
  batch.start(points.states, points.own);
  InputValues values = inputs();
  for (std::size_t k = 0; k + 1 < times_.size(); k += between_questions) {
    if (help.stop && help.stop()) return std::nullopt;
    const std::size_t steps = std::min(between_questions, times_.size() - 1 - k);
    batch.advance(std::span(times_).subspan(k, steps + 1), [&](double t, std::span<double> u) { values(t, u); });
  }
  points.states = batch.states();
  const std::vector<double> range = batch.range();
  const std::vector<std::int64_t> left = batch.left();
  for (std::size_t p = 0; p < count; ++p) points.lost[p] |= left[p] != StepBatch::none;
  std::vector<Case> found(count);
  in_parts(count, help.threads, [&](std::size_t first, std::size_t last) { end(points, range, first, last, found); });
  return found;
}

}  // namespace

std::vector<RunBatch::Column> simulation_columns(const Prepared& prepared) {
  const PreparedSimulation& ready = prepared.part<PreparedSimulation>();
  const std::size_t motion = 2 * ready.system().coordinates.size();
  const std::vector<Input>& inputs = prepared.problem().system.inputs;
  std::vector<RunBatch::Column> columns;
  for (const std::string& name : ready.observer.columns())
    columns.push_back(
        {name, columns.size() <= motion || std::ranges::find(inputs, name, &Input::name) != inputs.end()});
  return columns;
}

std::unique_ptr<RunBatch> simulation_batch(Device& device, const Prepared& prepared,
                                           const std::vector<std::string>& varied) {
  return std::make_unique<SimulationBatch>(device, prepared, varied);
}

}  // namespace invar

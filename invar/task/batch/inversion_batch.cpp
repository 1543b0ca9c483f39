// See inversion_batch.h.
#include "invar/task/batch/inversion_batch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "invar/base/error.h"
#include "invar/device/instant_program.h"
#include "invar/device/step_batch.h"
#include "invar/task/batch/batch_parameters.h"
#include "invar/task/batch/in_parts.h"
#include "invar/task/inverse_structure/inverse_structure.h"
#include "invar/task/invert/inverse_grid.h"
#include "invar/task/invert/inverse_method.h"
#include "invar/task/invert/inverse_record.h"

namespace invar {

namespace {

const InvertSettings& inversion_settings(const Problem& problem) { return problem.settings.of<InvertSettings>(); }

// What all inversions of a problem share, for the values that it has; words in place of it if it is not for a GPU.
struct PreparedInversion {
  explicit PreparedInversion(const Problem& problem) {
    try {
      structure = analyse_inverse(problem);
      if ((refusal = why_not(problem)).empty()) prepare(problem);
    } catch (const InputError& e) {
      refusal = std::string("--device cuda: ") + e.what();
    }
  }

  std::string refusal;
  InverseStructure structure;
  std::vector<double> grid;
  std::vector<Jet> path;            // some jets all along it
  std::vector<WantedValue> wanted;  // those of the columns behind t, and what other columns need
  std::size_t watched = 0;          // columns
  int extra = 0;                    // derivatives that are wanted beyond those that are solved for
  std::vector<std::string> columns;

 private:
  std::string why_not(const Problem& problem) const;
  void prepare(const Problem& problem);
};

std::string PreparedInversion::why_not(const Problem& problem) const {
  const InverseMethod method = inverse_method(inversion_settings(problem));
  if (method != InverseMethod::automatic && method != InverseMethod::taylor)
    return "--device cuda: inversions are made by taylor there; leave out --method";
  if (!structure.flat())
    return "--device cuda: there is internal dynamics to be integrated; only flat problems can be inverted there";
  if (structure.hidden)
    return "--device cuda: the structure of these equations is found by a derivative array, which is not for a GPU";
  if (structure.singular_start) return "--device cuda: the equations are singular at the start";
  if (!structure.rough.empty()) return "--device cuda: " + structure.rough.front();
  return {};
}

void PreparedInversion::prepare(const Problem& problem) {
  constexpr int samples = 12;
  const Dae& dae = structure.dae;
  grid = output_grid(inversion_settings(problem));
  PathPlan course;
  course.knots = knots_of(dae, inversion_settings(problem).until);
  for (int k = 0; k <= samples; ++k) course.grid.push_back(grid.back() * k / samples);
  for (const DaeUnknown& x : dae.unknowns) course.kinds.push_back(x.kind);
  course.units = dae.units;
  path = follow(structure.solve, structure.start, course).jets;
  const InverseRecord record(problem, dae, false);
  columns = record.trajectory().columns;
  const std::size_t n = problem.system.coordinates.size();
  for (std::size_t j = 0; j < n; ++j) wanted.push_back({j, 0});
  for (std::size_t j = 0; j < n; ++j) wanted.push_back({j, 1});
  for (std::size_t j = n; j < dae.unknowns.size(); ++j) wanted.push_back({j, 0});
  watched = 1 + wanted.size();
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j)
    for (int order = j < n ? 2 : 1; order <= record.order(j); ++order)
      wanted.push_back({j, static_cast<std::size_t>(order)});
  for (const WantedValue& w : wanted)
    extra = std::max(extra, static_cast<int>(w.order) - structure.formal.d[w.unknown]);
}

Sweep sweep_or_refusal(const PreparedInversion& ready, const KernelParameters& parameters) {
  if (!ready.refusal.empty()) throw InputError(ready.refusal);
  constexpr std::size_t longest = 20'000;
  std::optional<Sweep> sweep =
      Sweep::make(ready.structure.dae, ready.structure.formal, ready.extra, ready.path, longest, parameters.own);
  if (!sweep) throw InputError("--device cuda: the equations of an instant are too many for a GPU, or singular");
  return *std::move(sweep);
}

class InversionBatch : public RunBatch {
 public:
  InversionBatch(Device& device, const Prepared& prepared, const std::vector<std::string>& varied)
      : device_(device),
        prepared_(prepared),
        ready_(prepared.part<PreparedInversion>()),
        parameters_(batch_parameters(prepared.problem(), varied)),
        sweep_(sweep_or_refusal(ready_, parameters_)),
        program_(instant_program(sweep_, ready_.path, ready_.wanted, parameters_.own.size())),
        kernel_(device.build(program_.kernel)),
        columns_(inversion_columns(prepared)) {}

  const std::vector<Column>& columns() const override { return columns_; }
  std::string device() const override { return device_.name(); }
  std::size_t portion() const override { return device_.points(); }
  std::optional<std::vector<Case>> run(std::span<const Overrides> cases, const Help& help) override;

 private:
  void end(std::span<const std::vector<double>> parameters, std::span<const double> states,
           std::span<const double> range, std::size_t first, std::size_t last, std::vector<Case>& found) const;

  Device& device_;
  const Prepared prepared_;
  const PreparedInversion& ready_;
  const KernelParameters parameters_;
  const Sweep sweep_;
  const StepProgram program_;
  const std::shared_ptr<Kernel> kernel_;
  const std::vector<Column> columns_;
};

// The last rows; those whose parameters are missing, or whose numbers are not finite, need runs of their own.
void InversionBatch::end(std::span<const std::vector<double>> parameters, std::span<const double> states,
                         std::span<const double> range, std::size_t first, std::size_t last,
                         std::vector<Case>& found) const {
  const std::size_t count = found.size(), values = ready_.wanted.size();
  InverseRecord record(prepared_.problem(), ready_.structure.dae, false);
  for (std::size_t p = first; p < last; ++p) {
    if (parameters[p].empty()) continue;
    Jet jet;
    jet.t = ready_.grid.back();
    jet.x.resize(ready_.structure.dae.unknowns.size());
    for (std::size_t w = 0; w < values; ++w) {  // orders of an unknown come one after the other
      jet.x[ready_.wanted[w].unknown].resize(ready_.wanted[w].order + 1);
      jet.x[ready_.wanted[w].unknown][ready_.wanted[w].order] = states[w * count + p];
    }
    record.set_parameters(parameters[p]);
    const Jet* const one = &jet;
    record.add({&one, 1}, {});
    const std::span<const double> row = record.trajectory().row(record.trajectory().rows() - 1);
    if (!std::ranges::all_of(row, [](double x) { return std::isfinite(x); })) continue;
    Case& c = found[p];
    c.end.assign(row.begin(), row.end());
    c.least = c.greatest = c.end;
    c.least[0] = ready_.grid.front();
    for (std::size_t k = 1; k < ready_.watched; ++k) {
      c.least[k] = range[(k - 1) * count + p];
      c.greatest[k] = range[(values + k - 1) * count + p];
    }
  }
}

std::optional<std::vector<RunBatch::Case>> InversionBatch::run(std::span<const Overrides> cases, const Help& help) {
  const std::size_t count = cases.size();
  std::vector<std::vector<double>> parameters(count);
  in_parts(count, help.threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t p = first; p < last; ++p) try {
        parameters[p] = parameter_values(with_parameters(prepared_.problem(), cases[p]).system);
      } catch (const InputError&) {  // whose words are those of the run
      }
  });
  std::vector<double> states, own;
  for (const double x : instant_node(sweep_, ready_.structure.start, ready_.wanted))
    states.insert(states.end(), count, x);
  for (const std::size_t k : parameters_.own)
    for (std::size_t p = 0; p < count; ++p)
      own.push_back(parameters[p].empty() ? parameters_.values[k] : parameters[p][k]);
  StepBatch batch(device_, program_, count, kernel_);
  batch.start(states, own);
  const std::vector<double> at_start = {ready_.grid.front(), ready_.grid.front()};
  batch.advance(at_start, {});
  batch.watch_from_here();
  constexpr std::size_t between_questions = 256;  // instants
  for (std::size_t k = 0; k + 1 < ready_.grid.size(); k += between_questions) {
    if (help.stop && help.stop()) return std::nullopt;
    const std::size_t steps = std::min(between_questions, ready_.grid.size() - 1 - k);
    batch.advance(std::span(ready_.grid).subspan(k, steps + 1), {});
  }
  states = batch.states();
  const std::vector<double> range = batch.range();
  const std::vector<std::int64_t> left = batch.left();
  for (std::size_t p = 0; p < count; ++p)
    if (left[p] != StepBatch::none) parameters[p].clear();
  std::vector<Case> found(count);
  in_parts(count, help.threads,
           [&](std::size_t first, std::size_t last) { end(parameters, states, range, first, last, found); });
  return found;
}

}  // namespace

std::string refusal_of_inversions(const Prepared& prepared, const std::vector<std::string>&) {
  return prepared.part<PreparedInversion>().refusal;
}

std::vector<RunBatch::Column> inversion_columns(const Prepared& prepared) {
  const PreparedInversion& ready = prepared.part<PreparedInversion>();
  std::vector<RunBatch::Column> columns;
  for (const std::string& name : ready.columns) columns.push_back({name, columns.size() < ready.watched});
  return columns;
}

bool gpu_pays_for_inversions(const Prepared& prepared, std::size_t cases, unsigned cores) {
  // Seconds: to open the GPU and to build a kernel; then of a run: to analyse its equations, and to solve them at an
  // instant, for each unknown. Of the latter the GPU takes next to nothing.
  constexpr double begin = 3.0, analysis = 5e-3, instant = 1e-6;
  const PreparedInversion& ready = prepared.part<PreparedInversion>();
  const double alone =
      analysis + instant * static_cast<double>(ready.grid.size() * ready.structure.dae.unknowns.size());
  return alone * static_cast<double>(cases) / std::max(cores, 1u) > begin;
}

std::unique_ptr<RunBatch> inversion_batch(Device& device, const Prepared& prepared,
                                          const std::vector<std::string>& varied) {
  return std::make_unique<InversionBatch>(device, prepared, varied);
}

}  // namespace invar

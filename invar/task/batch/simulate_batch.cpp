// See simulation_batch.h.
#include "invar/task/batch/batch_parameters.h"
#include "invar/task/batch/simulation_batch.h"
#include "invar/task/simulate/prepared_simulation.h"
#include "invar/task/simulate/simulate.h"

namespace invar {

std::string refusal_of_batch(const Prepared& prepared, std::span<const Overrides> cases) {
  return refusal_of_batch(prepared, names_in(cases));
}

BatchEnds simulate_batch(Device& device, const Prepared& prepared, std::span<const Overrides> cases,
                         const RunOptions& options) {
  const std::unique_ptr<RunBatch> batch = simulation_batch(device, prepared, names_in(cases));
  const std::size_t watched = 2 * prepared.part<PreparedSimulation>().system().coordinates.size();
  BatchEnds result;
  for (const RunBatch::Column& column : batch->columns()) result.columns.push_back(column.name);
  result.watched.assign(result.columns.begin() + 1, result.columns.begin() + 1 + static_cast<std::ptrdiff_t>(watched));
  for (std::size_t first = 0; first < cases.size(); first += batch->portion()) {
    const auto portion = cases.subspan(first, std::min(batch->portion(), cases.size() - first));
    const auto found = batch->run(portion, {});
    for (std::size_t p = 0; p < portion.size(); ++p) {
      const RunBatch::Case& of = (*found)[p];
      BatchEnds::Case& c = result.cases.emplace_back();
      c.end = of.end;
      if (!of.end.empty()) {
        c.least.assign(of.least.begin() + 1, of.least.begin() + 1 + static_cast<std::ptrdiff_t>(watched));
        c.greatest.assign(of.greatest.begin() + 1, of.greatest.begin() + 1 + static_cast<std::ptrdiff_t>(watched));
        continue;
      }
      c.by_processor = true;
      const Simulation alone = simulate(prepared, portion[p], options);
      const Trajectory& rows = alone.trajectory;
      if (alone.summary.status != RunStatus::done)
        c.failure = alone.summary.message;
      else
        c.end.assign(rows.row(rows.rows() - 1).begin(), rows.row(rows.rows() - 1).end());
    }
  }
  return result;
}

}  // namespace invar

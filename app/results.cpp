// See results.h.
#include "app/results.h"

#include <filesystem>

#include "invar/base/error.h"
#include "invar/base/private_files.h"
#include "invar/record/result_folder.h"
#include "invar/report/page/page.h"
#include "invar/report/plot/paper_plot.h"
#include "invar/report/scene/snapshots.h"

namespace invar::app {

namespace {

// Pictures as PNG beside their SVG, by librsvg's command.
void rasterise(const std::filesystem::path& folder) {
  for (const char* name : {"plot", "snapshots"}) {
    const std::string svg = (folder / name).string() + ".svg", png = (folder / name).string() + ".png";
    if (std::filesystem::exists(svg) && !run_program({"rsvg-convert", "--zoom", "2", "--output", png, svg}))
      throw InputError("--png: rsvg-convert is missing or failed (Debian package librsvg2-bin)");
  }
}

}  // namespace

void write_results(const Problem& problem, const Outcome& outcome, const std::string& folder,
                   const Pictures& pictures) {
  ResultFolder results(folder);
  const Trajectory* costates = outcome.costates ? &*outcome.costates : nullptr;
  write_csv(outcome.trajectory, results.path() / "result.csv");
  if (outcome.inputs) write_csv(*outcome.inputs, results.path() / "inputs.csv");
  if (outcome.costates) write_csv(*outcome.costates, results.path() / "costates.csv");
  results.write("summary.json", to_json(outcome.summary));
  if (pictures.report || pictures.svg || pictures.png) {
    results.write("plot.svg", paper_plot(problem, outcome.summary, outcome.trajectory, costates));
    if (const std::string still =
            snapshots_svg(problem, outcome.trajectory, {.title = outcome.summary.name, .times = pictures.snapshots});
        !still.empty())
      results.write("snapshots.svg", still);
  }
  if (pictures.report)
    results.write("report.html", report_page({problem, outcome.summary, outcome.trajectory, costates, problem.text,
                                              pictures.snapshots}));
  if (pictures.png) rasterise(results.path());
  if (outcome.summary.status != RunStatus::done) results.write("INCOMPLETE", outcome.summary.message + "\n");
  results.commit();
}

}  // namespace invar::app

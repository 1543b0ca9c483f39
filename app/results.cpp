// See results.h.
#include "app/results.h"

#include <algorithm>
#include <filesystem>

#include "invar/base/error.h"
#include "invar/base/private_files.h"
#include "invar/report/page/page.h"
#include "invar/report/plot/paper_plot.h"
#include "invar/report/rows/energy_balance.h"
#include "invar/report/scene/snapshots.h"

namespace invar::app {

namespace {

using Run = OutputFormat::Run;

void write_tables(const Run& run, ResultFolder& results) {
  const Outcome& o = run.outcome;
  if (run.rows.has_begun())
    run.rows.finish();
  else
    write_rows(o.trajectory, run.rows);
  run.rows.annotate(run.problem, o.trajectory, o.summary);
  for (const Outcome::Table& table : run.outcome.tables) write_csv(table.rows, results.path() / (table.name + ".csv"));
  for (const Outcome::Text& text : run.outcome.texts) results.write(text.name, text.text);
}

void write_summary(const Run& run, ResultFolder& results) {
  results.write("summary.json", to_json(run.outcome.summary));
}

Trajectory table_of(const Run& run) {
  const Outcome& o = run.outcome;
  return report_table(run.problem, o.summary, o.trajectory, o.table("costates"));
}

bool has_pictures(const ResultFolder& results) { return std::filesystem::exists(results.path() / "plot.svg"); }

void draw(const Run& run, const Trajectory& table, ResultFolder& results) {
  const Outcome& o = run.outcome;
  results.write("plot.svg", paper_plot(run.problem, o.summary, table));
  if (const std::string still =
          snapshots_svg(run.problem, o.trajectory, {.title = o.summary.name, .times = run.choice.snapshots});
      !still.empty())
    results.write("snapshots.svg", still);
}

void write_pictures(const Run& run, ResultFolder& results) {
  if (!has_pictures(results)) draw(run, table_of(run), results);
}

void write_page(const Run& run, ResultFolder& results) {
  const Outcome& o = run.outcome;
  const Trajectory table = table_of(run);
  if (!has_pictures(results)) draw(run, table, results);
  results.write("report.html", report_page({run.problem, o.summary, o.trajectory, o.table("costates"), run.problem.text,
                                            run.choice.snapshots, &table, &run.rows.even()}));
}

// Pictures as PNG beside their SVG, by librsvg's command.
void rasterise(const Run& run, ResultFolder& results) {
  write_pictures(run, results);
  for (const char* name : {"plot", "snapshots"}) {
    const std::string svg = (results.path() / name).string() + ".svg", png = (results.path() / name).string() + ".png";
    if (std::filesystem::exists(svg) && !run_program({"rsvg-convert", "--zoom", "2", "--output", png, svg}))
      throw InputError("--png: rsvg-convert is missing or failed (Debian package librsvg2-bin)");
  }
}

void mark_incomplete(const Run& run, ResultFolder& results) {
  const Summary& s = run.outcome.summary;
  if (s.status != RunStatus::done) results.write("INCOMPLETE", s.message + "\n");
}

constexpr OutputFormat formats[] = {
    {.write = write_tables},
    {.write = write_summary},
    {"--svg", "plot.svg and snapshots.svg even with --no-report", false, write_pictures},
    {"--no-report", "no page and no pictures, only the numbers", true, write_page},
    {"--png", "the pictures also as PNG (needs rsvg-convert)", false, rasterise},
    {.write = mark_incomplete},
};

}  // namespace

bool OutputChoice::wants(const OutputFormat& format) const {
  return format.option.empty() || format.usual != options.contains(format.option);
}

std::span<const OutputFormat> output_formats() { return formats; }

void write_results(const Run& run, ResultFolder& results) {
  for (const OutputFormat& format : formats)
    if (run.choice.wants(format)) format.write(run, results);
  results.commit();
}

}  // namespace invar::app

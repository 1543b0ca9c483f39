// See results.h.
#include "app/results/results.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "app/results/checkpoint.h"
#include "app/results/work.h"
#include "invar/base/error.h"
#include "invar/base/private_files.h"
#include "invar/record/file.h"
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
                                            run.choice.snapshots, &table, &run.rows.even(), documentation_address()}));
}

// Pictures as PNG beside their SVG, by librsvg's command.
void rasterise(const Run& run, ResultFolder& results) {
  write_pictures(run, results);
  for (const char* name : {"plot", "snapshots"}) {
    const std::string svg = (results.path() / name).string() + ".svg";
    if (!std::filesystem::exists(svg)) continue;
    results.add(std::string(name) + ".png", [&](const std::filesystem::path& png) {
      if (!run_program({"rsvg-convert", "--zoom", "2", "--output", png.string(), svg}))
        throw OutputError("--png: rsvg-convert is missing or failed (Debian package librsvg2-bin)");
    });
  }
}

void mark_incomplete(const Run& run, ResultFolder& results) {
  const Summary& s = run.outcome.summary;
  if (s.status != RunStatus::done) return results.write(ResultFolder::incomplete, s.message + "\n");
  results.remove(Checkpoint::file);
  results.remove(ResultFolder::incomplete);
}

constexpr OutputFormat formats[] = {
    {.write = write_tables},
    {.write = write_summary},
    {.write = mark_incomplete},
    {"--svg", "plot.svg and snapshots.svg even with --no-report", false, true, write_pictures},
    {"--no-report", "no page and no pictures, only the numbers", true, true, write_page},
    {"--png", "the pictures also as PNG (needs rsvg-convert)", false, true, rasterise},
};

}  // namespace

bool OutputChoice::wants(const OutputFormat& format) const {
  return format.option.empty() || format.usual != options.contains(format.option);
}

std::span<const OutputFormat> output_formats() { return formats; }

void write_results(const Run& run, ResultFolder& results, const std::function<void()>& when_numbers_are_there) {
  const auto write = [&](bool pictures) {
    for (const OutputFormat& format : formats)
      if (format.is_picture == pictures && run.choice.wants(format)) format.write(run, results);
  };
  write(false);
  results.is_worth_keeping();
  when_numbers_are_there();
  std::optional<OutputError> missing;
  try {
    write(true);
  } catch (const OutputError& e) {
    missing = e;
  }
  results.commit();
  if (missing) throw OutputError(*missing);
}

namespace {

void write_numbers(const Run& run, const std::string& reason, ResultFolder& results) {
  const Outcome& o = run.outcome;
  write_csv(o.trajectory, results.path() / "result.csv");
  for (const Outcome::Table& table : o.tables) write_csv(table.rows, results.path() / (table.name + ".csv"));
  for (const Outcome::Text& text : o.texts) results.write(text.name, text.text);
  write_summary(run, results);
  results.write(ResultFolder::incomplete, fmt::format("{}\n{} of {} rows are here\n", reason, o.trajectory.rows(),
                                                      std::max<std::uint64_t>(o.summary.rows, o.trajectory.rows())));
}

}  // namespace

std::optional<std::string> rescue(const Run& run, const std::string& place, const std::string& reason) {
  std::error_code error;
  const std::filesystem::path temporary = std::filesystem::temp_directory_path(error);
  for (const std::filesystem::path& folder :
       {std::filesystem::path(place), temporary / fmt::format("invar-{}-{}", run.outcome.summary.name, ::getpid())}) {
    try {
      ResultFolder results(folder);
      write_numbers(run, reason, results);
      results.commit();
      return results.shown();
    } catch (const InputError&) {  // no room here either
    }
  }
  return std::nullopt;
}

}  // namespace invar::app

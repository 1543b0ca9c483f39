// See pages.h.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdio>
#include <vector>

#include "app/examples.h"
#include "app/results/result_rows.h"
#include "app/results/results.h"
#include "app/results/work.h"
#include "docs/make/pages.h"
#include "invar/read/read_problem.h"
#include "invar/record/file.h"
#include "invar/report/page/verdict_words.h"
#include "invar/report/plot/svg_text.h"
#include "invar/report/scene/snapshots.h"
#include "invar/task/control/control_settings.h"
#include "invar/task/equilibrium/equilibrium.h"
#include "invar/task/table/tasks.h"
#include "invar/task/transcription/optimize_settings.h"

namespace invar::docs {

namespace fs = std::filesystem;

namespace {

struct Chapter {
  const char* verb;
  const char* title;
};
constexpr std::array<Chapter, 5> chapters = {{{"invert", "Inverse dynamics"},
                                              {"control", "Control"},
                                              {"optimize", "Least effort"},
                                              {"simulate", "Simulation"},
                                              {"equilibrium", "Rest"}}};

// What an example is there for.
const char* task_of(const Problem& problem) {
  if (problem.settings.has<ControlSettings>()) return "control";
  if (problem.settings.has<OptimizeSettings>()) return "optimize";
  if (problem.settings.has<EquilibriumSettings>()) return "equilibrium";
  return problem.targets.empty() ? "simulate" : "invert";
}

struct Entry {
  std::string verb, name, title, verdict;
  std::vector<std::string> variants;  // other models in the same folder
};

std::vector<std::string> variants_of(const fs::path& model) {
  std::vector<std::string> names;
  for (const auto& file : fs::directory_iterator(model.parent_path()))
    if (file.path().extension() == ".toml" && file.path() != model && file.path().filename() != "expected.toml")
      names.push_back(file.path().stem());
  std::sort(names.begin(), names.end());
  return names;
}

Entry add(const app::Example& example, const fs::path& pictures, const fs::path& out) {
  const Problem problem = read_problem(example.model);
  const std::string verb = task_of(problem);
  const Outcome outcome = app::run_to_some_end(*find_task(verb), Prepared(problem), {}, {}).outcome;
  ResultFolder results(out / example.name);
  const app::OutputChoice choice;
  app::ResultRows rows(results.path(), choice.format);
  app::write_results({problem, outcome, choice, rows}, results);
  write_text(pictures / (example.name + ".svg"),
             snapshots_svg(problem, outcome.trajectory, {.width = 360.0, .height = 270.0}));
  return {verb, example.name, example.title, verdict_sentence(outcome.summary, outcome.trajectory),
          variants_of(example.model)};
}

// Markdown, three examples in a row.
std::string cell(const Entry& e) {
  const std::string folder = "../examples/" + e.name;
  std::vector<std::string> links;
  for (const std::string& v : e.variants) links.push_back(fmt::format("[{0}]({1}/{0}.toml)", v, folder));
  return fmt::format("[![{0}](gallery/{0}.svg)]({1})<br>**[{0}]({1})**: {2}<br>`invar {3} {0}`<br>{4}{5}", e.name,
                     folder, e.title, e.verb, e.verdict,
                     links.empty() ? "" : fmt::format("<br>Also: {}", fmt::join(links, ", ")));
}

std::string markdown(const std::vector<Entry>& entries) {
  std::string text =
      "# Gallery\n\nEvery bundled example, solved by the command below its picture: five instants, the last one dark. "
      "`make gallery` writes this page, and the complete results with their reports into `out/gallery`, where "
      "`index.html` shows them all; in the site that `make docs` makes, a picture leads to its report. "
      "What kind of inverse problem each one is: "
      "[inverse_problems.md](inverse_problems.md).\n";
  constexpr std::size_t columns = 3;
  for (const Chapter& chapter : chapters) {
    text += fmt::format("\n## {}\n\n| | | |\n| --- | --- | --- |\n", chapter.title);
    std::size_t place = 0;
    for (const Entry& e : entries)
      if (e.verb == chapter.verb) text += "| " + cell(e) + (++place % columns == 0 ? " |\n" : " ");
    for (; place % columns != 0; ++place) text += (place + 1) % columns == 0 ? "| |\n" : "| ";
  }
  return text;
}

std::string index_page(const std::vector<Entry>& entries) {
  std::string text = R"(<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Invar: gallery</title>
<style>
body { font: 15px/1.45 system-ui, sans-serif; max-width: 1200px; margin: 2rem auto; padding: 0 1rem; color: #1c1f23; }
div { display: grid; grid-template-columns: repeat(auto-fill, minmax(260px, 1fr)); gap: 1rem; }
a { display: block; padding: .75rem; border: 1px solid #d5d9de; border-radius: 8px; color: inherit; text-decoration: none; }
a:hover, a:focus { border-color: #0072b2; }
img { width: 100%; }
b { color: #0072b2; }
small { display: block; color: #59616b; }
</style>
<h1>Gallery</h1>
)";
  for (const Chapter& chapter : chapters) {
    text += fmt::format("<h2>{}</h2>\n<div>\n", chapter.title);
    for (const Entry& e : entries)
      if (e.verb == chapter.verb)
        text += fmt::format(
            "<a href=\"{0}/report.html\"><img src=\"{0}/snapshots.svg\" alt=\"\" loading=\"lazy\"><b>{0}</b> "
            "{1}<small>{2}"
            "</small></a>\n",
            escaped(e.name), escaped(e.title), escaped(e.verdict));
    text += "</div>\n";
  }
  return text + "</html>\n";
}

}  // namespace

void write_gallery(const fs::path& docs, const fs::path& out) {
  const fs::path pictures = docs / "gallery";
  fs::remove_all(pictures);
  fs::create_directories(pictures);
  fs::create_directories(out);
  std::vector<Entry> entries;
  for (const app::Example& example : app::bundled_examples()) {
    fmt::print("{}\n", example.name);
    entries.push_back(add(example, pictures, out));
  }
  write_text(docs / "gallery.md", markdown(entries));
  write_text(out / "index.html", index_page(entries));
}

}  // namespace invar::docs

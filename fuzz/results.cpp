// Result folders as `invar report` reads them: summary.json, result.csv and the data of report.html. One input has all
// three, each behind a line with its name.
#include <map>

#include "fuzz/target.h"
#include "invar/base/error.h"
#include "invar/read/read_problem.h"
#include "invar/record/csv_rows.h"
#include "invar/record/summary.h"
#include "invar/report/page/page.h"
#include "invar/task/run/prepared.h"
#include "invar/task/run/run_options.h"
#include "invar/task/table/tasks.h"

namespace invar::fuzz {

namespace {

constexpr std::string_view heads[] = {"%%% summary.json\n", "%%% result.csv\n", "%%% report.html\n"};

std::map<std::string_view, std::string> parts_of(std::string_view input) {
  std::map<std::string_view, std::string> parts;
  for (const std::string_view head : heads) {
    const std::size_t from = input.find(head);
    if (from == input.npos) continue;
    const std::string_view rest = input.substr(from + head.size());
    parts[head] = rest.substr(0, rest.find("%%% "));
  }
  return parts;
}

std::string take(std::string_view input) {
  std::map<std::string_view, std::string> parts = parts_of(input);
  const std::string& summary = parts[heads[0]];
  if (!is_summary(summary)) return "no summary";
  std::string what;
  try {
    const StoredRun run = {"a", summary, read_csv_text(parts[heads[1]], "result.csv"), parts[heads[2]]};
    what = run.trajectory.rows() > 1 ? "rows" : "no rows";
    if (data_of_page(stored_page(run)).empty()) throw std::logic_error("a page without data");
    what += ", page";
    StoredRun other = run;
    other.name = "b";
    if (data_of_page(comparison_page({run, other})).empty()) throw std::logic_error("a comparison without data");
    return what + ", comparison";
  } catch (const InputError& e) {
    return what + kind_of(e.what());
  }
}

constexpr const char* pendulum_model = R"(name = "pendulum"
[system]
coordinates = ["x", "y"]
kinetic = "(x'^2 + y'^2)/2"
potential = "9.81*y"
[[system.constraint]]
name = "rod"
expr = "x^2 + y^2 - 1"
[initial]
x = -1
y = 0
[simulate]
until = 0.05
step = 0.01
)";

std::vector<std::string> corpus() {
  const Problem problem = read_problem_text(pendulum_model, "pendulum.toml");
  Outcome outcome = find_task("simulate")->run(Prepared(problem), {}, {});
  outcome.summary.wall_seconds = 0.0;  // the same corpus every time
  std::string table;
  for (std::size_t j = 0; j < outcome.trajectory.columns.size(); ++j)
    table += (j > 0 ? "," : "") + outcome.trajectory.columns[j];
  table += '\n';
  RowText text;
  for (std::size_t i = 0; i < outcome.trajectory.rows(); ++i) text.append(outcome.trajectory.row(i), table);
  const std::string page = report_page({problem, outcome.summary, outcome.trajectory, nullptr, problem.text});
  const std::string first = std::string(heads[0]) + to_json(outcome.summary) + std::string(heads[1]) + table;
  return {first, first + std::string(heads[2]) + std::string(data_of_page(page))};
}

}  // namespace

const Target results = {"results",
                        take,
                        corpus,
                        {"{",
                         "}",
                         "[",
                         "]",
                         ":",
                         ",",
                         "\"",
                         "null",
                         "true",
                         "-1",
                         "1e999",
                         "0.5",
                         "\\u0000",
                         "\\ud800",
                         "\n",
                         "\"name\":",
                         "\"task\":",
                         "\"status\":",
                         "\"rows\":",
                         "\"step\":",
                         "\"accuracy\":",
                         "\"counts\":",
                         "\"structure\":",
                         "%%% result.csv\n",
                         "%%% report.html\n",
                         "%%% summary.json\n",
                         "t,",
                         "nan",
                         "</script>",
                         "<!--",
                         "[[[[[[[[",
                         "{\"a\":{\"a\":{\"a\":"}};

}  // namespace invar::fuzz

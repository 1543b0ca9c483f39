// See sweep_command.h.
#include "app/sweep_command.h"

#include <algorithm>
#include <chrono>
#include <thread>

#include "app/commands.h"
#include "app/examples.h"
#include "app/streams.h"
#include "app/terminal.h"
#include "app/words/arguments.h"
#include "app/words/command.h"
#include "invar/base/error.h"
#include "invar/record/folder/result_folder.h"
#include "invar/record/sweep/sweep_table.h"
#include "invar/read/read_problem.h"
#include "invar/sweep/gather.h"
#include "invar/sweep/run_cases.h"
#include "invar/sweep/sweep_summary.h"
#include "invar/task/table/tasks.h"

namespace invar::app {

namespace {

using Clock = std::chrono::steady_clock;

model::Document document_of(const CommandLine& command) {
  if (command.model == "-") return model::parse_document(read_input(), "standard input");
  return model::read_document(find_model(command.model));
}

// Those of [sweep], changed by the command line.
SweepSettings settings_of(const GivenSweep& given, const Problem& problem) {
  SweepSettings settings = problem.settings.of<SweepSettings>();
  if (!given.task.empty()) settings.task = given.task;
  for (const auto& [name, values] : given.over) settings.vary(name, values);
  if (!given.cases.empty()) settings.cases = given.cases;
  if (!given.sampling.empty()) settings.sampling = given.sampling;
  if (!given.record.empty()) settings.record = given.record;
  if (given.samples) settings.samples = *given.samples;
  if (given.seed) settings.seed = *given.seed;
  if (given.limit) settings.limit = *given.limit;
  if (const auto error = find_error(settings)) throw InputError("invar: --" + error->setting + " " + error->rule);
  return settings;
}

void refuse_foreign_options(const CommandLine& command, const Task& task) {
  for (const auto& [option, value] : command.given.values)
    if (std::ranges::none_of(task.options, [&](const TaskOption& own) { return own.name == option; }))
      throw InputError("invar: " + option + " is no option of " + std::string(task.verb));
}

std::size_t threads_of(const GivenSweep& given) {
  return given.threads > 0 ? given.threads : std::max(1U, std::thread::hardware_concurrency());
}

void count(const CaseRecord& record, SweepSummary& summary) {
  std::uint64_t& those = record.status == CaseStatus::done     ? summary.done
                         : record.status == CaseStatus::failed ? summary.failed
                                                               : summary.stopped;
  ++those;
  if (record.status == CaseStatus::done) return;
  if (!summary.first_reason.empty() && record.number > summary.first_not_done) return;
  summary.first_not_done = record.number;
  summary.first_reason = record.reason;
}

}  // namespace

int sweep(const CommandLine& command) {
  const auto begin = Clock::now();
  model::Document document = document_of(command);
  document.may_read_outside = command.allow_outside;
  const std::optional<std::string> formulation =
      command.formulation.empty() ? std::nullopt : std::optional(command.formulation);
  const Problem problem = read_problem(document, command.overrides, formulation);
  const SweepSettings settings = settings_of(command.sweep, problem);
  const Task& task = *find_task(settings.task);
  refuse_foreign_options(command, task);
  const Design design = design_of(settings);
  std::vector<double> values(design.names().size());
  design.set_case(0, values);
  const CaseRunner runner({document, command.overrides, formulation, command.given}, task, design.names(), values,
                          RecordingChoice(settings.record));
  ResultFolder results(command.out.empty() ? "out/" + problem.name + "-sweep" : command.out);
  std::vector<CaseRecord> records(design.size());
  SweepSummary counts;
  {
    const Interruption interruption;
    ProgressBar bar(!command.quiet);
    CaseQueue queue(design.size(), {}, std::vector<bool>(design.size()));
    std::size_t ended = 0;
    CaseWork work = {.runner = runner, .design = design};
    work.limits = {settings.limit, &Interruption::requested};
    work.threads = threads_of(command.sweep);
    work.deliver = [&](const CaseRecord& record) {
      count(record, counts);
      records[record.number] = record;
      bar.show(static_cast<double>(++ended) / static_cast<double>(design.size()));
    };
    run_cases(work, queue);
  }
  SweepTable table;
  table.varied = design.names();
  FigureColumns columns;
  for (const CaseRecord& record : records) columns.add(record);
  table.figures = columns.names();
  for (std::size_t k = 0; k < records.size(); ++k) {
    design.set_case(k, values);
    table.values.insert(table.values.end(), values.begin(), values.end());
    const std::vector<double> row = columns.row(records[k]);
    table.numbers.insert(table.numbers.end(), row.begin(), row.end());
    table.status.push_back(records[k].status);
    table.reasons.push_back(records[k].reason);
  }
  Summary summary;
  summary.name = problem.name;
  summary.task = "sweep";
  counts.of = settings.task;
  counts.design = design.words();
  counts.varied = design.names();
  counts.recorded = table.figures;
  counts.cases = design.size();
  counts.threads = threads_of(command.sweep);
  summary.wall_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  summary.parts.set(std::move(counts));
  results.write("table.csv", sweep_csv(table));
  results.write("summary.json", to_json(summary));
  results.commit();
  for (const std::string& sentence : summary.parts.front().sentences(summary)) print("{}\n", sentence);
  return 0;
}

SweepPart part_of(const std::string& text) {
  const std::size_t slash = text.find('/');
  if (slash == std::string::npos) throw InputError("--part " + text + ": write --part K/N, such as --part 3/16");
  const double number = whole_number(text.substr(0, slash), "--part");
  const double of = whole_number(text.substr(slash + 1), "--part");
  if (number < 1.0 || number > of) throw InputError("--part " + text + ": parts are counted from 1 to N");
  return {static_cast<std::uint64_t>(number), static_cast<std::uint64_t>(of)};
}

SweepSettings::Varied varied(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    throw InputError("--over " + text + ": write --over NAME=VALUES, such as --over m=50:500:10 or m=normal(4,0.1)");
  const std::string values = text.substr(equals + 1);
  try {
    ValueSet::read(values);
  } catch (const InputError& e) {
    throw InputError("--over " + text.substr(0, equals) + ": " + e.what());
  }
  return {text.substr(0, equals), values};
}

std::vector<std::string> separated(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t from = 0, comma = 0; comma != std::string::npos; from = comma + 1) {
    comma = text.find(',', from);
    words.push_back(text.substr(from, comma - from));
  }
  return words;
}

}  // namespace invar::app

// See sweep_command.h.
#include "app/sweep_command.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <thread>

#include "app/examples.h"
#include "app/streams.h"
#include "app/terminal.h"
#include "app/words/arguments.h"
#include "app/words/command.h"
#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/read/read_problem.h"
#include "invar/record/file.h"
#include "invar/record/sweep/read_sweep_table.h"
#include "invar/report/sweep/stored_sweep.h"
#include "invar/report/sweep/telling_cases.h"
#include "invar/sweep/mpi_crew.h"
#include "invar/sweep/sweep.h"
#include "invar/sweep/sweep_summary.h"
#include "invar/task/table/tasks.h"

namespace invar::app {

namespace {

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
  if (!given.device.empty()) settings.device = given.device;
  if (!given.record.empty()) settings.record = given.record;
  if (given.samples) settings.samples = *given.samples;
  if (given.seed) settings.seed = *given.seed;
  if (given.limit) settings.limit = *given.limit;
  if (given.memory) settings.memory = *given.memory;
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

// The words behind `invar` that run a case of this sweep by itself, but for its values.
std::vector<std::string> words_of_cases(const CommandLine& sweep, const Task& task) {
  std::vector<std::string> words = {std::string(task.verb), sweep.model};
  const auto add = [&](const std::string& option, const std::string& value) {
    words.insert(words.end(), {option, value});
  };
  for (const auto& [name, value] : sweep.overrides) add("--set", fmt::format("{}={}", name, value));
  if (sweep.allow_outside) words.push_back("--allow-outside");
  if (!sweep.formulation.empty()) add("--formulation", sweep.formulation);
  if (!sweep.given.method.empty()) add("--method", sweep.given.method);
  for (const TaskOption& option : task.options) {
    const std::string name(option.name);
    const std::optional<double> value = sweep.given.value(name);
    if (!value) continue;
    option.kind == TaskOption::Kind::flag ? words.push_back(name) : add(name, fmt::format("{}", *value));
  }
  return words;
}

// The file, its settings and what the command line says.
SweepOrder order_of(const CommandLine& command) {
  SweepOrder order;
  order.model.document = document_of(command);
  order.model.document.may_read_outside = command.allow_outside;
  order.model.overrides = command.overrides;
  order.model.given = command.given;
  if (!command.formulation.empty()) order.model.formulation = command.formulation;
  Problem problem = read_problem(order.model.document, order.model.overrides, order.model.formulation);
  order.name = problem.name;
  order.settings = settings_of(command.sweep, problem);
  const Task& task = *find_task(order.settings.task);
  refuse_foreign_options(command, task);
  try {
    task.take(command.given, problem);
  } catch (const InputError& e) {
    throw InputError(std::string("invar: ") + e.what());
  }
  order.results = command.out.empty() ? "out/" + problem.name + "-sweep" : command.out;
  order.part = command.sweep.part.value_or(SweepPart());
  order.threads = threads_of(command.sweep);
  order.repeat = words_of_cases(command, task);
  return order;
}

void run_sweep(SweepRun& sweep, bool quiet) {
  ProgressBar bar(!quiet);
  sweep.run({.stop = &Interruption::requested, .show = [&](double fraction) { bar.show(fraction); }});
}

void tell_of_sweep(const CommandLine& command, const Summary& summary) {
  if (command.json) return write_output(to_json(summary));
  if (command.quiet) return;
  const char* indent = "";
  for (const std::string& sentence : summary.parts.front().sentences(summary)) {
    print("{}{}\n", indent, sentence);
    indent = "  ";
  }
}

std::string folder_of(const std::string& sweep, std::uint64_t number) {
  return fmt::format("{}/{}{}", sweep, case_folder, number);
}

std::vector<std::string> words_in(const SweepTable& table, const std::string& folder) {
  const nlohmann::json summary = nlohmann::json::parse(table.summary, nullptr, false);
  if (summary.is_object() && summary.contains("sweep") && summary["sweep"].is_object())
    if (const auto words = summary["sweep"].find("repeat"); words != summary["sweep"].end() && words->is_array())
      return words->get<std::vector<std::string>>();
  throw InputError(folder + ": its summary.json does not say how a case is run");
}

bool is_from_standard_input(const std::vector<std::string>& words) { return words.size() > 1 && words[1] == "-"; }

CommandLine command_of(const SweepTable& table, const std::string& folder, std::uint64_t number) {
  std::vector<std::string> words = words_in(table, folder);
  if (is_from_standard_input(words))
    throw InputError("--case: the model of " + folder + " came from standard input and is not there any more");
  const std::span<const double> values = table.values_of(number);
  for (std::size_t v = 0; v < values.size(); ++v)
    words.insert(words.end(), {"--set", fmt::format("{}={}", table.varied[v], values[v])});
  words.insert(words.end(), {"--quiet", "--out", folder_of(folder, number)});
  std::vector<const char*> arguments = {"invar"};
  for (const std::string& word : words) arguments.push_back(word.c_str());
  const Parsed parsed = parse_command_line(static_cast<int>(arguments.size()), arguments.data());
  if (!parsed.command) throw InputError(parsed.text.substr(0, parsed.text.find('\n')));
  return *parsed.command;
}

// What becomes of it the table has told.
int silent_status(const CommandLine& command) {
  const Silence silence;
  try {
    return command.command->run(command);
  } catch (const Interrupted&) {
    return interrupted;
  } catch (const std::exception&) {
    return 1;
  }
}

// Into FOLDER/case-NUMBER. Returns the exit status of the run.
int run_case(const SweepTable& table, const std::string& folder, std::uint64_t number) {
  if (number >= table.cases())
    throw InputError(fmt::format("--case {}: {} has the cases 0 to {}", number, folder, table.cases() - 1));
  const CommandLine command = command_of(table, folder, number);
  return command.command->run(command);
}

// What reports of cases may take: a tenth of what the sweep has taken, though at least some seconds and at most a
// minute.
double seconds_for_reports(double of_sweep) {
  constexpr double share = 0.1, least = 3.0, most = 60.0;
  return std::clamp(share * of_sweep, least, most);
}

// Those that tell most (telling_cases.h), up to `most` of a kind, as far as the time goes; `each` is what one of the
// runs has taken. Returns how many there are now.
std::size_t report_telling_cases(const std::string& folder, std::size_t most, double each, double seconds) {
  const SweepTable table = read_sweep_table(folder);
  if (is_from_standard_input(words_in(table, folder))) return 0;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  std::size_t made = 0;
  for (const std::uint64_t number : telling_cases(table, most)) {
    const std::chrono::duration<double> left = end - Clock::now();
    if (left.count() < each || Interruption::requested()) break;
    const Interruption::Deadline deadline(end);
    if (silent_status(command_of(table, folder, number)) != interrupted) {
      made += std::filesystem::exists(std::filesystem::path(folder_of(folder, number)) / "report.html");
      continue;
    }
    for (const char* half : {"", "-incomplete"}) {
      std::error_code ignored;
      std::filesystem::remove_all(folder_of(folder, number) + half, ignored);
    }
  }
  return made;
}

// The results are complete before: whatever happens now, the sweep is done.
void add_case_reports(const CommandLine& command, const std::string& folder, double each, double of_sweep) {
  constexpr std::size_t usual = 3;
  try {
    const std::size_t made =
        report_telling_cases(folder, command.sweep.reports.value_or(usual), each, seconds_for_reports(of_sweep));
    if (made == 0) return;
    replace_text(std::filesystem::path(folder) / "report.html", page_of_sweep(folder, folder));
    if (!command.quiet && !command.json)
      print("  {} {} run once more for {}: the page links {}\n", made, made == 1 ? "case" : "cases",
            made == 1 ? "a report of its own" : "reports of their own", made == 1 ? "it" : "them");
  } catch (const std::exception& e) {
    complain("invar: warning: no reports of single cases: {}\n", e.what());
  }
}

}  // namespace

namespace {

int lead(const CommandLine& command, Crew* crew) {
  if (command.sweep.merge && command.sweep.part)
    throw InputError("invar: --merge puts all parts together; leave out --part");
  SweepOrder order = order_of(command);
  order.crew = crew;
  if (crew && (command.sweep.threads > 1 || order.settings.memory > 0.0))
    throw InputError("invar: under mpirun each rank runs one case at a time; leave out --threads and --memory");
  if (crew) order.threads = 1;
  SweepRun sweep(std::move(order));
  if (!command.sweep.merge) run_sweep(sweep, command.quiet);
  if (!sweep.is_complete()) {
    const Summary summary = sweep.summary();
    tell_of_sweep(command, summary);
    const bool whole_part = command.sweep.part && sweep.is_part_complete();
    if (!command.quiet && !command.json)
      print("  {} has the runs; {}\n", sweep.unfinished().string(),
            whole_part ? "invar sweep --merge puts the parts together" : "the same command goes on from here");
    if (command.sweep.merge) complain("{}: {}\n", sweep.unfinished().string(), summary.message);
    return whole_part ? 0 : command.sweep.merge ? 1 : 130;
  }
  if (command.sweep.part && command.sweep.part->of > 1) {  // others may still be at work
    tell_of_sweep(command, sweep.summary());
    if (!command.quiet && !command.json)
      print("  {} has all runs; invar sweep --merge puts the parts together\n", sweep.unfinished().string());
    return 0;
  }
  const std::string folder = command.out.empty() ? "out/" + sweep.summary().name + "-sweep" : command.out;
  const InterruptScope undisturbed([] { return false; });  // all runs are there
  const Summary summary = sweep.write([&](const std::filesystem::path& unfinished) {
    if (!command.outputs.options.contains("--no-report"))
      write_text(unfinished / "report.html", page_of_sweep(unfinished, folder));
  });
  tell_of_sweep(command, summary);
  if (!command.quiet && !command.json) print("  results in {}\n", folder);
  if (!command.outputs.options.contains("--no-report"))
    add_case_reports(command, folder, sweep.seconds_per_case(), summary.wall_seconds);
  return summary.part<SweepSummary>()->done > 0 ? 0 : 2;
}

// Whatever happens here, the others must not wait for ever.
int lead_ranks(const CommandLine& command, const MpiFunctions& mpi) {
  MpiCrew crew(mpi);
  const auto send_home = [&] {
    CaseQueue nothing(0, {}, {});
    if (crew.dismissed() < crew.size()) hand_out(crew, {.queue = nothing, .deliver = {}, .stop = {}});
  };
  try {
    if (command.sweep.merge) send_home();
    return lead(command, command.sweep.merge ? nullptr : &crew);
  } catch (...) {
    send_home();
    throw;
  }
}

int help_rank_0(const CommandLine& command, const MpiFunctions& mpi) {
  MpiForeman foreman(mpi);
  try {
    help_with(order_of(command), foreman, &Interruption::requested);
  } catch (const Error& e) {
    refuse_work(foreman, e.what());
  }
  return 0;
}

}  // namespace

int sweep(const CommandLine& command) {
  const MpiFunctions* mpi = started_by_mpi();
  if (mpi == nullptr) return lead(command, nullptr);
  return mpi->rank == 0 ? lead_ranks(command, *mpi) : help_rank_0(command, *mpi);
}

int report_sweep(const CommandLine& command) {
  const std::string folder = command.arguments.front();
  int status = 0;
  if (!command.cases.empty()) {
    const SweepTable table = read_sweep_table(folder);
    for (const std::uint64_t number : command.cases) {
      const int ended = run_case(table, folder, number);
      if (ended == 130) return ended;
      status = std::max(status, ended);
      if (!command.quiet) print("case {} in {}/{}{}\n", number, folder, case_folder, number);
    }
  }
  const std::filesystem::path page =
      command.out.empty() ? std::filesystem::path(folder) / "report.html" : std::filesystem::path(command.out);
  replace_text(page, page_of_sweep(folder, folder));
  if (!command.quiet) print("report in {}\n", page.string());
  return status;
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

void add_varied(const SweepSettings::Varied& given, std::vector<SweepSettings::Varied>& over) {
  for (const SweepSettings::Varied& other : over)
    if (other.name == given.name)
      throw InputError("--over " + given.name + ": is given twice; write all of its values at once, as " + given.name +
                       "=1,2,5");
  over.push_back(given);
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

// See case_reports.h.
#include "app/case_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/streams.h"
#include "app/terminal.h"
#include "app/words/command.h"
#include "invar/base/error.h"
#include "invar/record/sweep/read_sweep_table.h"
#include "invar/report/sweep/stored_sweep.h"
#include "invar/report/sweep/telling_cases.h"

namespace invar::app {

namespace {

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

}  // namespace

int run_case(const SweepTable& table, const std::string& folder, std::uint64_t number) {
  if (number >= table.cases())
    throw InputError(fmt::format("--case {}: {} has the cases 0 to {}", number, folder, table.cases() - 1));
  const CommandLine command = command_of(table, folder, number);
  return command.command->run(command);
}

double seconds_for_reports(double of_sweep) {
  constexpr double share = 0.1, least = 3.0, most = 60.0;
  return std::clamp(share * of_sweep, least, most);
}

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
    const Silence silence;
    const Interruption::Deadline deadline(end);
    if (run(command_of(table, folder, number)) != interrupted) {
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

}  // namespace invar::app

// A task as the command line and others who know none by name see it: a row in the table of tasks (task/table).
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "invar/model/problem/problem.h"
#include "invar/record/summary.h"
#include "invar/record/trajectory.h"
#include "invar/task/run/prepared.h"
#include "invar/task/run/run_options.h"

namespace invar {

namespace model {
struct Reading;
class Section;
}  // namespace model

// What a task leaves behind.
struct Outcome {
  struct Table {
    std::string name;  // of its file, without .csv
    Trajectory rows;
  };
  struct Text {
    std::string name;  // of its file
    std::string text;
  };
  Trajectory trajectory;
  Summary summary;
  std::vector<Table> tables = {};
  std::vector<Text> texts = {};

  const Trajectory* table(std::string_view name) const;  // nothing if there is none
};

// An option of the command line that replaces a setting of the file.
struct TaskOption {
  enum class Kind { number, count, flag };
  std::string_view name;  // "--step"
  Kind kind;
  std::string_view help;
};

// What the command line says in place of the file.
struct GivenSettings {
  std::string method;                                   // empty if it says nothing
  std::map<std::string, double, std::less<>> values{};  // by the name of the option; flags that are set are 1

  std::optional<double> value(std::string_view option) const;
  bool has(std::string_view option) const { return value(option).has_value(); }
  // Replaces the target if the option is given.
  void take(std::string_view option, double& target) const;
  void take(std::string_view option, int& target) const;
  void take_method(std::string& target) const;
};

struct Task {
  std::string_view verb;  // "simulate"
  std::string_view help;  // in one line
  // Reads its settings, which model files have in a table called as the verb; none: it has no settings.
  void (*read)(model::Reading& reading, model::Section& top) = nullptr;
  std::span<const TaskOption> options;
  // Replaces settings and checks them.
  void (*take)(const GivenSettings& given, Problem& problem);
  // The latest time that its motion can have.
  double (*end)(const Problem& problem);
  // Does it tell how far it is as a fraction, and not as a time?
  bool tells_fraction = false;
  // Can a run be gone on with by another process?
  bool goes_on = false;
  // With other values of parameters, see prepared.h.
  Outcome (*run)(const Prepared& prepared, const Overrides& parameters, const RunOptions& options);
  // The same without deriving anything: nothing if these values need other formulas. Tasks without it derive anew.
  std::optional<Outcome> (*run_alike)(const Prepared& prepared, const Overrides& parameters,
                                      const RunOptions& options) = nullptr;
  // For `invar check`: what it has to say before it runs, in a sentence about its subject and as a part of the summary;
  // nothing if it is not asked for. What it refuses, a task further down the table may do in another way.
  std::string_view subject = {};
  std::string (*foretell)(const Problem& problem, Summary& summary) = nullptr;
  bool others_may_do = false;
};

// Options that several tasks have.
inline constexpr TaskOption step_option = {"--step", TaskOption::Kind::number, "time step in seconds"};
inline constexpr TaskOption until_option = {"--until", TaskOption::Kind::number, "end time in seconds"};

}  // namespace invar

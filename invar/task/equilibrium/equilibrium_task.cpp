// The row of the table of tasks for equilibria, and their settings.
#include "invar/base/message.h"
#include "invar/model/file/reading.h"
#include "invar/task/equilibrium/equilibrium.h"

namespace invar {

std::optional<SettingError> find_error(const EquilibriumSettings& s) {
  if (!kind_in(rest_methods, s.method)) return SettingError{"method", must_be_one_of(names_in(rest_methods))};
  return find_tolerance_error(s.tolerance);
}

void check(const EquilibriumSettings& settings) { require_none(find_error(settings)); }

namespace model {

void read_equilibrium(Reading& reading, Section& top) {
  auto section = top.table("equilibrium", "[equilibrium]");
  if (!section) return;
  EquilibriumSettings& settings = reading.problem.settings.of<EquilibriumSettings>();
  if (section->find("method")) settings.method = section->string("method");
  if (const Entry* tolerance = section->find("tolerance"))
    settings.tolerance = read_number(reading, tolerance->value, "[equilibrium]: \"tolerance\"");
  finish_settings(*section, settings);
}

}  // namespace model

namespace {

void take(const GivenSettings& given, Problem& problem) {
  EquilibriumSettings& settings = problem.settings.of<EquilibriumSettings>();
  given.take_method(settings.method);
  check(settings);
}

double end(const Problem&) { return 0.0; }

}  // namespace

const Task equilibrium_task = {
    .verb = "equilibrium",
    .help = "find where a model rests or goes on steadily, and whether it stays there",
    .options = {},
    .take = take,
    .end = end,
    .run = find_equilibrium,
};

}  // namespace invar

// The row of the table of tasks for equilibria, and their settings.
#include "invar/base/message.h"
#include "invar/model/file/mechanism_reading.h"
#include "invar/model/file/read_kind.h"
#include "invar/model/file/reading.h"
#include "invar/task/equilibrium/equilibrium.h"

namespace invar {

std::optional<SettingError> find_error(const EquilibriumSettings& s) { return find_tolerance_error(s.tolerance); }

void check(const EquilibriumSettings& settings) { require_none(find_error(settings)); }

namespace {

void read(model::Reading& reading, model::Section& top) {
  auto section = top.table("equilibrium", "[equilibrium]");
  if (!section) return;
  EquilibriumSettings& settings = reading.problem.settings.of<EquilibriumSettings>();
  read_kind(*section, "method", rest_methods, settings.method);
  if (const model::Entry* tolerance = section->find("tolerance"))
    settings.tolerance = read_number(reading, tolerance->value, "[equilibrium]: \"tolerance\"");
  if (auto follow = section->table("follow", "[equilibrium]: follow")) {
    const model::Text name = read_text(*follow, "parameter");
    const auto found = reading.names.find(name.text);
    if (found == reading.names.end() || found->second.kind != model::NameKind::parameter)
      follow->fail(name.position, "there is no parameter " + in_quotes(name.text));
    settings.follow = {name.text, read_real(reading, *follow, "from"), read_real(reading, *follow, "to")};
    follow->finish();
  }
  finish_settings(*section, settings);
}

void take(const GivenSettings& given, Problem& problem) {
  EquilibriumSettings& settings = problem.settings.of<EquilibriumSettings>();
  if (!given.method.empty()) {
    const auto method = kind_in(rest_methods, given.method);
    if (!method) require_none(SettingError{"method", must_be_one_of(names_in(rest_methods))});
    settings.method = *method;
  }
  check(settings);
}

double end(const Problem&) { return 0.0; }

Outcome run(const Prepared& prepared, const Overrides& parameters, const RunOptions& options) {
  return find_equilibrium(prepared, parameters, options);
}

}  // namespace

const Task equilibrium_task = {
    .verb = "equilibrium",
    .help = "find where a model rests or goes on steadily, and whether it stays there",
    .read = read,
    .options = {},
    .take = take,
    .end = end,
    .run = run,
};

}  // namespace invar

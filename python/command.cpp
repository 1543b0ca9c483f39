// The command line from within Python: `python -m invar`.
#include "app/command_line.h"

#include "app/commands.h"
#include "app/streams.h"
#include "python/binding.h"

namespace invar::python {

namespace {

int command(const std::vector<std::string>& words) {
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  app::prepare_streams();
  const app::Parsed parsed = app::parse_command_line(static_cast<int>(argv.size()), argv.data());
  if (parsed.command) return app::delivered(app::run(*parsed.command));
  parsed.status == 0 ? app::write_output(parsed.text) : app::write_error(parsed.text);
  return app::delivered(parsed.status);
}

}  // namespace

void bind_command(py::module_& module) {
  module.def("command", &command, py::arg("words"), py::call_guard<py::gil_scoped_release>());
  module.attr("version") = program_version();
}

}  // namespace invar::python

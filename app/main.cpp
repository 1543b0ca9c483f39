// The `invar` command.
#include "app/command_line.h"
#include "app/commands.h"
#include "app/streams.h"

int main(int argc, char** argv) {
  using namespace invar::app;
  prepare_streams();
  const Parsed parsed = parse_command_line(argc, argv);
  if (parsed.command) return delivered(run(*parsed.command));
  parsed.status == 0 ? write_output(parsed.text) : write_error(parsed.text);
  return delivered(parsed.status);
}

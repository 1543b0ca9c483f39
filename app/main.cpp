// The `invar` command.
#include <fmt/format.h>

#include "app/command_line.h"
#include "app/commands.h"

int main(int argc, char** argv) {
  const invar::app::Parsed parsed = invar::app::parse_command_line(argc, argv);
  if (parsed.command) return invar::app::run(*parsed.command);
  fmt::print(parsed.status == 0 ? stdout : stderr, "{}", parsed.text);
  return parsed.status;
}

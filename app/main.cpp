// The `invar` command.
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include "app/command_line.h"
#include "app/commands.h"
#include "app/streams.h"
#include "app/terminal.h"

namespace {

// What is freed in between is needed again before the run ends: to give it back and ask for it anew takes time.
void keep_memory() {
#ifdef M_TRIM_THRESHOLD
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 30);  // else large lists are given back one by one
#endif
}

// Whoever has sent a signal is told that it came, also if all was done by then.
int heeded(int status) { return invar::app::Interruption::requested() ? invar::app::interrupted : status; }

}  // namespace

int main(int argc, char** argv) {
  using namespace invar::app;
  keep_memory();
  prepare_streams();
  const Interruption interruption;
  const Parsed parsed = parse_command_line(argc, argv);
  if (parsed.command) return heeded(delivered(run(*parsed.command)));
  parsed.status == 0 ? write_output(parsed.text) : write_error(parsed.text);
  return heeded(delivered(parsed.status));
}

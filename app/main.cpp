// The `invar` command.
#if __has_include(<malloc.h>)
#include <malloc.h>
#endif

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "app/command_line.h"
#include "app/commands.h"
#include "app/streams.h"
#include "app/terminal.h"
#include "invar/base/unfinished.h"

namespace {

// What is freed in between is needed again before the run ends: to give it back and ask for it anew takes time.
void keep_memory() {
#ifdef M_TRIM_THRESHOLD
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_MMAP_THRESHOLD, 1 << 30);  // else large lists are given back one by one
#endif
}

std::atomic<bool> memory_is_short = false;

[[noreturn]] void no_memory() {
  memory_is_short = true;
  throw std::bad_alloc();
}

// What throws for want of memory where nothing may throw, destructors of a library for instance, ends here.
[[noreturn]] void end_in_order() {
  if (!memory_is_short) std::abort();
  invar::put_all_away();
  constexpr std::string_view words = "invar: not enough memory\n";
  static_cast<void>(!::write(STDERR_FILENO, words.data(), words.size()));
  ::_exit(invar::app::undelivered);
}

// Whoever has sent a signal is told that it came, also if all was done by then.
int heeded(int status) { return invar::app::Interruption::requested() ? invar::app::interrupted : status; }

}  // namespace

int main(int argc, char** argv) {
  using namespace invar::app;
  std::set_new_handler(no_memory);
  std::set_terminate(end_in_order);
  keep_memory();
  prepare_streams();
  const Interruption interruption;
  const Parsed parsed = parse_command_line(argc, argv);
  if (parsed.command) return heeded(delivered(run(*parsed.command)));
  parsed.status == 0 ? write_output(parsed.text) : write_error(parsed.text);
  return heeded(delivered(parsed.status));
}

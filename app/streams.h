// Standard output and standard error. Writing never throws and never ends the program; what could not be written makes
// the exit status 3 in place of success.
#pragma once

#include <fmt/format.h>

#include <string_view>
#include <utility>

namespace invar::app {

// To be called first. Descriptors 0 to 2 that the caller has closed are occupied, so that no file of ours is taken for
// a stream; a reader that goes away and a limit on file sizes are errors to be told, not signals that kill the run.
void prepare_streams();

void write_output(std::string_view text);
void write_error(std::string_view text);
// While it lives, nothing is written on standard error.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;
};
void flush_output();  // what was printed is seen now, also through a pipe

// All of standard input. InputError if it cannot be read or is too much for a model.
std::string read_input();

// On standard output.
template <class... Values>
void print(fmt::format_string<Values...> text, Values&&... values) {
  write_output(fmt::format(text, std::forward<Values>(values)...));
}

// On standard error.
template <class... Values>
void complain(fmt::format_string<Values...> text, Values&&... values) {
  write_error(fmt::format(text, std::forward<Values>(values)...));
}

inline constexpr int undelivered = 3;

// The exit status, knowing what became of the output: success counts only if all that was printed has been written.
int delivered(int status);

}  // namespace invar::app

// See streams.h.
#include "app/streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "invar/base/error.h"

namespace invar::app {

namespace {

// Why a stream could not be written, zero if it could. Like the streams themselves there is one of each in a program.
int output_trouble = 0, error_trouble = 0;
bool is_silent = false;

void write(std::FILE* stream, std::string_view text, int& trouble) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stream) != text.size() && trouble == 0) trouble = errno;
}

void flush(std::FILE* stream, int& trouble) {
  errno = 0;
  if ((std::fflush(stream) != 0 || std::ferror(stream)) && trouble == 0) trouble = errno != 0 ? errno : EIO;
}

}  // namespace

#ifdef _WIN32
void prepare_streams() {}
#else
void prepare_streams() {
  for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor)
    if (fcntl(descriptor, F_GETFD) == -1 && errno == EBADF)
      // The wrong way round: reading and writing still fail, as they would have. The lowest free descriptor is this
      // one.
      static_cast<void>(open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a limit on file sizes is a full disk
}
#endif

std::string read_input() {
  constexpr std::size_t most = std::size_t{16} << 20;
  std::string text;
  char piece[1 << 14];
  for (std::size_t n = 0; (n = std::fread(piece, 1, sizeof piece, stdin)) > 0;) {
    text.append(piece, n);
    if (text.size() > most) throw InputError("standard input: larger than 16 MB");
  }
  if (std::ferror(stdin)) throw InputError("standard input: cannot be read");
  return text;
}

void write_output(std::string_view text) { write(stdout, text, output_trouble); }
void write_error(std::string_view text) {
  if (!is_silent) write(stderr, text, error_trouble);
}
Silence::Silence() { is_silent = true; }
Silence::~Silence() { is_silent = false; }
void flush_output() { flush(stdout, output_trouble); }

int delivered(int status) {
  flush(stdout, output_trouble);
  // Who closes a pipe has read enough.
  if (output_trouble != 0 && output_trouble != EPIPE)
    complain("invar: standard output cannot be written: {}\n", std::generic_category().message(output_trouble));
  flush(stderr, error_trouble);
  return status == 0 && (output_trouble != 0 || error_trouble != 0) ? undelivered : status;
}

}  // namespace invar::app

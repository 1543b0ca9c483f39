// See terminal.h.
#include "app/terminal.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <ctime>
#include <string>

namespace invar::app {

namespace {

// The global state of the program: a signal handler can reach nothing else.
volatile std::sig_atomic_t interrupt_requests = 0;
volatile std::time_t first_request = 0;

// One request often arrives twice, from the terminal and from a parent process; only a later one means impatience.
extern "C" void on_signal(int signal) {
  const std::time_t now = std::time(nullptr);
  if (interrupt_requests != 0 && now > first_request + 1) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  if (interrupt_requests == 0) first_request = now;
  interrupt_requests = 1;
}

// A bar that cannot be shown is no loss.
void show_line(const std::string& text) { static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr)); }

}  // namespace

Interruption::Interruption() {
  interrupt_requests = 0;
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

Interruption::~Interruption() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

bool Interruption::requested() { return interrupt_requests != 0; }

ProgressBar::ProgressBar(bool wanted) : enabled_(wanted && isatty(STDERR_FILENO) == 1) {}

ProgressBar::~ProgressBar() {
  if (shown_) show_line("\r\033[K");
}

bool ProgressBar::is_time() {
  if (!enabled_) return false;
  using namespace std::chrono_literals;
  const auto now = Clock::now();
  if (now - begin_ < 500ms || now - last_ < 100ms) return false;
  last_ = now;
  shown_ = true;
  return true;
}

void ProgressBar::tell(const std::string& state) {
  told_ = true;
  if (!is_time()) return;
  show_line(fmt::format("\r{}\033[K", state));
}

void ProgressBar::show(double fraction) {
  if (told_ || !is_time()) return;
  constexpr int width = 40;
  const int done = static_cast<int>(fraction * width);
  const double elapsed = std::chrono::duration<double>(last_ - begin_).count();
  const double left = fraction > 0.0 ? elapsed * (1.0 - fraction) / fraction : 0.0;
  show_line(fmt::format("\r[{}{}] {:3.0f} %  {:.0f} s left \033[K", std::string(static_cast<std::size_t>(done), '#'),
                        std::string(static_cast<std::size_t>(width - done), '.'), 100.0 * fraction, left));
}

}  // namespace invar::app

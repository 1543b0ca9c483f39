// See terminal.h.
#include "app/terminal.h"

#include <fmt/format.h>
#include <semaphore.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <string>
#include <system_error>
#include <thread>

#include "invar/base/unfinished.h"

namespace invar::app {

namespace {

// The global state of the program: a signal handler can reach nothing else.
volatile std::sig_atomic_t interrupt_requests = 0;
sem_t interrupt_bell;
std::atomic<bool> has_bell = false;
std::atomic<bool> is_saving = false;
constexpr auto no_deadline = std::chrono::steady_clock::time_point::max();
std::atomic<std::chrono::steady_clock::time_point> deadline = no_deadline;

extern "C" void on_signal(int) {
  const int before = errno;
  interrupt_requests = 1;
  if (has_bell) sem_post(&interrupt_bell);
  errno = before;
}

// A bar that cannot be shown is no loss.
void show_line(const std::string& text) { static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr)); }

}  // namespace

// Waits for the bell, then for the end of the program.
class Interruption::Watcher {
 public:
  Watcher() {
    has_bell = sem_init(&interrupt_bell, 0, 0) == 0;
    thread_ = std::thread([this] { watch(); });
  }
  ~Watcher() {
    ended_ = true;
    sem_post(&interrupt_bell);
    thread_.join();
  }
  Watcher(const Watcher&) = delete;
  Watcher& operator=(const Watcher&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr auto moment = std::chrono::milliseconds(500), while_saving = std::chrono::milliseconds(700);

  void watch() {
    while (interrupt_requests == 0 && !ended_) {
      if (has_bell)
        sem_wait(&interrupt_bell);
      else
        wait_a_little();
    }
    const auto begin = Clock::now();
    while (!ended_ && Clock::now() - begin < (is_saving ? while_saving : moment)) wait_a_little();
    if (!ended_) end_at_once();
  }

#ifdef __APPLE__  // which has no such semaphores
  void wait_a_little() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }
#else
  void wait_a_little() {
    constexpr long nanoseconds = 20'000'000, second = 1'000'000'000;
    timespec until = {};
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += nanoseconds;
    until.tv_sec += until.tv_nsec / second;
    until.tv_nsec %= second;
    sem_timedwait(&interrupt_bell, &until);
  }
#endif

  [[noreturn]] static void end_at_once() {
    std::string words = "invar: interrupted";
    for (const std::string& told : put_all_away()) words += "; " + told;
    words += '\n';
    static_cast<void>(!::write(STDERR_FILENO, words.data(), words.size()));
    ::_exit(interrupted);
  }

  std::atomic<bool> ended_ = false;
  std::thread thread_;
};

Interruption::Interruption() {
  interrupt_requests = 0;
  try {
    watcher_ = std::make_unique<Watcher>();
  } catch (const std::system_error&) {
  }
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
}

Interruption::~Interruption() = default;  // a signal that comes later finds all done

bool Interruption::requested() {
  if (interrupt_requests != 0) return true;
  const auto end = deadline.load(std::memory_order_relaxed);
  return end != no_deadline && std::chrono::steady_clock::now() >= end;
}

Interruption::Deadline::Deadline(std::chrono::steady_clock::time_point end) { deadline = end; }
Interruption::Deadline::~Deadline() { deadline = no_deadline; }

Interruption::Saving::Saving() { is_saving = true; }
Interruption::Saving::~Saving() { is_saving = false; }

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

// What a person at a terminal sees and does while a run goes on: a progress bar, Ctrl-C.
#pragma once

#include <chrono>
#include <string>

namespace invar::app {

// While it lives, Ctrl-C (and a polite kill) only sets a flag; another one seconds later ends the program at once.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;
  static bool requested();
};

// A bar with the time left on standard error, if that is a terminal; it appears only when a run takes longer than a
// moment.
class ProgressBar {
 public:
  explicit ProgressBar(bool wanted);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  void show(double fraction);
  void tell(const std::string& state);  // in place of the bar

 private:
  using Clock = std::chrono::steady_clock;
  bool is_time();  // to write something new
  bool enabled_;
  bool shown_ = false, told_ = false;
  Clock::time_point begin_ = Clock::now(), last_ = begin_;
};

}  // namespace invar::app

// What a person at a terminal sees and does while a run goes on: a progress bar, Ctrl-C.
#pragma once

#include <chrono>
#include <memory>
#include <string>

namespace invar::app {

inline constexpr int interrupted = 130;  // the exit status

// While it lives, Ctrl-C and a polite kill ask what is under way to stop (interrupt.h), which then says what it has
// found. What has not ended within a moment, since it does not ask or waits for something, is ended by a thread of its
// own: what is unfinished is put away, see unfinished.h, and the status is the same.
class Interruption {
 public:
  Interruption();
  ~Interruption();
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  static bool requested();

  // While it lives, what is under way is also asked to stop once it is that late.
  class Deadline {
   public:
    explicit Deadline(std::chrono::steady_clock::time_point end);
    ~Deadline();
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;
  };

  // While it lives, what was computed is being written: that is worth some more seconds.
  class Saving {
   public:
    Saving();
    ~Saving();
    Saving(const Saving&) = delete;
    Saving& operator=(const Saving&) = delete;
  };

 private:
  class Watcher;
  std::unique_ptr<Watcher> watcher_;  // none where there are no more threads
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

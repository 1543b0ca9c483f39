// What Python does while a run goes on without its lock: signals (Ctrl-C) and a progress bar, asked for now and then.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>

#include "invar/base/interrupt.h"
#include "python/binding.h"

namespace invar::python {

class RunWatch {
 public:
  // `progress` is called with the fraction that is done, or is None.
  RunWatch(py::object progress, double whole) : progress_(std::move(progress)), whole_(whole) {}

  // Shall the run end? Asks Python at most every few hundredths of a second; any thread may call.
  bool stop();
  // After a step that reached t.
  bool keep_going(double t);

  // Throws what Python's signal handlers or the progress bar raised, other than KeyboardInterrupt.
  void rethrow();
  // And KeyboardInterrupt, where nothing is kept of what was computed so far.
  void rethrow_all();
  bool stopped() const { return stopped_; }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds between{30};

  void ask();

  py::object progress_;
  double whole_;
  std::atomic<double> reached_ = 0.0;
  std::atomic<bool> stopped_ = false;
  std::mutex asking_;
  Clock::time_point last_ = Clock::now();
  std::optional<py::error_already_set> error_;
};

// What work() gives, without Python's lock meanwhile, so that others can go on. Ctrl-C ends it with KeyboardInterrupt.
//
// Whatever derives formulas of a model goes through here, be it short: it may have to wait for another thread that
// derives the same, and that thread for the lock.
template <class Work>
auto unlocked(const Work& work) {
  RunWatch watch(py::none(), 0.0);
  try {
    const py::gil_scoped_release released;
    const InterruptScope scope([&] { return watch.stop(); });
    return work();
  } catch (const Interrupted&) {
    watch.rethrow();
    throw;
  }
}

}  // namespace invar::python

// See watch.h.
#include "python/watch.h"

namespace invar::python {

bool RunWatch::stop() {
  if (stopped_) return true;
  const std::unique_lock lock(asking_, std::try_to_lock);
  if (!lock) return false;
  if (const auto now = Clock::now(); now - last_ >= between) {
    ask();
    last_ = Clock::now();
  }
  return stopped_;
}

bool RunWatch::keep_going(double t) {
  reached_ = t;
  return !stop();
}

void RunWatch::ask() {
  const py::gil_scoped_acquire lock;
  try {
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!progress_.is_none()) progress_(whole_ > 0.0 ? reached_ / whole_ : 0.0);
  } catch (py::error_already_set& e) {
    stopped_ = true;
    if (!e.matches(PyExc_KeyboardInterrupt)) error_ = e;
  }
}

void RunWatch::rethrow() {
  if (error_) throw py::error_already_set(*error_);
}

void RunWatch::rethrow_all() {
  rethrow();
  if (stopped_) throw Interrupted();
}

}  // namespace invar::python

// See run_cases.h.
#include "invar/sweep/run_cases.h"

#include <atomic>
#include <exception>
#include <mutex>
#include <thread>

namespace invar {

void run_cases(const CaseWork& work, CaseQueue& queue) {
  std::atomic<bool> ends = false;
  std::mutex delivering;
  std::exception_ptr trouble;
  CaseRunner::Limits limits = work.limits;
  limits.stop = [&] { return ends || (work.limits.stop && work.limits.stop()); };
  const auto take = [&] {
    std::vector<double> values(work.design.names().size());
    while (!limits.stop()) {
      const std::optional<std::uint64_t> number = queue.next();
      if (!number) return;
      work.design.set_case(*number, values);
      const std::optional<CaseRecord> record = work.runner.run(*number, values, limits);
      if (!record) return;
      const std::scoped_lock lock(delivering);
      if (!trouble) work.deliver(*record);
    }
  };
  const auto take_or_end = [&] {
    try {
      take();
    } catch (...) {
      const std::scoped_lock lock(delivering);
      if (!trouble) trouble = std::current_exception();
      ends = true;
    }
  };
  {
    std::vector<std::jthread> others;
    for (std::size_t k = 1; k < work.threads; ++k) others.emplace_back(take_or_end);
    take_or_end();
  }
  if (trouble) std::rethrow_exception(trouble);
}

}  // namespace invar

// The cases of a queue by several threads.
#pragma once

#include <functional>

#include "invar/sample/design.h"
#include "invar/sweep/case_queue.h"
#include "invar/sweep/case_runner.h"

namespace invar {

struct CaseWork {
  const CaseRunner& runner;
  const Design& design;
  CaseRunner::Limits limits = {};
  std::size_t threads = 1;
  // Of every case that has ended, one at a time; in whatever order they end.
  std::function<void(const CaseRecord& record)> deliver = {};
};

// Until the queue is empty, or the limits say stop. What a thread throws ends all and is thrown again.
void run_cases(const CaseWork& work, CaseQueue& queue);

}  // namespace invar

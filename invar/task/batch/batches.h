// The tasks that a device can run in batches.
#pragma once

#include <memory>
#include <string_view>

#include "invar/device/device.h"
#include "invar/task/batch/run_batch.h"
#include "invar/task/run/prepared.h"

namespace invar {

struct BatchKind {
  std::string_view verb;  // of the task
  // Why runs that differ in these parameters are not for a GPU, in words; empty if they are.
  std::string (*refusal)(const Prepared& prepared, const std::vector<std::string>& varied);
  // Of the rows of a run.
  std::vector<RunBatch::Column> (*columns)(const Prepared& prepared);
  // Do they take less time there than on so many cores?
  bool (*pays)(const Prepared& prepared, std::size_t cases, unsigned cores);
  // InputError with the words of the refusal.
  std::unique_ptr<RunBatch> (*make)(Device& device, const Prepared& prepared, const std::vector<std::string>& varied);
};

const BatchKind* find_batch(std::string_view verb);
std::vector<std::string> verbs_with_batches();

}  // namespace invar

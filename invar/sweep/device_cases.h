// Cases of a sweep in batches on a device: what it cannot do of them, the processor does, case by case.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "invar/device/cuda.h"
#include "invar/sweep/run_cases.h"
#include "invar/task/batch/batches.h"
#include "invar/task/sweep/sweep_settings.h"

namespace invar {

using OpenDevice = std::function<std::unique_ptr<Device>()>;

class DeviceCases {
 public:
  // Nothing if all is for the processor: because the settings say so, or, if they leave the choice, where these cases
  // are not for a device, take less time on the cores, or no device is there. InputError if a device is asked for
  // and cannot be had.
  static std::unique_ptr<DeviceCases> choose(const CaseRunner& runner, const SweepSettings& settings,
                                             const Design& design, std::size_t cores,
                                             const OpenDevice& open = cuda_device);

  // Until the queue is empty, or the limits say stop; a portion of the cases at a time, each delivered as a whole.
  void run(const CaseWork& work, CaseQueue& queue);

  std::string device() const { return batch_->device(); }
  std::uint64_t found() const { return found_; }  // cases, so far

 private:
  DeviceCases(std::unique_ptr<Device> device, std::unique_ptr<RunBatch> batch, std::vector<std::string> parameters,
              bool must);
  std::optional<std::vector<RunBatch::Case>> find(const std::vector<Overrides>& cases, const CaseWork& work);
  CaseRecord record_of(std::uint64_t number, const RunBatch::Case& found, const RecordingChoice& choice) const;

  std::unique_ptr<Device> device_;
  std::unique_ptr<RunBatch> batch_;
  std::vector<std::string> parameters_, columns_;
  bool must_;  // was it asked for?
  std::uint64_t found_ = 0;
};

}  // namespace invar

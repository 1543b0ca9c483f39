// The direct method: a transcription solved from one first guess after the other until one leads to an optimum.
#pragma once

#include "invar/task/optimal_task.h"
#include "invar/task/simulate.h"

namespace invar {

class OptimalSearch {
 public:
  OptimalSearch(const OptimalTask& task, Transcription& form, const RunOptions& options)
      : task_(task), form_(form), options_(options) {}

  OptimalMotion run(std::size_t intervals);
  // From a motion on any mesh.
  OptimalMotion improve(const MeshMotion& guess, std::size_t intervals);

  bool stopped() const { return stopped_; }
  int iterations() const { return iterations_; }  // of all attempts

 private:
  OptimalMotion attempt(MeshMotion guess);
  OptimalMotion from_coarse(std::size_t intervals, const std::string& kind);
  void name_worst_row(const NonlinearProgram& program, std::size_t intervals, Solution& solution) const;
  void measure(OptimalMotion& found);

  const OptimalTask& task_;
  Transcription& form_;
  const RunOptions& options_;
  int iterations_ = 0;
  bool stopped_ = false;
};

}  // namespace invar

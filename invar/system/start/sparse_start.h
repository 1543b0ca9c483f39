// The consistent start of a large system, by sparse factorisation; see start.h for what it means.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "invar/system/start/start_result.h"

namespace invar {

// From so many coordinates and constraints together on, dense matrices take noticeable time.
inline constexpr std::size_t large_start = 300;

// The formulas are derived once; copies share them, and threads may use them together.
class SparseStart {
 public:
  SparseStart(const System& system, std::span<const Reference> references);

  // Nothing if constraints are redundant, the start is singular or something moves without mass: then dense
  // matrices tell which, and what to do.
  std::optional<Start> solve(const System& system, const State& given, std::span<const double> u,
                             std::span<const double> parameters) const;

 private:
  class Evaluation;
  std::shared_ptr<const Evaluation> formulas_;
};

// Shared with the dense way.
void note_changes(const System& system, const State& given, const State& used, std::vector<Change>& changes);

}  // namespace invar

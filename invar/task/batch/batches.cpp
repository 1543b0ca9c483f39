// See batches.h.
#include "invar/task/batch/batches.h"

#include <algorithm>
#include <array>

#include "invar/task/batch/inversion_batch.h"
#include "invar/task/batch/simulation_batch.h"

namespace invar {

namespace {

constexpr std::array batch_kinds = {
    BatchKind{"simulate", refusal_of_batch, simulation_columns, gpu_pays, simulation_batch},
    BatchKind{"invert", refusal_of_inversions, inversion_columns, gpu_pays_for_inversions, inversion_batch},
};

}  // namespace

const BatchKind* find_batch(std::string_view verb) {
  const auto found = std::ranges::find(batch_kinds, verb, &BatchKind::verb);
  return found == batch_kinds.end() ? nullptr : &*found;
}

std::vector<std::string> verbs_with_batches() {
  std::vector<std::string> verbs;
  for (const BatchKind& kind : batch_kinds) verbs.emplace_back(kind.verb);
  return verbs;
}

}  // namespace invar

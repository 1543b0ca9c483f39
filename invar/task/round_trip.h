// The proof of an inversion: a forward simulation with the computed inputs, which must reproduce the outputs.
#pragma once

#include <string>
#include <vector>

#include "invar/task/inverse_structure.h"

namespace invar {

inline constexpr double departed = 1e-3;  // an error of an output that no inaccuracy explains

struct RoundTrip {
  bool done = false;
  double largest_error = 0.0;  // of the prescribed outputs
  double from = 0.0;           // where it begins: away from a start that is singular
  std::string message;         // why it could not be done
};

// `expand`: the jets hold enough derivatives of the inputs for Taylor expansion between them.
RoundTrip round_trip(const Problem& problem, const InverseStructure& structure, const std::vector<Jet>& jets,
                     bool expand);

}  // namespace invar

// A solution followed through time: jets at given instants, found one from the other, never across a knot or a pole.
//
// The Taylor expansion of one jet predicts the next; a step is halved until prediction and solution agree, so that the
// path cannot jump to another branch and shrinking steps betray a pole. With degrees of freedom left the same steps
// integrate the internal dynamics: then they are also limited by the last terms of the expansion.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "invar/dae/jet.h"
#include "invar/dae/jet_result.h"
#include "invar/dae/sweep.h"

namespace invar {

// Solves for the jet at jet.t with `extra` further derivatives, starting from its values.
using SolveJet = std::function<JetResult(Jet& jet, int extra)>;

// Sweeps for the instants of a flat system: those that are wanted, and those from whose expansions the others are
// predicted. The latter are few, so that a sweep for them is made only when there have been many.
struct GroupedSweeps {
  static constexpr int orders = 8;  // further derivatives of the latter
  Sweep wanted;
  std::function<std::optional<Sweep>()> make_base;
  std::optional<Sweep> base = {};
  int expansions = 0;  // so far
};

struct PathPlan {
  std::vector<double> grid;   // ascending instants at which jets are wanted; the first is the start
  std::vector<double> knots;  // instants at which references are not smooth
  std::vector<UnknownKind> kinds;
  NaturalUnits units;
  int extra = 5;             // further derivatives in the jets, for prediction and for expansions between instants
  bool integrates = false;   // internal dynamics
  double tolerance = 1e-13;  // of the last terms of the expansion, relative, if so
  std::function<bool(double t)> keep_going;
  GroupedSweeps* grouped = nullptr;  // solves many instants together where it can, for flat systems
};

struct JetPath {
  enum class Status {
    done,
    pole,     // steps have shrunk to nothing
    runaway,  // so have those of the internal dynamics, or it has grown beyond all bounds
    interrupted,
  };
  std::vector<Jet> jets;  // at the grid, as far as it went
  Status status = Status::done;
  double t = 0.0;     // how far
  double step = 0.0;  // the last one tried
  Jet reached;        // at this time, if it is not done
  JetResult last;
  double largest_residual = 0.0;
  std::uint64_t solutions = 0;
};

// Starts from a jet that is solved already.
JetPath follow(const SolveJet& solve, const Jet& start, const PathPlan& course);

}  // namespace invar

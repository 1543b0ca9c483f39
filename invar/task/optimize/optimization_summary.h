// The least costly motion and how well it was found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/program/second_order.h"
#include "invar/record/summary.h"
#include "invar/record/trajectory.h"
#include "invar/task/optimize/mesh_quality.h"

namespace invar {

class OptimizationSummary : public SummaryPart {
 public:
  struct Mesh {
    std::size_t intervals = 0;
    double cost = 0.0, hamiltonian = 0.0;
  };
  // Joint coordinates in which the optimum was sought, and what part of the largest force is not in balance in the
  // coordinates that were asked for.
  struct Joints {
    std::size_t count = 0;
    double left_over = 0.0;
  };
  std::string method;  // direct or indirect
  double cost = 0.0, horizon = 0.0;
  std::size_t intervals = 0;
  int iterations = 0;
  std::string solver;                                 // how the solver ended
  SecondOrder second_order = SecondOrder::unknown;    // what kind of point it is
  std::string guess;                                  // that led here
  int guesses = 1, saddles = 0;                       // how many were tried; saddles that were left on the way
  double infeasibility = 0.0, kkt = 0.0;              // largest violation; largest slope of the Lagrangian
  double energy_balance = 0.0;                        // largest gain of energy beyond the work done, of an interval
  double energy_balance_relative = 0.0;               // to the largest change of energy or work
  double hamiltonian = 0.0, hamiltonian_drift = 0.0;  // mean, largest deviation from it
  std::optional<double> replay;                       // largest difference to a simulation with the inputs, relative
  std::vector<std::string> active_bounds;
  MeshQuality mesh;
  std::optional<Joints> joints;
  std::vector<Mesh> meshes;     // if there are several, the coarsest first
  std::optional<double> limit;  // of the costs of ever finer meshes, extrapolated
  std::optional<double> order;  // with which the last three costs approach it

  std::unique_ptr<SummaryPart> copy() const override;
  std::string_view key() const override { return "optimization"; }
  JsonObject figures() const override;
  std::vector<std::string> sentences(const Summary& summary) const override;
  std::string headline(const Summary& summary, const Trajectory& trajectory) const override;
  std::vector<KeyFigure> key_figures(const Summary& summary) const override;
  bool holds_inputs() const override { return true; }
  std::optional<ConvergencePlot> convergence() const override;
};

struct Optimum {
  Trajectory trajectory;  // at the nodes
  Trajectory inputs;      // at the mid-points of the intervals
  Trajectory costates;    // there too, with the control Hamiltonian
  Summary summary;
};

}  // namespace invar

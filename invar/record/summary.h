// The verdict on one run as plain data, written as summary.json.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "invar/record/accuracy.h"
#include "invar/record/mesh_quality.h"

namespace invar {

std::string program_version();

struct Summary {
  struct Counts {
    std::size_t coordinates = 0, constraints = 0, inputs = 0, outputs = 0, degrees_of_freedom = 0;
  };
  struct Redundant {
    std::string constraint;
    std::vector<std::string> follows_from;
  };
  // What a model of bodies consists of, and how freely it moves.
  struct Mechanism {
    struct Mass {
      std::string name;
      double mass = 0.0;
      std::vector<double> principal_moments;  // ascending; one in the plane, none of a point
      std::string remark;
    };
    struct Kind {
      std::string kind;  // such as "revolute"
      std::vector<std::string> names;
    };
    struct Surplus {
      std::string kind, name;  // such as "joint", "P5"
      std::size_t redundant = 0, constraints = 0;
    };
    int dimension = 3;
    std::vector<Mass> bodies;
    std::vector<Kind> joints;
    std::vector<std::string> gears, cables;
    std::vector<Kind> force_elements;                // kinds that connect bodies, also those of which there are none
    std::size_t joint_constraints = 0;               // of all that connects, without those that only name a coordinate
    int counted_freedom = 0;                         // by Grübler and Kutzbach
    int freedom = 0, freedom_at_start = 0;           // by rank: in general, and where it starts
    std::vector<Surplus> redundant;                  // which connections say something twice
    std::vector<std::vector<std::string>> floating;  // groups of bodies that nothing connects with the ground
  };
  struct Kept {
    std::string name;
    bool conserved = false, declared = false;
    std::string why_not;
  };
  // Where constraints become dependent on the way.
  struct SingularConfiguration {
    double t = 0.0;
    std::size_t dependent = 0;       // so many more freedoms for an instant
    std::vector<std::string> parts;  // joints and cables, or constraints of a system of formulas
  };
  struct Structure {
    std::vector<Redundant> redundant_constraints;
    std::string mass_matrix;  // kind, such as "constant diagonal"
    std::optional<Mechanism> mechanism;
    std::vector<Kept> conserved;
    std::vector<SingularConfiguration> singular_configurations;
  };
  // What an inverse problem is and how well it was solved.
  struct Inversion {
    struct Needed {
      std::string output;
      int order = 0, given = 0;
    };
    struct Singular {
      double t = 0.0;
      std::vector<std::string> open, vanishing;  // unknowns that are not determined there, multipliers that are zero
    };
    std::size_t unknowns = 0;
    int index = 0, formal_index = 0;
    int degrees_of_freedom = 0;  // states of the internal dynamics
    bool flat = false, hidden_structure = false;
    std::string realisation;
    std::vector<Needed> needed_derivatives;
    std::vector<std::complex<double>> zero_dynamics;
    double equation_residual = 0.0;      // largest, relative to the terms of the equation
    double servo_error = 0.0;            // largest |y - γ|
    std::optional<double> round_trip;    // the same in a simulation with the computed inputs
    double round_trip_from = 0.0;        // where this simulation begins
    std::optional<double> growth;        // of errors without feedback, 1/s, where the plant is unstable
    std::optional<double> window_error;  // as round_trip, in short simulations that begin on the computed motion
    double window = 0.0;                 // their length, s
    std::string verification;            // how the inputs were verified, in words
    std::string sample_error;            // what the error of samples of the trajectories does to the inputs
    std::string method_reason;           // why `auto` took this method and gave up others
    std::vector<Singular> singular_times;
    std::optional<double> conditioning;  // least reciprocal condition of the augmented matrix along the motion
    double conditioning_at = 0.0;        // when
    std::string verdict;
  };
  // The least costly motion and how well it was found.
  struct Optimization {
    struct Mesh {
      std::size_t intervals = 0;
      double cost = 0.0, hamiltonian = 0.0;
    };
    std::string method;  // direct or indirect
    double cost = 0.0, horizon = 0.0;
    std::size_t intervals = 0;
    int iterations = 0;
    std::string solver;                                 // how the solver ended
    std::string second_order;                           // minimum, flat, saddle, unknown, unbounded
    std::string guess;                                  // that led here
    int guesses = 1, saddles = 0;                       // how many were tried; saddles that were left on the way
    double infeasibility = 0.0, kkt = 0.0;              // largest violation; largest slope of the Lagrangian
    double energy_balance = 0.0;                        // largest gain of energy beyond the work done, of an interval
    double energy_balance_relative = 0.0;               // to the largest change of energy or work
    double hamiltonian = 0.0, hamiltonian_drift = 0.0;  // mean, largest deviation from it
    std::optional<double> replay;                       // largest difference to a simulation with the inputs, relative
    std::vector<std::string> active_bounds;
    MeshQuality mesh;
    std::vector<Mesh> meshes;     // if there are several, the coarsest first
    std::optional<double> limit;  // of the costs of ever finer meshes, extrapolated
    std::optional<double> order;  // with which the last three costs approach it
  };
  // A closed loop of plant and controller.
  struct Control {
    struct Error {
      std::string output;
      double largest = 0.0, rms = 0.0, last = 0.0;
    };
    struct Effort {
      std::string input;
      double largest = 0.0, rms = 0.0;
    };
    std::string controller;
    double period = 0.0;
    std::optional<double> spectral_radius;  // of the sampled loop around rest
    std::size_t samples = 0;
    std::vector<Error> errors;
    std::vector<Effort> efforts;
    double saturated = 0.0;                     // share of the samples
    double constraint_violation = 0.0;          // largest, at position level
    double worst_time = 0.0, usual_time = 0.0;  // of computing a sample, in periods: worst, and that of 99 %
  };
  // A start value that had to be changed to meet the constraints.
  struct Change {
    std::string name;
    double given = 0.0, used = 0.0;
  };
  struct Newton {
    std::uint64_t total = 0, max = 0;
    double per_step = 0.0;  // mean
  };

  std::string name, task, method, formulation;
  std::vector<std::pair<std::string, double>> parameters;  // of the model, as used
  double step = 0.0, until = 0.0;
  double adaptive = 0.0;        // error that steps were chosen for, zero if all were equal
  std::string status = "done";  // or "failed", "interrupted"
  std::string message;          // why it is not done
  Counts counts;
  Structure structure;
  std::vector<Change> initial_changes;
  Accuracy accuracy;
  Newton newton_iterations;
  std::uint64_t steps = 0, substeps = 0;
  double wall_seconds = 0.0;
  bool compiled = false;  // did formulas run as machine code?
  std::string version = program_version();
  std::vector<std::string> warnings;
  std::optional<Inversion> inversion;
  std::optional<Optimization> optimization;
  std::optional<Control> control;
};

// Keys in a fixed order; numbers that are not finite become null.
std::string to_json(const Summary& summary);

// A run that is done but has a figure that is not finite has failed; the message names the figure as summary.json does.
void require_finite(Summary& summary);

// Is this the text of a summary.json of ours? It is what makes a folder an Invar result.
bool is_summary(std::string_view json);

}  // namespace invar

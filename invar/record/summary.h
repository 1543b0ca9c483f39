// The verdict on one run as plain data, written as summary.json.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "invar/record/accuracy.h"
#include "invar/record/run_status.h"
#include "invar/record/summary_part.h"
#include "invar/tape/code_report.h"

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
    std::size_t nodes = 0;                           // of beams and strings
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
  // In which the columns of the result are measured, as far as that is known: sentences name them.
  std::map<std::string, std::string> units = {};
  std::vector<std::pair<std::string, double>> parameters;  // of the model, as used
  double step = 0.0, until = 0.0;
  double adaptive = 0.0;  // error that steps were chosen for, zero if all were equal
  RunStatus status = RunStatus::done;
  std::string message;  // why it is not done
  Counts counts;
  Structure structure;
  std::vector<Change> initial_changes;
  Accuracy accuracy;
  Newton newton_iterations;
  std::uint64_t steps = 0, substeps = 0;
  std::uint64_t rejected_steps = 0;  // whose error was too large
  std::uint64_t rows = 0;            // that were recorded; maybe more than the run keeps in memory
  double wall_seconds = 0.0;
  CodeReport machine_code;
  std::string version = program_version();
  std::vector<std::string> warnings;
  SummaryParts parts;  // what the task has to say

  // Of a column, or of several if they have the same; empty if it is not known.
  std::string unit_of(const std::string& column) const;
  std::string unit_of(const std::vector<std::string>& columns) const;
  // " m" behind a value of this column, nothing if its unit is not known or it is a plain number.
  std::string unit_behind(const std::string& column) const;
  std::string unit_behind(const std::vector<std::string>& columns) const;

  // The part of a task, nothing if there is none: summary.part<InversionSummary>()->index
  template <class Part>
  const Part* part() const {
    return parts.find<Part>();
  }
  template <class Part>
  Part* part() {
    return parts.find<Part>();
  }
};

// Keys in a fixed order; numbers that are not finite become null.
std::string to_json(const Summary& summary);

// A run that is done but has a figure that is not finite has failed; the message names the figure as summary.json does.
void require_finite(Summary& summary);

// Is this the text of a summary.json of ours? It is what makes a folder an Invar result.
bool is_summary(std::string_view json);

}  // namespace invar

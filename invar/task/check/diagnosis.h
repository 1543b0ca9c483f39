// What a model of bodies consists of, how freely it moves, and what is doubtful about it before anything is computed.
//
// Grübler and Kutzbach count freedoms as 6 bodies + 3 points - constraints of the joints, in the plane 3 and 2. The
// true number is that of the coordinates less the rank of G. It is larger where joints say
// something twice: the mechanism is over-constrained.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "invar/model/problem/problem.h"
#include "invar/record/summary.h"
#include "invar/system/start/start.h"
#include "invar/task/run/part_names.h"

namespace invar {

// Of problems with one mechanism: the formulas are derived once; copies share them, and threads may use them together.
class Diagnosis {
 public:
  explicit Diagnosis(const Problem& problem);

  Summary::Mechanism mechanism(const Problem& problem, const Start& start) const;
  // Moments of inertia out of all proportion, and turning that neither inertia nor a joint determines.
  std::vector<std::string> inertia_warnings(const Problem& problem, const Start& start) const;

 private:
  struct Formulas;
  std::shared_ptr<Formulas> formulas_;
};

// Lines for a person: parts, count and rank, bodies.
std::string in_words(const Summary::Mechanism& mechanism);

// A line per reason.
std::string in_words(const std::vector<Summary::Kept>& conserved, const PartNames& names);

}  // namespace invar

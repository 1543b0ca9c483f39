// A differential-algebraic system of any order and index: as many equations as unknown functions of time.
#pragma once

#include <string>
#include <vector>

#include "invar/dae/units.h"
#include "invar/expr/expr.h"
#include "invar/system/reference.h"
#include "invar/system/system.h"

namespace invar {

enum class EquationKind { dynamics, constraint, servo };
enum class UnknownKind { coordinate, multiplier, input };

struct DaeEquation {
  std::string name;  // `dynamics of "s"`, `constraint "cable"`, `output "load_x"`
  Expr expr;         // = 0
  EquationKind kind;
};

struct DaeUnknown {
  std::string name;
  Variable variable;
  UnknownKind kind;
};

struct Dae {
  Graph graph;
  std::vector<DaeEquation> equations;
  std::vector<DaeUnknown> unknowns;
  std::vector<Reference> references;
  std::vector<Parameter> parameters;
  NaturalUnits units = {};
};

// An output that shall follow a reference: expr - γ = 0, or expr = 0 where the reference is missing.
struct ServoTarget {
  std::string output;
  Expr expr;                      // s(t,q), at position, velocity or acceleration level as its symbols say
  std::vector<Reference> follow;  // none or one
};

// Equations of motion in redundant form, constraints and servo constraints; the inputs become unknowns. InputError if
// there are not as many targets as inputs. `signals` are references that the formulas themselves contain.
Dae servo(const System& system, const std::vector<ServoTarget>& targets, const std::vector<Reference>& signals = {});

}  // namespace invar

// What a model file says: a system, where it starts and what is asked of it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "invar/dae/dae.h"
#include "invar/model/mechanism/mechanism.h"
#include "invar/model/problem/drawing.h"
#include "invar/model/problem/formulation.h"
#include "invar/model/problem/parameter_use.h"
#include "invar/model/problem/task_settings.h"
#include "invar/system/reference.h"
#include "invar/system/system.h"

namespace invar {

struct Problem {
  std::string name;
  std::string file;  // for messages; empty if built by program
  std::string text;  // of the file, as it was read
  Formulation formulation = Formulation::formula;
  std::shared_ptr<const Mechanism> mechanism;  // if bodies and joints are given
  System system;                               // after [reduce]
  std::vector<std::string> satisfied;          // constraints that [reduce] made superfluous
  std::vector<double> q0, v0;                  // as the user gave them, not yet consistent
  std::vector<Reference> signals;              // that formulas contain, apart from those given by formulas themselves
  std::vector<ServoTarget> targets;            // outputs with a trajectory, in the order of the file
  TaskSettings settings;                       // of the tasks that the file speaks of
  std::vector<Drawn> drawing;                  // of a system of formulas
  std::map<std::string, std::string> units;  // of coordinates, inputs, outputs and multipliers, as far as they are told
  ParameterUse parameter_use;                // what values of parameters went into the numbers above
  std::shared_ptr<const Problem> plant;      // what is controlled, where it differs from this
};

}  // namespace invar

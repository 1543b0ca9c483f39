// Invar as a library: models from files, text or C++, and the tasks that solve them. See docs/library.md.
//
//   const invar::Problem crane = invar::read_problem("crane.toml");
//   const invar::Inversion run = invar::invert(crane);
//   const std::vector<double> force = run.inputs.column("F");
//
// All that is thrown is an invar::Error; numerical failure is a status of the summary.
#pragma once

#include "invar/base/error.h"
#include "invar/base/interrupt.h"
#include "invar/expr/expr.h"
#include "invar/model/forces/bushing.h"
#include "invar/model/forces/force.h"
#include "invar/model/forces/spring.h"
#include "invar/model/joints/joint_kinds.h"
#include "invar/model/mechanism/mechanism.h"
#include "invar/model/problem/mechanism_problem.h"
#include "invar/model/problem/prescribe.h"
#include "invar/model/problem/problem.h"
#include "invar/model/problem/with_parameters.h"
#include "invar/model/trajectory/profile.h"
#include "invar/read/read_problem.h"
#include "invar/record/summary.h"
#include "invar/record/trajectory.h"
#include "invar/system/formula_text.h"
#include "invar/task/check/verdict.h"
#include "invar/task/control/control.h"
#include "invar/task/equilibrium/equilibrium.h"
#include "invar/task/invert/invert.h"
#include "invar/task/optimize/optimize.h"
#include "invar/task/run/prepared.h"
#include "invar/task/simulate/simulate.h"
#include "invar/task/simulate/swarm.h"

// Every model file that must be refused: the reader and the command are tested against the same table.
#pragma once

#include <utility>

#include "invar/model/bad_models/bad_bushing_models.h"
#include "invar/model/bad_models/bad_control_models.h"
#include "invar/model/bad_models/bad_drawing_models.h"
#include "invar/model/bad_models/bad_joint_models.h"
#include "invar/model/bad_models/bad_member_models.h"
#include "invar/model/bad_models/bad_optimize_models.h"
#include "invar/model/bad_models/bad_physical_models.h"
#include "invar/model/bad_models/bad_setting_models.h"
#include "invar/model/bad_models/bad_slot_models.h"
#include "invar/model/bad_models/bad_sweep_models.h"
#include "invar/model/bad_models/bad_system_models.h"
#include "invar/model/bad_models/bad_trajectory_models.h"
#include "invar/model/bad_models/hostile_models.h"

namespace invar {

inline std::vector<BadModel> bad_models() {
  std::vector<BadModel> all;
  for (auto part : {bad_top_levels,
                    bad_parameters,
                    bad_energies_and_forces,
                    bad_constraints_inputs_outputs,
                    bad_starts_and_reductions,
                    bad_simulations,
                    bad_trajectories,
                    bad_points_and_formulas,
                    bad_signals,
                    bad_inversions,
                    bad_optimizations,
                    bad_controls,
                    bad_equilibria,
                    bad_plants,
                    bad_sweeps,
                    bad_drawings,
                    bad_units,
                    bad_worlds_and_bodies,
                    bad_joints,
                    bad_cables_and_loads,
                    bad_bushings,
                    bad_members,
                    bad_slots,
                    bad_actuators_and_outputs,
                    bad_planar_mechanisms,
                    bad_kinds_of_systems,
                    broken_toml,
                    misplaced_characters,
                    other_kinds_of_files,
                    deep_nesting,
                    huge_formulas,
                    huge_and_many_names})
    for (BadModel& model : part()) all.push_back(std::move(model));
  return all;
}

}  // namespace invar

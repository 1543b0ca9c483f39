// See task_parts.h. A task that has settings is a line here.
#include "invar/read/task_parts.h"

#include "invar/task/control/control_settings.h"
#include "invar/task/inverse_structure/invert_settings.h"
#include "invar/task/run/simulate_settings.h"
#include "invar/task/transcription/optimize_settings.h"

namespace invar::model {

std::span<const FilePart> task_parts() {
  static constexpr FilePart parts[] = {
      {"simulate", read_simulate},
      {"invert", read_invert},
      {"optimize", read_optimize},
      {"control", read_control},
  };
  return parts;
}

}  // namespace invar::model

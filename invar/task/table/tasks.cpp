// See tasks.h. To add a task is to add a line.
#include "invar/task/table/tasks.h"

#include "invar/task/control/control_task.h"
#include "invar/task/equilibrium/equilibrium.h"
#include "invar/task/invert/invert_task.h"
#include "invar/task/optimize/optimize_task.h"
#include "invar/task/simulate/simulate_task.h"

namespace invar {

std::span<const Task* const> tasks() {
  static constexpr const Task* list[] = {
      &simulate_task, &equilibrium_task, &invert_task, &optimize_task, &control_task,
  };
  return list;
}

const Task* find_task(std::string_view verb) {
  for (const Task* task : tasks())
    if (task->verb == verb) return task;
  return nullptr;
}

}  // namespace invar

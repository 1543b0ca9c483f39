// See run_status.h.
#include "invar/record/run_status.h"

#include <ostream>

#include "invar/base/kind_names.h"

namespace invar {

namespace {

constexpr KindName<RunStatus> status_names[] = {
    {RunStatus::done, "done"},
    {RunStatus::failed, "failed"},
    {RunStatus::interrupted, "interrupted"},
};

}  // namespace

std::string name_of(RunStatus status) { return name_in(status_names, status); }
std::ostream& operator<<(std::ostream& out, RunStatus status) { return out << name_of(status); }

}  // namespace invar

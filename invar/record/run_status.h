// How a run ended.
#pragma once

#include <iosfwd>
#include <string>

namespace invar {

enum class RunStatus { done, failed, interrupted };

std::string name_of(RunStatus status);
std::ostream& operator<<(std::ostream& out, RunStatus status);

}  // namespace invar

// Which format a model file was written in: `format = "0.1"`. A format has the version of the first Invar that reads
// it; a file of any earlier format means what it meant then.
#pragma once

#include <string_view>

#include "invar/model/file/section.h"

namespace invar::model {

inline constexpr std::string_view newest_format = "0.1";

// Fails if the file says that it is of a later format, whose keys this Invar would not know or would take for others.
void check_format(Section& top);

}  // namespace invar::model

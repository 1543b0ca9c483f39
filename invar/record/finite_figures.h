// A run is judged by the figures of its summary: one that is no number must not pass as success.
#pragma once

#include "invar/record/summary.h"

namespace invar {

// A run that is done but has a figure that is not finite has failed; the message names the figure as summary.json does.
void require_finite(Summary& summary);

}  // namespace invar

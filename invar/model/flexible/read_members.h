// The readers of beams and strings, which stand before those of joints: their nodes can be joined.
#pragma once

#include "invar/model/file/reading.h"

namespace invar::model {

void read_beams(Reading& reading, Section& top);
void read_strings(Reading& reading, Section& top);

}  // namespace invar::model

// What a run tells, sentence by sentence: the terminal prints them and the page shows them, so that neither knows more
// than the other.
#pragma once

#include <string>
#include <vector>

#include "invar/record/summary.h"

namespace invar {

// The first says what was done, the others how well, a fact each. None if the task ended before there was anything to
// tell. Warnings and the reason of a failure stand for themselves in the summary.
std::vector<std::string> run_in_words(const Summary& summary);

}  // namespace invar

// See run_words.h.
#include "invar/report/page/run_words.h"

namespace invar {

std::vector<std::string> run_in_words(const Summary& s) {
  return s.parts.empty() ? std::vector<std::string>() : s.parts.front().sentences(s);
}

}  // namespace invar

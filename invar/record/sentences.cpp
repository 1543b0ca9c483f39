// See sentences.h.
#include "invar/record/sentences.h"

#include <cctype>

namespace invar {

std::string duration(double seconds) {
  return seconds < 1.0 ? fmt::format("{:.0f} ms", 1e3 * seconds) : fmt::format("{:.1f} s", seconds);
}

void say_constraints(const Summary& s, Sentences& say) {
  if (s.counts.constraints > 0)
    say("constraints: largest residual {:.1e}{} at position level, {:.1e}{} at velocity level",
        s.accuracy.drift_position, s.unit_behind("drift.position"), s.accuracy.drift_velocity,
        s.unit_behind("drift.velocity"));
}

std::string as_sentence(std::string words) {
  if (words.empty()) return words;
  words.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(words.front())));
  return words + ".";
}

}  // namespace invar

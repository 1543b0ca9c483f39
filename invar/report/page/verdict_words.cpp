// See verdict_words.h.
#include "invar/report/page/verdict_words.h"

#include <fmt/format.h>

#include "invar/record/sentences.h"

namespace invar {

std::string verdict_sentence(const Summary& s, const Trajectory& t) {
  const bool got_through = t.rows() > 0 && t.row(t.rows() - 1)[0] >= s.until;
  if (s.status == RunStatus::failed && got_through && !s.message.empty()) return as_sentence(s.message);
  if (s.status != RunStatus::done)
    return t.rows() > 0 ? fmt::format("Stopped at t = {:.4g} of {:.4g} s.", t.row(t.rows() - 1)[0], s.until)
                        : "Stopped before the first step.";
  return s.parts.empty() ? std::string() : s.parts.front().headline(s, t);
}

std::vector<KeyFigure> key_figures(const Summary& s) {
  std::vector<KeyFigure> f;
  if (s.counts.degrees_of_freedom > 0)
    f.push_back({"degrees of freedom", static_cast<double>(s.counts.degrees_of_freedom)});
  if (!s.parts.empty())
    for (KeyFigure& figure : s.parts.front().key_figures(s)) f.push_back(std::move(figure));
  f.push_back({"computed in", s.wall_seconds, "s"});
  return f;
}

}  // namespace invar

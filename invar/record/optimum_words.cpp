// See optimum_words.h.
#include "invar/record/optimum_words.h"

#include <fmt/format.h>

namespace invar {

std::string nature(const Summary::Optimization& o) {
  if (o.second_order == "minimum") return "a local minimum (second-order conditions hold)";
  if (o.second_order == "flat")
    return "stationary point without negative curvature, flat in some direction: a local minimum as far as "
           "second-order "
           "conditions tell";
  if (o.second_order == "saddle")
    return "stationary point; second-order conditions could not be confirmed, a direction of negative curvature "
           "remains";
  return "stationary point; second-order conditions could not be confirmed";
}

std::string way_found(const Summary::Optimization& o) {
  std::string words;
  if (o.guesses > 1) words = fmt::format("best of {} guesses ({})", o.guesses, o.guess);
  if (o.saddles > 0)
    words += fmt::format("{}{} left on the way", words.empty() ? "" : ", ",
                         o.saddles == 1 ? "a saddle point was" : fmt::format("{} saddle points were", o.saddles));
  return words;
}

}  // namespace invar

// The verdict on an inverse problem in sentences that a control engineer understands.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "invar/task/inverse_structure.h"

namespace invar {

namespace {

std::string times(int n) {
  constexpr const char* words[] = {"",           "once",      "twice",       "three times", "four times",
                                   "five times", "six times", "seven times", "eight times"};
  return n >= 1 && n <= 8 ? words[n] : fmt::format("{} times", n);
}

// Outputs that ask for the same number of derivatives together.
std::string smoothness(const InverseStructure& s) {
  std::vector<std::string> sentences;
  std::vector<int> orders;
  for (const NeededOrder& n : s.needed)
    if (std::find(orders.begin(), orders.end(), n.order) == orders.end()) orders.push_back(n.order);
  for (int order : orders) {
    std::vector<std::string> outputs;
    std::string profile;
    for (const NeededOrder& n : s.needed)
      if (n.order == order) {
        outputs.push_back(n.output);
        profile = n.profile;
      }
    if (order == 0) continue;
    sentences.push_back(fmt::format("{} must be {} continuously differentiable; {} ({})", fmt::join(outputs, ", "),
                                    times(order), outputs.size() == 1 ? "it is" : "they are", profile));
  }
  return fmt::format("{}", fmt::join(sentences, "; "));
}

std::string number(std::complex<double> z) {
  constexpr double rounding = 1e-9;
  if (std::abs(z.imag()) <= rounding * std::abs(z)) return fmt::format("{:.4g}", z.real());
  if (std::abs(z.real()) <= rounding * std::abs(z)) z.real(0.0);
  return fmt::format("{:.4g}{:+.4g}i", z.real(), z.imag());
}

const char* stability(ZeroDynamics::Kind kind) {
  switch (kind) {
    case ZeroDynamics::Kind::stable: return "stable";
    case ZeroDynamics::Kind::marginal: return "neither stable nor unstable";
    case ZeroDynamics::Kind::unstable:
      return "unstable: followed from a given start it runs away, so a bounded solution is sought instead";
    case ZeroDynamics::Kind::none: break;
  }
  return "none";
}

}  // namespace

std::string in_words(const InverseStructure& s) {
  std::string text = fmt::format("{} unknowns, index {}", s.dae.unknowns.size(), s.index);
  if (s.hidden) text += fmt::format(" (the formulas alone suggest {})", s.formal.index);
  if (s.flat()) {
    text += ", flat: the inputs follow algebraically from the outputs, with nothing to integrate. ";
  } else {
    text += fmt::format(", internal dynamics with {} states", s.degrees_of_freedom);
    if (s.zero.kind != ZeroDynamics::Kind::none) {
      std::vector<std::string> list;
      for (const std::complex<double>& z : s.zero.eigenvalues) list.push_back(number(z));
      text += fmt::format(" and eigenvalues {} at rest, {}", fmt::join(list, ", "), stability(s.zero.kind));
    }
    text += ". ";
  }
  if (const std::string smooth = smoothness(s); !smooth.empty()) text += smooth + ". ";
  text += s.realisation == Realisation::orthogonal ? "Every output is accelerated by the inputs directly."
          : s.realisation == Realisation::tangential
              ? "No input accelerates an output directly; they act through the mechanism."
              : "Some outputs are accelerated by the inputs directly, others only through the mechanism.";
  if (s.singular_degree.found())
    text += fmt::format(" The relative degree is singular at the start, so that this holds there only: {}; {}.",
                        s.singular_degree.why, s.singular_degree.nearby);
  if (s.singular_start) text += " The start is a singular point; its values are the limit from later times.";
  return text;
}

}  // namespace invar

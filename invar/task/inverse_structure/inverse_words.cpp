// The verdict on an inverse problem in sentences that a control engineer understands.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar {

namespace {

std::string times(int n) {
  constexpr const char* words[] = {"",           "once",      "twice",       "three times", "four times",
                                   "five times", "six times", "seven times", "eight times"};
  return n >= 1 && n <= 8 ? words[n] : fmt::format("{} times", n);
}

std::string plural(std::size_t n, const std::string& noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

// Names, each once, of the outputs that have something in common.
struct Group {
  std::string what;
  std::vector<std::string> outputs;
};

void add(const std::string& what, const std::string& output, std::vector<Group>& groups) {
  auto found = std::find_if(groups.begin(), groups.end(), [&](const Group& g) { return g.what == what; });
  if (found == groups.end()) found = groups.insert(groups.end(), {what, {}});
  found->outputs.push_back(output);
}

// Outputs that ask for the same number of derivatives together, with the profile of each.
std::string smoothness(const InverseStructure& s) {
  std::vector<std::string> sentences;
  std::vector<int> orders;
  for (const NeededOrder& n : s.needed)
    if (std::find(orders.begin(), orders.end(), n.order) == orders.end()) orders.push_back(n.order);
  for (int order : orders) {
    if (order == 0) continue;
    std::vector<std::string> outputs;
    std::vector<Group> profiles;
    bool are = true;
    for (const NeededOrder& n : s.needed)
      if (n.order == order) {
        outputs.push_back(n.output);
        are = are && n.given >= order;
        add(n.profile, n.output, profiles);
      }
    std::vector<std::string> words;
    for (const Group& g : profiles)
      words.push_back(profiles.size() == 1 ? g.what : fmt::format("{}: {}", fmt::join(g.outputs, ", "), g.what));
    sentences.push_back(
        fmt::format("{} must be {} continuously differentiable; {} ({})", fmt::join(outputs, ", "), times(order),
                    outputs.size() == 1 ? (are ? "it is" : "it is not") : (are ? "they are" : "they are not"),
                    fmt::join(words, "; ")));
  }
  return fmt::format("{}", fmt::join(sentences, "; "));
}

// How the inputs reach the outputs. What they change directly is the acceleration of an output that is a position, and
// the rate of one that is a velocity.
std::string reach(const InverseStructure& s) {
  bool velocity = false;
  for (std::size_t i = 0; i < s.dae.equations.size(); ++i) {
    if (s.dae.equations[i].kind != EquationKind::servo) continue;
    for (const Partial& p : s.evaluator->partial_list())
      velocity = velocity || (static_cast<std::size_t>(p.equation) == i && p.order > 0);
  }
  const char* changed = velocity ? "changed" : "accelerated";
  if (s.realisation == Realisation::orthogonal)
    return fmt::format("Every output is {} by the inputs directly.", changed);
  if (s.realisation == Realisation::tangential)
    return fmt::format("No input {} an output directly; they act through the mechanism.",
                       velocity ? "changes" : "accelerates");
  if (s.realisation == Realisation::undecided) return "How far inputs act on outputs directly was not decided.";
  return fmt::format("Some outputs are {} by the inputs directly, others only through the mechanism.", changed);
}

constexpr double rounding = 1e-9;

std::string real_part(std::complex<double> z) {
  return std::abs(z.real()) <= rounding * std::abs(z) ? std::string() : fmt::format("{:.4g}", z.real());
}

std::string number(std::complex<double> z) {
  if (std::abs(z.imag()) <= rounding * std::abs(z)) return fmt::format("{:.4g}", z.real());
  const std::string real = real_part(z);
  return fmt::format(fmt::runtime(real.empty() ? "{}{:.4g}i" : "{}{:+.4g}i"), real, z.imag());
}

bool are_conjugate(std::complex<double> a, std::complex<double> b) {
  constexpr double near = 1e-6;  // eigenvalues are less exact than what is shown of them
  return a.imag() != 0.0 && std::abs(a - std::conj(b)) <= near * std::abs(a);
}

const char* stability(ZeroDynamics::Kind kind) {
  switch (kind) {
    case ZeroDynamics::Kind::stable: return "stable";
    case ZeroDynamics::Kind::marginal: return "neither stable nor unstable";
    case ZeroDynamics::Kind::unstable: return "unstable: followed from a given start it runs away";
    case ZeroDynamics::Kind::none: break;
  }
  return "none";
}

// The slowest eigenvalues and what the others are like.
std::string eigenvalues(const ZeroDynamics& zero) {
  constexpr std::size_t listed = 8;
  const std::vector<std::complex<double>>& all = zero.eigenvalues;
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (all.size() > listed + 2)
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return std::abs(all[a]) < std::abs(all[b]) * (1.0 - 1e-6); });
  std::vector<std::string> list;
  std::size_t shown = 0, stable = 0, unstable = 0, neither = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::complex<double> z = all[order[k]];
    if (shown >= listed && all.size() > listed + 2) {
      ++(zero.grows(order[k]) ? unstable : zero.decays(order[k]) ? stable : neither);
    } else if (k + 1 < order.size() && are_conjugate(z, all[order[k + 1]])) {
      list.push_back(fmt::format("{}±{:.4g}i", real_part(z), std::abs(z.imag())));
      shown += 2;
      ++k;
    } else {
      list.push_back(number(z));
      ++shown;
    }
  }
  std::string text = fmt::format("eigenvalue{} {} at rest", order.size() == 1 ? "" : "s", fmt::join(list, ", "));
  if (stable + unstable + neither > 0)
    text += fmt::format(", and {} faster ones ({} stable, {} unstable, {} neither)", stable + unstable + neither,
                        stable, unstable, neither);
  return text;
}

}  // namespace

std::string in_words(const InverseStructure& s) {
  std::string text = s.by_zeros ? fmt::format("{}, by their formulas of index {}; nothing is eliminated",
                                              plural(s.unknowns, "unknown"), s.index)
                                : fmt::format("{}, index {}", plural(s.unknowns, "unknown"), s.index);
  if (s.hidden && s.formal.index != s.index) text += fmt::format(" (the formulas alone suggest {})", s.formal.index);
  if (s.flat()) {
    text += ", flat: the inputs follow algebraically from the outputs, with nothing to integrate. ";
  } else {
    if (!s.by_zeros)
      text += ", internal dynamics with " + plural(static_cast<std::size_t>(s.degrees_of_freedom), "state") +
              (s.zero.kind != ZeroDynamics::Kind::none ? " and " : "");
    else
      text += ", internal dynamics with the slowest ";
    if (s.zero.kind != ZeroDynamics::Kind::none)
      text += fmt::format("{}, {}", eigenvalues(s.zero), stability(s.zero.kind));
    text += ". ";
  }
  if (const std::string smooth = smoothness(s); !smooth.empty()) text += smooth + ". ";
  text += reach(s);
  if (s.singular_degree.found())
    text += fmt::format(" The relative degree is singular at the start, so that this holds there only: {}; {}.",
                        s.singular_degree.why, s.singular_degree.nearby);
  if (s.dae.unknowns.size() != s.unknowns)
    text += fmt::format(" It is solved in joint coordinates, with {}.", plural(s.dae.unknowns.size(), "unknown"));
  if (s.singular_start) text += " The start is a singular point; its values are the limit from later times.";
  return text;
}

}  // namespace invar

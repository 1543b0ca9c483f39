// See sample_error.h.
#include "invar/task/invert/sample_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "invar/model/trajectory/sampled.h"

namespace invar {

namespace {

constexpr double acceptable =
    0.01;  // part of the largest value of an input that samples may leave open without a warning

const SampledFunction* from_samples(const Reference& r) {
  return dynamic_cast<const SampledFunction*>(r.function.get());
}

// All that may come from samples: what outputs follow, and signals.
template <typename P>
auto references(P& problem) {
  std::vector<decltype(&problem.signals.front())> all;
  for (auto& target : problem.targets)
    for (auto& r : target.follow) all.push_back(&r);
  for (auto& r : problem.signals) all.push_back(&r);
  return all;
}

// `the samples of a.csv, with an error of about 5e-9, and of b.csv, with …`, or nothing.
std::string sources(const Problem& problem) {
  std::vector<std::string> names;
  std::string words;
  for (const Reference* r : references(problem)) {
    const SampledFunction* function = from_samples(*r);
    if (function == nullptr || std::find(names.begin(), names.end(), function->source()) != names.end()) continue;
    names.push_back(function->source());
    words += fmt::format("{} of {}, with an error of about {:.1g},", words.empty() ? "the samples" : " and",
                         function->source(), function->sample_error());
  }
  return words;
}

// With the n-th of the other functions that the samples allow; nothing if there is none.
std::optional<Problem> other(const Problem& problem, std::size_t n) {
  Problem result = problem;
  bool any = false;
  for (Reference* r : references(result)) {
    const SampledFunction* function = from_samples(*r);
    if (function == nullptr) continue;
    const auto others = function->others();
    if (n >= others.size()) continue;
    r->function = others[n];
    any = true;
  }
  return any ? std::optional(std::move(result)) : std::nullopt;
}

struct Uncertain {
  std::string input;
  double by = 0.0, largest = 0.0;
  double relative() const { return largest > 0.0 ? by / largest : 0.0; }
};

std::string percent(double part) {
  return part < 0.1 ? fmt::format("{:.1g} %", 100.0 * part) : fmt::format("{:.0f} %", 100.0 * part);
}

// The input that differs most, at the instants that both tables have, if it is more than what is known.
void find_uncertain(const Trajectory& inputs, const Trajectory& others, Uncertain& worst) {
  for (std::size_t c = 1; c < inputs.columns.size(); ++c) {
    Uncertain u{inputs.columns[c]};
    for (std::size_t i = 0, k = 0; i < inputs.rows(); ++i) {
      u.largest = std::max(u.largest, std::abs(inputs.row(i)[c]));
      while (k < others.rows() && others.row(k)[0] < inputs.row(i)[0]) ++k;
      if (k < others.rows() && others.row(k)[0] == inputs.row(i)[0])
        u.by = std::max(u.by, std::abs(inputs.row(i)[c] - others.row(k)[c]));
    }
    if (worst.input.empty() || u.relative() > worst.relative()) worst = u;
  }
}

}  // namespace

SampleEffect sample_effect(const Problem& problem, const Trajectory& inputs,
                           const std::function<Trajectory(const Problem&)>& again) {
  SampleEffect effect;
  effect.words = sources(problem);
  if (effect.words.empty()) return effect;
  Uncertain worst;
  for (std::size_t n = 0; const std::optional<Problem> allowed = other(problem, n); ++n) {
    const Trajectory others = again(*allowed);
    if (others.rows() == 0) {
      effect.words += " leave the inputs open: the inversion fails for others that are not farther off";
      effect.doubtful = true;
      return effect;
    }
    find_uncertain(inputs, others, worst);
  }
  const auto unit = problem.units.find(worst.input);
  effect.words +=
      fmt::format(" leave input \"{}\" uncertain by about {:.1g}{}, {} of its largest value", worst.input, worst.by,
                  unit == problem.units.end() ? "" : " " + unit->second, percent(worst.relative()));
  effect.doubtful = worst.relative() > acceptable;
  return effect;
}

}  // namespace invar

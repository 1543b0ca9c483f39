// See step_advance.h.
#include "invar/task/simulate/step_advance.h"

#include <fmt/format.h>

#include <algorithm>

namespace invar {

namespace {

constexpr int max_halvings = 6;

}  // namespace

Advance advance(Stepper& stepper, double h, const Stepper::Inputs& inputs, Stepper::Memory& memory, Summary& summary) {
  stepper.save(memory);
  Advance result;
  for (; result.halvings <= max_halvings; ++result.halvings) {
    const int pieces = 1 << result.halvings;
    int piece = 0;
    for (; piece < pieces; ++piece) {
      result.t = stepper.t();
      result.last = stepper.advance(h / pieces, inputs);
      const auto iterations = static_cast<std::uint64_t>(result.last.iterations);
      summary.newton_iterations.total += iterations;
      summary.newton_iterations.max = std::max(summary.newton_iterations.max, iterations);
      if (result.last.status != NewtonStatus::converged) break;
    }
    if (piece == pieces) {
      result.done = true;
      if (pieces > 1) summary.substeps += static_cast<std::uint64_t>(pieces);
      return result;
    }
    stepper.restore(memory);
  }
  return result;
}

Advance advance_past(Adaptive& adaptive, const Stepper& stepper, double t, double end, const Stepper::Inputs& inputs,
                     Summary& summary) {
  const Adaptive::Result r = adaptive.advance_past(t, end, inputs);
  summary.newton_iterations.total += r.iterations;
  summary.newton_iterations.max =
      std::max(summary.newton_iterations.max, static_cast<std::uint64_t>(r.last.iterations));
  return {r.done, r.last, 0, stepper.t()};
}

namespace {

std::string cause_in_words(const Stepper& stepper, const NewtonResult& last) {
  if (last.status == NewtonStatus::converged)  // steps were taken, and rejected
    return "its error stays above what \"adaptive\" allows, however small it is: the motion may have a pole";
  if (last.status != NewtonStatus::singular)
    return fmt::format("Newton's method stalled at {} (relative residual {:.1e})",
                       stepper.equation(std::max(0, last.worst_equation)), last.error);
  if (last.singular_unknown < 0) return "a formula has no finite value";
  return fmt::format("the equations do not determine {}; is a constraint redundant or a coordinate without mass?",
                     stepper.unknown(last.singular_unknown));
}

}  // namespace

std::string failure_in_words(const Stepper& stepper, const Advance& a, double h) {
  std::string sizes;
  for (int k = 0; k <= max_halvings; ++k) sizes += fmt::format("{}{:.3g}", k ? ", " : "", h / (1 << k));
  const std::string cause = cause_in_words(stepper, a.last);
  return fmt::format(
      "step from t = {:.6g} s failed: {}; step sizes tried: {}; try a smaller --step, another --method, or look "
      "for a singular configuration",
      a.t, cause, sizes);
}

void warn_of_steps(std::uint64_t mended, Summary& summary) {
  if (summary.substeps > 0)
    summary.warnings.push_back(
        fmt::format("some steps needed substeps ({} in all); a smaller --step is advisable", summary.substeps));
  if (mended > 0)
    summary.warnings.push_back(fmt::format(
        "in {} step{} Newton's method first reached another solution of the equations; the one to which small "
        "steps lead was taken; a smaller --step is advisable",
        mended, mended == 1 ? "" : "s"));
}

}  // namespace invar

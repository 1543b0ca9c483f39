// The state equations of an extremal solved forwards in time, with its inputs. See indirect.h.
#include <algorithm>
#include <cmath>

#include "invar/expr/derivative.h"
#include "invar/math/newton.h"
#include "invar/tape/function.h"
#include "invar/task/indirect/indirect.h"
#include "invar/task/indirect/indirect_equations.h"

namespace invar {

namespace {

// One step x₀, λ ↦ x₁. Arguments of the tape: x₁ | x₀, λ | h, small length, parameters
class ForwardStep {
 public:
  ForwardStep(const IndirectEquations& e, const std::vector<double>& given) : ForwardStep(e, given, rearranged(e)) {}

  std::span<double> start() { return std::span(in_).subspan(size_, size_); }
  std::span<double> costate() { return std::span(in_).subspan(2 * size_, size_); }

  // From x as a first guess.
  bool solve(std::vector<double>& x) { return newton_.solve(evaluate_, x).status == NewtonStatus::converged; }

 private:
  struct Formulas {
    Exprs arguments, outputs;
    Pattern pattern;
  };
  static Formulas rearranged(const IndirectEquations& e) {
    const auto third = static_cast<std::ptrdiff_t>(2 * e.n);
    const Exprs x1(e.interval.begin() + 2 * third, e.interval.end());
    const SparseExprs j = jacobian(e.state, x1);
    Formulas f{x1, e.state, j.pattern};
    f.arguments.insert(f.arguments.end(), e.interval.begin(), e.interval.begin() + 2 * third);
    f.arguments.insert(f.arguments.end(), e.given.begin(), e.given.end());
    f.outputs.insert(f.outputs.end(), j.value.begin(), j.value.end());
    return f;
  }
  ForwardStep(const IndirectEquations& e, const std::vector<double>& given, const Formulas& f)
      : size_(2 * e.n),
        function_(f.arguments, f.outputs),
        newton_(f.pattern),
        in_(f.arguments.size()),
        out_(f.outputs.size()) {
    std::copy(given.begin(), given.end(), in_.begin() + static_cast<std::ptrdiff_t>(3 * size_));
    evaluate_ = [this](std::span<const double> x, std::span<double> residual, std::span<double> j) {
      std::copy(x.begin(), x.end(), in_.begin());
      function_(in_, out_, scratch_);
      std::copy_n(out_.begin(), residual.size(), residual.begin());
      std::copy(out_.begin() + static_cast<std::ptrdiff_t>(residual.size()), out_.end(), j.begin());
    };
  }

  std::size_t size_;
  Function function_;
  Newton newton_;
  Newton::Evaluate evaluate_;
  Scratch scratch_;
  std::vector<double> in_, out_;
};

std::vector<double> joined(std::vector<double> a, const std::vector<double>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

std::optional<double> replay(const IndirectTask& task, const Extremal& found) {
  const IndirectEquations e =
      indirect_equations(task.system, task.scheme == IndirectScheme::energy_momentum, task.ranges);
  double longest = 0.0;
  for (std::size_t k = 0; k < task.intervals; ++k) {
    const std::vector<double> x0 = joined(found.q[k], found.p[k]), x1 = joined(found.q[k + 1], found.p[k + 1]);
    double square = 0.0;
    for (std::size_t i = 0; i < e.measured; ++i) square += std::pow(x1[i] - x0[i], 2);
    longest = std::max(longest, std::sqrt(square));
  }
  const std::vector<double> given = joined({task.horizon / static_cast<double>(task.intervals), e.smallness * longest},
                                           parameter_values(task.system));
  ForwardStep step(e, given);
  std::vector<double> x = joined(found.q[0], found.p[0]);
  double sizes[2] = {1.0, 1.0}, differences[2] = {0.0, 0.0};
  for (std::size_t k = 0; k < task.intervals; ++k) {
    std::copy(x.begin(), x.end(), step.start().begin());
    const std::vector<double> costate = joined(found.lambda_q[k], found.lambda_p[k]);
    std::copy(costate.begin(), costate.end(), step.costate().begin());
    if (!step.solve(x)) return std::nullopt;
    for (std::size_t i = 0; i < 2 * e.n; ++i) {
      const bool momentum = i >= e.n;
      const double wanted = momentum ? found.p[k + 1][i - e.n] : found.q[k + 1][i];
      sizes[momentum] = std::max(sizes[momentum], std::abs(wanted));
      differences[momentum] = std::max(differences[momentum], std::abs(x[i] - wanted));
    }
  }
  return std::max(differences[0] / sizes[0], differences[1] / sizes[1]);
}

}  // namespace invar

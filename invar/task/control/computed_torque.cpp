// Computed torque with servo constraints by implicit Euler (scheme/bdf.cpp): per sample one system of
// equations for the wanted state, the multipliers and the inputs [A. Zelei, G. Stépán, ACROBOTER, part 2, 2011]:
//
//   M (y_i - y_{i-1})/h + … = B u - Gᵀλ - K_P (q_i - q) - K_D (y_i - v),   q_i = q_{i-1} + h y_i,
//   Φ(q_i) = 0,   s(q_i) = γ(t_i)
//
// with the measured q, v. Since the wanted state is carried from sample to sample, what the outputs do not determine
// moves as the equations say, with the numerical damping of the formula.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "invar/base/error.h"
#include "invar/dae/zero_dynamics.h"
#include "invar/expr/lists.h"
#include "invar/math/newton.h"
#include "invar/scheme/difference_rule.h"
#include "invar/scheme/table.h"
#include "invar/system/equations.h"
#include "invar/system/reference_values.h"
#include "invar/tape/function.h"
#include "invar/task/control/controller.h"

namespace invar {

namespace {

class ComputedTorque : public Controller {
 public:
  explicit ComputedTorque(const Problem& problem);
  ~ComputedTorque() override;

  const State& wanted_start() const override { return start_; }
  std::vector<double> inputs_at_start() const override;
  void start() override;
  bool sample(const Sample& sample, std::span<double> u) override;
  std::string fault() const override { return fault_; }
  std::vector<double> memory() const override;
  void remember(std::span<const double> memory) override;

 private:
  struct Equations;
  std::unique_ptr<Equations> equations_;
  State start_;
  std::vector<double> at_start_;  // multipliers and inputs
  std::vector<double> q_, y_;     // wanted, at the last sample
  std::string fault_;
};

Exprs fresh(const Graph& graph, std::size_t count, const std::string& name) {
  Exprs symbols;
  for (std::size_t i = 0; i < count; ++i) symbols.push_back(graph.parameter(name));
  return symbols;
}

// The equations of a sample are as many as their unknowns only then.
void require_as_many_outputs(const Problem& problem) {
  if (problem.targets.size() != problem.system.inputs.size())
    throw InputError("computed-torque: needs as many outputs with trajectories as inputs");
}

// Coordinates, multipliers and inputs at rest with the references as they are at the start.
Jet rest(const Problem& problem) {
  const Dae dae = servo(problem.system, problem.targets, problem.signals);
  JetEvaluator evaluator(dae);
  Jet jet;
  for (std::size_t j = 0; j < dae.unknowns.size(); ++j) jet.x.push_back({j < problem.q0.size() ? problem.q0[j] : 0.0});
  if (rest_point(evaluator, jet).status != JetResult::Status::converged)
    throw InputError(
        "computed-torque: with the outputs at the start of their trajectories the model has no position of rest");
  return jet;
}

}  // namespace

// The system of one sample. Arguments: q, λ, u | q and y before, measured q and v, t | parameters | references
struct ComputedTorque::Equations {
  std::size_t n, m, inputs;
  std::vector<std::string> names;
  Function function;
  Function wanted_rate;
  Pattern pattern;
  ReferenceValues references;
  Newton newton;
  Newton::Evaluate evaluate;
  Scratch scratch;
  std::vector<double> in, out, x;

  struct Formulas {
    Exprs unknowns, given, rows, outputs;
    Exprs y;  // of the wanted state
    std::vector<std::string> names;
    std::vector<int> kinds;
    SparseExprs jacobian;
    std::vector<Reference> known;

    explicit Formulas(const Problem& problem) : known(all_references(problem)) {
      const System& system = problem.system;
      const ControlSettings& settings = problem.settings.of<ControlSettings>();
      const invar::Equations e = equations(system);
      const Graph& g = system.graph;
      const std::size_t size = e.q.size();
      const Exprs q = fresh(g, size, "q"), lambda = fresh(g, e.lambda.size(), "multiplier"),
                  u = fresh(g, e.u.size(), "input");
      const Exprs q0 = fresh(g, size, "q before"), y0 = fresh(g, size, "y before"), measured = fresh(g, size, "q"),
                  rate = fresh(g, size, "v");
      const DifferenceRule& euler = implicit_euler.rule();
      const auto rate_of = [&](const Expr& value, const Expr& before) {
        return euler.h_rate(0, {value}, before, {}, {}) / settings.period;
      };
      Exprs a;
      for (std::size_t i = 0; i < size; ++i) {
        y.push_back(rate_of(q[i], q0[i]));
        a.push_back(rate_of(y[i], y0[i]));
      }
      const Point point = {e.t, q, y, a, lambda, u};
      rows = at(e, e.dynamics, point);
      for (std::size_t i = 0; i < size; ++i) {
        rows[i] += settings.proportional[i] * (q[i] - measured[i]) + settings.derivative[i] * (y[i] - rate[i]);
        names.push_back(fmt::format("dynamics of \"{}\"", system.coordinates[i].name()));
      }
      append(rows, at(e, e.constraint, point));
      for (const Constraint& c : system.constraints) names.push_back(fmt::format("constraint \"{}\"", c.name));
      for (const ServoTarget& target : problem.targets) {
        const Expr wish = target.follow.empty() ? target.expr : target.expr - invar::at(target.follow.front().value);
        rows.push_back(at(e, {&wish, 1}, point).front());
        names.push_back(fmt::format("output \"{}\"", target.output));
      }
      unknowns = q;
      append(unknowns, lambda);
      append(unknowns, u);
      kinds.assign(size, 0);
      kinds.insert(kinds.end(), lambda.size(), 1);
      kinds.insert(kinds.end(), u.size(), 2);
      for (const Exprs& part : {q0, y0, measured, rate, Exprs{e.t}, parameters(system)}) append(given, part);
      jacobian = invar::jacobian(rows, unknowns);
      outputs = rows;
      append(outputs, jacobian.value);
    }
    Exprs arguments(const Exprs& references) const {
      Exprs all = unknowns;
      append(all, given);
      append(all, references);
      return all;
    }
  };

  explicit Equations(const Problem& problem) : Equations(problem, Formulas(problem)) {}
  Equations(const Problem& problem, const Formulas& f)
      : n(problem.system.coordinates.size()),
        m(problem.system.constraints.size()),
        inputs(problem.system.inputs.size()),
        names(f.names),
        function(f.arguments(ReferenceValues(f.outputs, f.known).symbols()), f.outputs),
        wanted_rate(f.arguments(ReferenceValues(f.outputs, f.known).symbols()), f.y),
        pattern(f.jacobian.pattern),
        references(f.outputs, f.known),
        newton(pattern, {}, f.kinds),
        in(f.unknowns.size() + f.given.size() + references.symbols().size()),
        out(f.outputs.size()),
        x(f.unknowns.size()) {
    const std::vector<double> values = parameter_values(problem.system);
    std::copy(values.begin(), values.end(), in.begin() + static_cast<std::ptrdiff_t>(x.size() + 4 * n + 1));
    evaluate = [this](std::span<const double> at, std::span<double> residual, std::span<double> jacobian) {
      std::copy(at.begin(), at.end(), in.begin());
      function(in, out, scratch);
      std::copy_n(out.begin(), residual.size(), residual.begin());
      std::copy(out.begin() + static_cast<std::ptrdiff_t>(residual.size()), out.end(), jacobian.begin());
    };
  }
};

ComputedTorque::ComputedTorque(const Problem& problem) {
  require_as_many_outputs(problem);
  equations_ = std::make_unique<Equations>(problem);
  const Jet at_rest = rest(problem);
  const std::size_t n = equations_->n;
  for (std::size_t i = 0; i < n; ++i) start_.q.push_back(at_rest.x[i][0]);
  start_.v.assign(n, 0.0);
  for (std::size_t i = n; i < at_rest.x.size(); ++i) at_start_.push_back(at_rest.x[i][0]);
  start();
}

ComputedTorque::~ComputedTorque() = default;

std::vector<double> ComputedTorque::inputs_at_start() const {
  return {at_start_.begin() + static_cast<std::ptrdiff_t>(equations_->m), at_start_.end()};
}

void ComputedTorque::start() {
  q_ = start_.q;
  y_ = start_.v;
  std::copy(q_.begin(), q_.end(), equations_->x.begin());
  std::copy(at_start_.begin(), at_start_.end(), equations_->x.begin() + static_cast<std::ptrdiff_t>(equations_->n));
}

bool ComputedTorque::sample(const Sample& sample, std::span<double> u) {
  Equations& e = *equations_;
  auto to = e.in.begin() + static_cast<std::ptrdiff_t>(e.x.size());
  for (const std::span<const double> part :
       {std::span<const double>(q_), std::span<const double>(y_), sample.q, sample.v})
    to = std::copy(part.begin(), part.end(), to);
  *to = sample.t;
  e.references(sample.t, std::span(e.in).last(e.references.symbols().size()));
  const NewtonResult result = e.newton.solve(e.evaluate, e.x);
  if (result.status != NewtonStatus::converged) {
    fault_ = fmt::format("computed-torque: no solution at t = {:.6g} s; worst is the {}", sample.t,
                         e.names[static_cast<std::size_t>(std::max(0, result.worst_equation))]);
    return false;
  }
  std::copy(e.x.begin(), e.x.end(), e.in.begin());
  e.wanted_rate(e.in, y_, e.scratch);
  std::copy_n(e.x.begin(), e.n, q_.begin());
  std::copy_n(e.x.begin() + static_cast<std::ptrdiff_t>(e.n + e.m), u.size(), u.begin());
  return true;
}

std::vector<double> ComputedTorque::memory() const {
  std::vector<double> all = q_;
  all.insert(all.end(), y_.begin(), y_.end());
  return all;
}

void ComputedTorque::remember(std::span<const double> memory) {
  const std::size_t n = q_.size();
  q_.assign(memory.begin(), memory.begin() + static_cast<std::ptrdiff_t>(n));
  y_.assign(memory.begin() + static_cast<std::ptrdiff_t>(n), memory.end());
}

std::unique_ptr<Controller> make_computed_torque(const Problem& problem) {
  return std::make_unique<ComputedTorque>(problem);
}

}  // namespace invar

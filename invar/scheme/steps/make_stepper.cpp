// From the equations of a scheme to tapes; see stepper.h.
#include <algorithm>
#include <numeric>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/expr/lifted.h"
#include "invar/expr/lists.h"
#include "invar/expr/symbol_places.h"
#include "invar/scheme/difference_rule.h"
#include "invar/scheme/stabilise.h"
#include "invar/scheme/step_symbols.h"
#include "invar/scheme/steps/stepper_programs.h"

namespace invar {

namespace {

Exprs part_of(const Exprs& list, std::size_t first, std::size_t end) {
  return {list.begin() + static_cast<std::ptrdiff_t>(first), list.begin() + static_cast<std::ptrdiff_t>(end)};
}

// Where the unknowns and equations of all stages stand, if there are no others.
std::optional<CoupledStages> coupled_stages(const Residual& residual, const Exprs& unknowns, const Scheme& scheme) {
  const std::size_t s = residual.coupled.size();
  if (s < 2 || s * residual.coupled.front().size() != unknowns.size() || scheme.rule == nullptr) return std::nullopt;
  CoupledStages result;
  const std::vector<std::vector<double>>& weight = scheme.rule().weight;
  result.weight.resize(static_cast<Eigen::Index>(s), static_cast<Eigen::Index>(s));
  const SymbolPlaces places(unknowns);
  const std::size_t size = unknowns.size() / s;
  for (std::size_t i = 0; i < s; ++i) {
    for (std::size_t j = 0; j < s; ++j)
      result.weight(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = weight[i][j];
    result.unknowns.emplace_back();
    for (const Expr& x : residual.coupled[i]) result.unknowns.back().push_back(places.of(x));
    result.equations.emplace_back(size);
    std::iota(result.equations.back().begin(), result.equations.back().end(), i * size);
  }
  return result;
}

// Is the Jacobian the same for all values of the unknowns?
bool is_linear(const SparseExprs& jacobian, const Exprs& unknowns) {
  const SymbolPlaces places(unknowns);
  return std::ranges::none_of(symbols(jacobian.value), [&](const Expr& x) { return places.contains(x); });
}

// The residual by itself, where kept factors pay: for large matrices, and where it is much shorter than with its
// Jacobian.
std::optional<Function> residual_alone(const Exprs& arguments, const Exprs& rows, const Function& both,
                                       std::size_t entries) {
  constexpr std::size_t large = 20, full = 8, dear = 5;  // rows; entries per row; times as long
  if (rows.size() <= large && entries < full * rows.size()) return std::nullopt;
  Function alone(arguments, rows, "residual of the step");
  if (rows.size() <= large && both.instruction_count() < dear * alone.instruction_count()) return std::nullopt;
  return alone;
}

// Along long chains and in large trees equations contain very many coordinates. Then parts of equations are further
// unknowns, with equations that always hold: they make the matrix of Newton's method sparse and the sizes of terms
// known.
SparseExprs lifted_step(StepSymbols& setup, Residual& residual) {
  constexpr std::size_t most = 3;  // unknowns of a part: fewer make more parts, more make longer derivatives
  LiftedJacobian lifted = lifted_jacobian(residual.equations, setup.unknowns, most);
  Exprs symbols;
  for (std::size_t i = 0; i < lifted.parts.size(); ++i) {
    symbols.push_back(setup.graph().parameter("part " + std::to_string(i + 1)));
    residual.add("part " + std::to_string(i + 1) + " of the equations", 0.0);
  }
  setup.sought(Kind::inner, symbols, substitute(lifted.parts, setup.unknowns, setup.guess));
  return std::move(lifted.matrix);
}

}  // namespace

Stepper::Stepper(const System& system, const Scheme& scheme, const StepperOptions& options,
                 std::span<const Reference> references, const Servo& servo)
    : n_(system.coordinates.size()), m_(system.constraints.size()), by_increments_(scheme.info.open_chains) {
  options.newton.check();
  Equations e = equations(system);
  if (scheme.explicit_method && servo.targets.empty() && !options.as_stated)
    if (const auto along_tree = TreeSteps::of(system, e, scheme, options.scheme, references)) {
      explicit_.emplace(*along_tree);
      carried_ = explicit_->own_size();
      in_.resize(node_size());
      return;
    }
  StepSymbols setup(system, e, scheme, system.graph.parameter("t0"), system.graph.parameter("h"), false);
  e.reference_at = [&](const Expr& symbol, const Expr& t) { return setup.reference_at(symbol, t); };
  if (options.scheme.minimal_extension) require_extendable(scheme, options.scheme);
  const Expr pace = system.graph.parameter("pace");
  setup.step.pace = pace;
  Residual residual = scheme.residual(e, setup.step, options.scheme);
  if (options.scheme.stabilise) stabilise(system, e, scheme, setup, residual);
  SoughtInputs sought;
  if (!servo.targets.empty()) sought = seek_inputs(servo, e, scheme, setup, residual);
  sought_inputs_ = sought.before.size();
  inputs_at_ = sought.at;
  expects(residual.equations.size() == setup.unknowns.size(), "as many equations as unknowns in a step");
  std::optional<SparseExprs> of_parts;
  if (e.tree && e.tree->is_large() && residual.stages.empty()) of_parts = lifted_step(setup, residual);
  std::vector<std::string> unknowns;
  for (const Expr& x : setup.unknowns) unknowns.push_back(x.name());

  Exprs arguments = setup.unknowns;
  append(arguments, {setup.step.n0.t, setup.step.h});
  node0_ = arguments.size();
  const Node& n0 = setup.step.n0;
  for (const Exprs& part : {n0.q, n0.v, n0.lambda, n0.carried, sought.before}) append(arguments, part);
  carried_ = n0.carried.size();
  const std::size_t inputs_at = arguments.size();
  for (const Exprs& u : setup.inputs) append(arguments, u);
  const std::size_t parameters_at = arguments.size();
  append(arguments, parameters(system));
  append(arguments, {pace, setup.step.part});
  Exprs instants;
  std::vector<Given> given;
  for (const StepSymbols::Given& g : setup.given)
    for (const Reference& r : references)
      if (at(r.value) == g.symbol.derivative(0)) {
        arguments.push_back(g.value);
        instants.push_back(g.t);
        given.push_back({r.function, static_cast<std::size_t>(g.symbol.order())});
      }

  const Node& n1 = setup.step.n1;
  Exprs node1;
  for (const Exprs& part : {n1.q, n1.v, n1.lambda, n1.carried, sought.mean}) append(node1, part);
  expects(node1.size() == node_size(), "a scheme sets the whole node");
  if (residual.stages.empty() || residual.stages.back() != residual.equations.size())
    residual.stages = {residual.equations.size()};  // also if others have added equations
  std::vector<Group> groups;
  std::size_t outputs = 0, first = 0;
  for (const std::size_t end : residual.stages) {
    const Exprs rows = part_of(residual.equations, first, end), sought_here = part_of(setup.unknowns, first, end);
    const SparseExprs jac = of_parts ? *std::move(of_parts) : jacobian(rows, sought_here);
    Exprs results = rows;
    append(results, jac.value);
    outputs = std::max(outputs, results.size());
    const auto kinds = setup.kinds.begin();
    Function both(arguments, results, "step");
    std::optional<CoupledStages> coupled;
    std::optional<Function> alone;
    if (options.newton.keep_factors && residual.stages.size() == 1) {
      coupled = coupled_stages(residual, setup.unknowns, scheme);
      alone = coupled ? Function(arguments, rows, "residual of the step")
                      : residual_alone(arguments, rows, both, jac.value.size());
    }
    groups.push_back({first,
                      end - first,
                      jac.pattern,
                      std::move(both),
                      std::move(alone),
                      {kinds + static_cast<std::ptrdiff_t>(first), kinds + static_cast<std::ptrdiff_t>(end)},
                      std::move(coupled),
                      residual.stages.size() > 1 && is_linear(jac, sought_here)});
    first = end;
  }
  std::optional<Function> inside, error;
  if (const std::optional<Inside>& within = residual.inside) {
    Exprs place = within->q, deviation = within->error_q;
    append(place, within->v);
    append(place, within->lambda);
    append(deviation, within->error_v);
    inside.emplace(arguments, place);
    error.emplace(arguments, deviation);
    inside_.resize(place.size());
  }
  Exprs start_arguments = {setup.step.h};
  for (const Exprs& part : {e.q, e.v, e.a, e.lambda, parameters(system)}) append(start_arguments, part);
  instant_.resize(given.size());
  for (const Given& g : given) series_.resize(std::max(series_.size(), g.order + 1));
  programs_ = std::make_shared<const Programs>(Programs{
      std::move(groups), Function(arguments, setup.guess), Function(arguments, node1),
      Function(start_arguments, scheme.start(e, setup.step.h)),
      Function(Exprs{setup.step.n0.t, setup.step.h}, instants), std::move(inside), std::move(error), std::move(given),
      residual.names, std::move(unknowns), options.newton, inputs_at, servo.targets.empty() ? system.inputs.size() : 0,
      parameters_at, system.parameters.size(), setup.fractions});
  in_.resize(arguments.size());
  set_parameters(parameter_values(system));
  out_.resize(outputs);
  if (programs_->inside) done_.resize(in_.size());
  next_.resize(std::max(setup.unknowns.size(), node1.size()));
  for (auto* x : {&last_, &approached_, &near_, &far_}) x->resize(setup.unknowns.size());
  ahead_ = Extrapolation(setup.kinds);
  if (const std::optional<CoupledStages>& coupled = programs_->groups.front().coupled)
    onward_ = StagePolynomial(scheme.rule().nodes, coupled->unknowns);
  make_newton();
}

Stepper::Stepper(const Stepper& other)
    : n_(other.n_),
      m_(other.m_),
      carried_(other.carried_),
      sought_inputs_(other.sought_inputs_),
      node0_(other.node0_),
      inputs_at_(other.inputs_at_),
      programs_(other.programs_),
      explicit_(other.explicit_),
      in_(other.in_),
      out_(other.out_),
      next_(other.next_),
      done_(other.done_),
      inside_(other.inside_),
      pace_(other.pace_),
      instant_(other.instant_),
      series_(other.series_),
      by_increments_(other.by_increments_),
      remembered_(other.remembered_),
      last_(other.last_),
      approached_(other.approached_),
      near_(other.near_),
      far_(other.far_),
      ahead_(other.ahead_),
      onward_(other.onward_),
      mended_(other.mended_),
      has_lambda_(other.has_lambda_),
      t_(other.t_) {
  newton_.reserve(other.newton_.size());
  for (const Newton& newton : other.newton_) newton_.push_back(newton.another());
  if (!explicit_) make_evaluations();
}

Stepper::~Stepper() = default;

void Stepper::make_newton() {
  newton_.reserve(programs_->groups.size());
  for (const Group& group : programs_->groups) {
    newton_.emplace_back(group.pattern, programs_->newton, group.kinds);
    if (group.linear) newton_.back().set_linear();
    if (group.coupled) newton_.back().couple(*group.coupled);
    if (group.alone) newton_.back().set_work(group.alone->work(), group.residual.work());
    if (!group.alone) newton_.back().learn_from(group.residual, group.first);
  }
  make_evaluations();
}

void Stepper::make_evaluations() {
  residual_scratch_.resize(programs_->groups.size());
  alone_scratch_.resize(programs_->groups.size());
  for (std::size_t k = 0; k < programs_->groups.size(); ++k) {
    evaluate_.emplace_back([this, k](std::span<const double> x, std::span<double> r, std::span<double> j) {
      const Group& group = programs_->groups[k];
      std::copy(x.begin(), x.end(), in_.begin() + static_cast<std::ptrdiff_t>(group.first));
      group.residual(in_, {out_.data(), r.size() + j.size()}, residual_scratch_[k]);
      std::copy_n(out_.begin(), r.size(), r.begin());
      std::copy_n(out_.begin() + static_cast<std::ptrdiff_t>(r.size()), j.size(), j.begin());
    });
    evaluate_alone_.emplace_back([this, k](std::span<const double> x, std::span<double> r) {
      const Group& group = programs_->groups[k];
      std::copy(x.begin(), x.end(), in_.begin() + static_cast<std::ptrdiff_t>(group.first));
      (*group.alone)(in_, r, alone_scratch_[k]);
    });
  }
}

}  // namespace invar

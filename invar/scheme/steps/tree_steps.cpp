// See tree_steps.h.
#include "invar/scheme/steps/tree_steps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/expr/lists.h"
#include "invar/scheme/lie.h"
#include "invar/system/articulated.h"
#include "invar/system/joint_form.h"

namespace invar {

namespace {

std::vector<Ball> balls_of(const JointTree& tree) {
  std::vector<Ball> balls;
  for (const TreeLink& link : tree.links)
    if (link.ball) balls.push_back({link.coordinate, link.turn});
  return balls;
}

// What forces and energies need, and nothing to look at.
System without_quantities(const System& system) {
  System bare = system;
  bare.outputs.clear();
  bare.invariants.clear();
  bare.shown.clear();
  bare.momenta.clear();
  bare.watched.clear();
  bare.bodies.clear();
  bare.equations_memory = new_equations_memory();
  return bare;
}

}  // namespace

// The stage of a step on the rotation group at an instant of its own.
struct NodeMultipliers::Formulas {
  Exprs arguments, results;
  Pattern pattern;
  std::vector<std::size_t> places;
  std::size_t unknowns, constraints, parameters;
  ReferenceValues given{{}, {}};

  Formulas(const System& system, const Equations& e, std::span<const Reference> references)
      : constraints(e.lambda.size()), parameters(system.parameters.size()) {
    const LieBodies bodies(e);
    places = bodies.joints();
    Graph graph = system.graph;
    Exprs sought;
    Interval at_node;
    at_node.n0.lambda = e.lambda;
    for (const Constraint& c : system.constraints) at_node.constraints.push_back(c.name);
    at_node.unknowns = [&](Kind, const Exprs& guess) {
      Exprs symbols;
      for (std::size_t i = 0; i < guess.size(); ++i) symbols.push_back(graph.parameter("at a node"));
      append(sought, symbols);
      return symbols;
    };
    Residual r;
    add_stage("node", bodies, e, at_node, r, e.t, e.q, bodies.speeds_of(e.q, e.v), e.u, {});
    unknowns = sought.size();
    SparseExprs jac = jacobian(r.equations, sought);
    pattern = jac.pattern;
    results = r.equations;
    append(results, jac.value);
    results = substitute(results, sought, Exprs(sought.size(), 0.0));
    given = ReferenceValues(results, references);
    arguments = {e.t};
    for (const Exprs& part : {e.q, e.v, e.u, invar::parameters(system), given.symbols()}) append(arguments, part);
  }
};

NodeMultipliers::NodeMultipliers(const System& system, const Equations& e, std::span<const Reference> references)
    : NodeMultipliers(Formulas(system, e, references)) {
  set_parameters(parameter_values(system));
}

NodeMultipliers::NodeMultipliers(const Formulas& f)
    : places_(f.places),
      unknowns_(f.unknowns),
      constraints_(f.constraints),
      parameters_(f.parameters),
      given_(f.given),
      equations_(f.arguments, f.results, "equations at a node"),
      solver_(f.pattern),
      in_(f.arguments.size()),
      out_(f.results.size()),
      rest_(f.unknowns) {}

NodeMultipliers::NodeMultipliers(const NodeMultipliers& other)
    : places_(other.places_),
      unknowns_(other.unknowns_),
      constraints_(other.constraints_),
      parameters_(other.parameters_),
      given_(other.given_),
      equations_(other.equations_),
      solver_(other.solver_.another()),
      in_(other.in_),
      out_(other.out_),
      rest_(other.rest_) {}

void NodeMultipliers::set_parameters(std::span<const double> values) {
  std::copy(values.begin(), values.end(),
            in_.end() - static_cast<std::ptrdiff_t>(given_.symbols().size() + parameters_));
}

void NodeMultipliers::operator()(double t, std::span<const double> q, std::span<const double> v,
                                 std::span<const double> u, std::span<double> lambda) {
  in_[0] = t;
  auto next = std::ranges::copy(q, in_.begin() + 1).out;
  next = std::ranges::copy(v, next).out;
  std::ranges::copy(u, next);
  given_(t, std::span(in_).last(given_.symbols().size()), Side::left);
  equations_(in_, out_, scratch_);
  std::ranges::fill(lambda, 0.0);
  const std::span<const double> equations = std::span(out_).first(unknowns_);
  if (solver_.factor(std::span(out_).subspan(unknowns_))) {
    std::ranges::transform(equations, rest_.begin(), [](double r) { return -r; });
    solver_.solve(rest_);
  } else {
    std::ranges::fill(rest_, std::numeric_limits<double>::quiet_NaN());
  }
  for (std::size_t k = 0; k < places_.size(); ++k) lambda[places_[k]] = rest_[unknowns_ - places_.size() + k];
}

TreeSteps::TreeSteps(ExplicitSteps steps, std::optional<Nodes> nodes, std::size_t inputs)
    : steps_(std::move(steps)), nodes_(std::move(nodes)) {
  if (!nodes_) return;
  joints_ = nodes_->start.size();
  inputs_ = inputs;
  own_size_ = 2 * joints_ + inputs_;
  mu_.resize(joints_);
  rate_.resize(joints_);
  u_.resize(inputs_);
  place_.resize(nodes_->out.size() / 2);
}

std::optional<TreeSteps> TreeSteps::of(const System& system, const Equations& e, const Scheme& scheme,
                                       const SchemeOptions& options, std::span<const Reference> references) {
  const Exprs acceleration = tree_accelerations(system, e);
  if (acceleration.size() != e.q.size()) return in_joints(system, e, scheme, options, references);
  if (acceleration.empty()) return std::nullopt;
  return TreeSteps(ExplicitSteps(system, e, acceleration, scheme.explicit_method(), references, balls_of(*system.tree)),
                   {}, 0);
}

// Steps that are to drift are taken in the coordinates that drift.
std::optional<TreeSteps> TreeSteps::in_joints(const System& system, const Equations& e, const Scheme& scheme,
                                              const SchemeOptions& options, std::span<const Reference> references) {
  const RungeKutta& method = scheme.explicit_method();
  const bool meant = scheme.info.on_rotations && !method.as_printed && options.project && !options.baumgarte;
  const TreeForm* form = meant && system.joints ? system.joints->find(system) : nullptr;
  if (form == nullptr || form->mapping.image.size() != e.q.size()) return std::nullopt;
  const System reduced = reduce(without_quantities(system), form->mapping).system;
  const Equations of_joints = equations(reduced);
  const Exprs acceleration = tree_accelerations(reduced, of_joints);
  if (acceleration.empty()) return std::nullopt;
  const JointTree& tree = *reduced.tree;

  Exprs arguments, image = form->mapping.image;
  for (const Exprs& part : {of_joints.q, of_joints.v, parameters(system)}) append(arguments, part);
  append(image, ddt(form->mapping.image));
  Nodes nodes{
      Function(arguments, image, "nodes"), NodeMultipliers(system, e, references), nullptr, form->start, {}, {}, {}};
  nodes.in.resize(arguments.size());
  nodes.out.resize(image.size());
  std::ranges::copy(form->start, nodes.in.begin());
  std::ranges::copy(parameter_values(system), nodes.in.end() - std::ssize(system.parameters));
  nodes.image(nodes.in, nodes.out, nodes.scratch);
  nodes.places = std::make_shared<const TreePlaces>(tree, system.bodies, nodes.out, form->start);
  for (std::size_t j = 0; j < form->mapping.coordinates.size(); ++j) {
    const auto found = std::ranges::find(system.coordinates, form->mapping.coordinates[j]);
    if (found != system.coordinates.end())
      nodes.named.emplace_back(j, static_cast<std::size_t>(found - system.coordinates.begin()));
  }
  return TreeSteps(ExplicitSteps(reduced, of_joints, acceleration, method, references, balls_of(tree), options.map),
                   std::move(nodes), e.u.size());
}

void TreeSteps::set_parameters(std::span<const double> values) {
  steps_.set_parameters(values);
  if (!nodes_) return;
  std::ranges::copy(values, nodes_->in.end() - std::ssize(values));
  nodes_->multipliers.set_parameters(values);
}

void TreeSteps::start(const State& state, std::span<double> own) {
  if (!nodes_) return;
  const std::span<double> mu = own.first(joints_), rate = own.subspan(joints_, joints_);
  std::ranges::copy(nodes_->start, mu.begin());
  for (const auto& [joint, coordinate] : nodes_->named) mu[joint] = state.q[coordinate];
  constexpr double near = 1e-6;  // of the lengths that there are; starts are consistent
  double length = 1.0;
  for (const double x : state.q) length = std::max(length, std::abs(x));
  if (!(nodes_->places->find(state.q, mu) <= near * length))
    throw InputError("the bodies are not where their joints allow at t = " + std::to_string(state.t));
  nodes_->places->find_rates(state.q, state.v, mu, rate);
}

void TreeSteps::write(std::span<const double> mu, std::span<const double> rate, std::span<double> q,
                      std::span<double> v) {
  std::ranges::copy(rate, std::ranges::copy(mu, nodes_->in.begin()).out);
  nodes_->image(nodes_->in, nodes_->out, nodes_->scratch);
  const auto half = nodes_->out.begin() + std::ssize(q);
  std::copy(nodes_->out.begin(), half, q.begin());
  std::copy(half, nodes_->out.end(), v.begin());
}

bool TreeSteps::advance(double t, double h, std::span<double> q, std::span<double> v, std::span<double> own,
                        const Inputs& inputs) {
  if (!nodes_) return steps_.advance(t, h, q, v, inputs);
  const std::span<double> mu = own.first(joints_), rate = own.subspan(joints_, joints_);
  if (!steps_.advance(t, h, mu, rate, inputs)) return false;
  if (inputs_ > 0) inputs(t + h, own.last(inputs_));
  write(mu, rate, q, v);
  begun_ = t;
  step_ = h;
  return true;
}

void TreeSteps::multipliers(double t, std::span<const double> q, std::span<const double> v, std::span<const double> own,
                            std::span<double> lambda) {
  nodes_->multipliers(t, q, v, own.last(inputs_), lambda);
}

void TreeSteps::error_of_step(std::span<double> q, std::span<double> v) {
  if (!nodes_) return steps_.error_of_step(q, v);
  steps_.error_of_step(mu_, rate_);
  write(steps_.begin(), mu_, v, q);  // positions are of no interest
  write(steps_.begin(), rate_, place_, v);
}

void TreeSteps::inside(double part_of_step, std::span<double> q, std::span<double> v, std::span<double> lambda,
                       const Inputs& inputs) {
  std::ranges::fill(lambda, 0.0);
  if (!nodes_) return steps_.inside(part_of_step, q, v);
  steps_.inside(part_of_step, mu_, rate_);
  write(mu_, rate_, q, v);
  const double t = begun_ + part_of_step * step_;
  if (inputs_ > 0) inputs(t, u_);
  nodes_->multipliers(t, q, v, u_, lambda);
}

std::size_t TreeSteps::instruction_count() const {
  return steps_.instruction_count() + (nodes_ ? nodes_->image.instruction_count() : 0);
}

void TreeSteps::compile(const Compiler& compiler) {
  steps_.compile(compiler);
  if (!nodes_) return;
  nodes_->image = nodes_->image.compiled(compiler);
  nodes_->multipliers.compile(compiler);
}

}  // namespace invar

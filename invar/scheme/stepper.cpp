// See stepper.h.
#include "invar/scheme/stepper.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "invar/base/error.h"
#include "invar/expr/lists.h"
#include "invar/expr/symbol_places.h"
#include "invar/scheme/difference_rule.h"
#include "invar/scheme/stabilise.h"
#include "invar/scheme/step_symbols.h"
#include "invar/system/articulated.h"
#include "invar/system/joint_tree.h"

namespace invar {

struct Stepper::Given {
  std::shared_ptr<const TimeFunction> function;
  std::size_t order;
};

struct Stepper::Group {
  std::size_t first, size;        // equations and unknowns
  Pattern pattern;                // of the Jacobian
  Function residual;              // residual, then Jacobian values
  std::optional<Function> alone;  // the residual, for factors that are kept
  std::vector<int> kinds;         // of the unknowns
  std::optional<CoupledStages> coupled = {};
};

struct Stepper::Programs {
  std::vector<Group> groups;
  Function guess;                         // first guess of the unknowns
  Function carry;                         // the new node: q, v, λ and what it carries
  Function start;                         // the same for the first node
  Function instants;                      // at which the given functions are needed, of t0 and h
  std::optional<Function> inside, error;  // q, v, λ; of q and v
  std::vector<Given> given;
  std::vector<std::string> equations, unknowns;  // names
  NewtonOptions newton;
  std::size_t inputs, input_width, parameters, parameter_count;  // places in in_ and sizes
  std::vector<double> fractions;                                 // of a step at which inputs are needed
};

namespace {

// From here on Newton's method may come from far: well begun it needs three or four iterations.
constexpr int many_iterations = 8;
constexpr int doublings = 5;  // from h/32
// Another solution differs by about a turn in some rotation; the increments of two successive steps seldom differ by so
// much.
constexpr double large_jump = 1.0;
// Two solutions that differ by more, relative to the largest unknown, are not the same.
constexpr double another = 1e-4;

double largest_difference(std::span<const double> x, std::span<const double> y) {
  double most = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) most = std::max(most, std::abs(x[i] - y[i]));
  return most;
}

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

double largest(std::span<const double> x) {
  double most = 0.0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

}  // namespace

Stepper::Stepper(const System& system, const Scheme& scheme, const StepperOptions& options,
                 std::span<const Reference> references, const Servo& servo)
    : n_(system.coordinates.size()), m_(system.constraints.size()), by_increments_(scheme.info.open_chains) {
  options.newton.check();
  Equations e = equations(system);
  if (scheme.explicit_method && servo.targets.empty()) make_explicit(system, scheme, e, references);
  if (explicit_) return;
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
    const SparseExprs jac = jacobian(rows, sought_here);
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
                      std::move(coupled)});
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
      t_(other.t_) {
  newton_.reserve(other.newton_.size());
  for (const Newton& newton : other.newton_) newton_.push_back(newton.another());
  if (!explicit_) make_evaluations();
}

Stepper::~Stepper() = default;

void Stepper::make_explicit(const System& system, const Scheme& scheme, const Equations& e,
                            std::span<const Reference> references) {
  const Exprs acceleration = tree_accelerations(system, e);
  if (acceleration.size() != n_ || n_ == 0) return;
  explicit_.emplace(system, e, acceleration, scheme.explicit_method(), references, system.tree->balls());
  in_.resize(2 * n_ + m_);
}

void Stepper::make_newton() {
  newton_.reserve(programs_->groups.size());
  for (const Group& group : programs_->groups) {
    newton_.emplace_back(group.pattern, programs_->newton, group.kinds);
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

// Counts the iterations of the group that needs most.
NewtonResult Stepper::solve_groups(std::span<double> x) {
  NewtonResult worst{NewtonStatus::converged, 0, 0.0, -1, -1};
  for (std::size_t k = 0; k < newton_.size(); ++k) {
    const Group& group = programs_->groups[k];
    const std::span<double> part = x.subspan(group.first, group.size);
    Newton& newton = newton_[k];
    NewtonResult r =
        group.alone ? newton.solve(evaluate_[k], evaluate_alone_[k], part) : newton.solve(evaluate_[k], in_, part);
    factorisations_ += static_cast<std::uint64_t>(r.factorisations);
    std::copy(part.begin(), part.end(), in_.begin() + static_cast<std::ptrdiff_t>(group.first));
    for (int* place : {&r.worst_equation, &r.singular_unknown})
      if (*place >= 0) *place += static_cast<int>(group.first);
    r.iterations = std::max(r.iterations, worst.iterations);
    if (r.status != NewtonStatus::converged) return r;
    const bool worse = worst.worst_equation < 0 || r.error > worst.error;
    const int iterations = r.iterations;
    const bool contracted = r.contracted && (k == 0 || worst.contracted);
    if (worse) worst = r;
    worst.iterations = iterations;
    worst.contracted = contracted;
  }
  return worst;
}

void Stepper::set_parameters(std::span<const double> values) {
  if (explicit_) return explicit_->set_parameters(values);
  expects(values.size() == programs_->parameter_count, "a value for every parameter");
  std::copy(values.begin(), values.end(), in_.begin() + static_cast<std::ptrdiff_t>(programs_->parameters));
}

void Stepper::start(const State& state, double h, std::span<const double> u) {
  expects(state.q.size() == n_ && state.v.size() == n_ && state.a.size() == n_ && state.lambda.size() == m_,
          "a complete state of this system");
  t_ = state.t;
  remembered_ = false;
  for (Newton& newton : newton_) newton.forget();
  ahead_.forget();
  onward_.forget();
  factored_for_ = 0.0;
  double* node = in_.data() + node0_;
  node = std::copy(state.q.begin(), state.q.end(), node);
  node = std::copy(state.v.begin(), state.v.end(), node);
  node = std::copy(state.lambda.begin(), state.lambda.end(), node);
  if (explicit_) return;
  std::vector<double> arguments = {h};
  for (const auto* part : {&state.q, &state.v, &state.a, &state.lambda})
    arguments.insert(arguments.end(), part->begin(), part->end());
  const auto parameters = in_.begin() + static_cast<std::ptrdiff_t>(programs_->parameters);
  arguments.insert(arguments.end(), parameters, parameters + static_cast<std::ptrdiff_t>(programs_->parameter_count));
  Scratch scratch;
  programs_->start(arguments, {node, carried_}, scratch);
  expects(u.size() == sought_inputs_, "a first guess of the inputs that are sought");
  std::copy(u.begin(), u.end(), node + carried_);
}

// From the right at a knot, but from the left at the end of the step.
void Stepper::evaluate_given() {
  const Programs& p = *programs_;
  if (p.given.empty()) return;
  p.instants({in_.data() + node0_ - 2, 2}, instant_, instants_scratch_);
  double* value = in_.data() + in_.size() - p.given.size();
  for (std::size_t k = 0; k < p.given.size(); ++k) {
    const std::size_t order = p.given[k].order;
    const Side side = instant_[k] > t_ ? Side::left : Side::right;
    p.given[k].function->series(instant_[k], side, {series_.data(), order + 1});
    value[k] = series_[order];
    for (std::size_t i = 2; i <= order; ++i) value[k] *= static_cast<double>(i);
  }
}

void Stepper::prepare(double h, const Inputs& inputs) {
  constexpr double same = 1e-3;  // sizes of steps that differ by rounding, or by less than the motion changes factors
  if (std::abs(h - factored_for_) > same * std::abs(h)) {
    for (Newton& newton : newton_) newton.forget_factors();
    ahead_.forget();
    factored_for_ = h;
  }
  in_[node0_ - 2] = t_;
  in_[node0_ - 1] = h;
  in_[programs_->parameters + programs_->parameter_count] = std::max(std::abs(h), pace_);
  const std::size_t width = programs_->input_width;
  if (width > 0)
    for (std::size_t k = 0; k < programs_->fractions.size(); ++k)
      inputs(t_ + programs_->fractions[k] * h, {in_.data() + programs_->inputs + k * width, width});
  evaluate_given();
}

NewtonResult Stepper::approach(double h, const Inputs& inputs, std::span<double> x) {
  NewtonResult result{};
  int iterations = 0;
  for (int k = doublings; k >= 0; --k) {
    prepare(h / (1 << k), inputs);
    if (k > doublings - 2)
      programs_->guess(in_, x, guess_scratch_);
    else  // on the straight line through the last two, in h
      for (std::size_t i = 0; i < x.size(); ++i) x[i] = 3.0 * near_[i] - 2.0 * far_[i];
    result = solve_groups(x);
    iterations += result.iterations;
    if (result.status != NewtonStatus::converged) break;
    std::swap(near_, far_);
    std::copy(x.begin(), x.end(), near_.begin());
  }
  result.iterations = iterations;
  return result;
}

bool Stepper::is_doubtful(const NewtonResult& result, double h, std::span<const double> x) const {
  if (!by_increments_)
    return result.status == NewtonStatus::converged && !result.contracted && result.iterations >= many_iterations;
  return result.status != NewtonStatus::converged || std::abs(h) * largest_difference(x, last_) > large_jump;
}

// From where the steps before lead or, if that fails, from the guess of the scheme.
NewtonResult Stepper::solve_from_guess(double h, std::span<double> x) {
  const auto guess = [&] {
    if (by_increments_)
      std::copy(last_.begin(), last_.end(), x.begin());
    else
      programs_->guess(in_, x, guess_scratch_);
  };
  guess();
  abandoned_ = 0;
  if (!ahead_.guess(x) && !onward_.guess(t_, h, x)) return solve_groups(x);
  const NewtonResult result = solve_groups(x);
  if (result.status == NewtonStatus::converged && (result.contracted || result.iterations < many_iterations))
    return result;
  ahead_.forget();
  onward_.forget();
  guess();
  abandoned_ = result.iterations;
  return solve_groups(x);
}

// By Newton's method from a guess or, where that is doubtful, by approach.
NewtonResult Stepper::solve(double h, const Inputs& inputs, std::span<double> x) {
  if (by_increments_ && !remembered_) return approach(h, inputs, x);
  prepare(h, inputs);
  NewtonResult direct = solve_from_guess(h, x);
  const bool doubtful = is_doubtful(direct, h, x);
  direct.iterations += abandoned_;
  if (!doubtful) return direct;
  NewtonResult careful = approach(h, inputs, approached_);
  careful.iterations += direct.iterations;
  if (careful.status == NewtonStatus::converged) {
    if (direct.status == NewtonStatus::converged &&
        largest_difference(x, approached_) > another * std::max(largest(x), largest(approached_)))
      ++mended_;
    std::copy(approached_.begin(), approached_.end(), x.begin());
    return careful;
  }
  prepare(h, inputs);
  return by_increments_ ? careful : direct;
}

NewtonResult Stepper::advance_explicitly(double h, const Inputs& inputs) {
  const bool done = explicit_->advance(t_, h, {in_.data(), n_}, {in_.data() + n_, n_}, inputs);
  if (done) t_ += h;
  remembered_ = done;
  return {done ? NewtonStatus::converged : NewtonStatus::singular, 0, 0.0, -1, -1};
}

NewtonResult Stepper::advance(double h, const Inputs& inputs) {
  if (explicit_) return advance_explicitly(h, inputs);
  const std::span<double> x(next_.data(), unknown_count());
  const NewtonResult result = solve(h, inputs, x);
  if (result.status != NewtonStatus::converged) return result;
  std::copy(x.begin(), x.end(), in_.begin());
  std::copy(x.begin(), x.end(), last_.begin());
  ahead_.add(x);
  onward_.keep(t_, h, x);
  remembered_ = true;
  if (programs_->inside) std::copy(in_.begin(), in_.end(), done_.begin());
  const std::size_t node = node_size();
  programs_->carry(in_, {next_.data(), node}, carry_scratch_);
  std::copy_n(next_.begin(), node, in_.begin() + static_cast<std::ptrdiff_t>(node0_));
  t_ += h;
  return result;
}

const std::string& Stepper::equation(int row) const { return programs_->equations[static_cast<std::size_t>(row)]; }
const std::string& Stepper::unknown(int column) const { return programs_->unknowns[static_cast<std::size_t>(column)]; }
std::size_t Stepper::unknown_count() const { return explicit_ ? 0 : programs_->unknowns.size(); }
const Function& Stepper::residual_function() const {
  expects(!explicit_, "a step with unknowns");
  return programs_->groups.front().residual;
}
const Pattern& Stepper::pattern() const {
  expects(!explicit_, "a step with unknowns");
  return programs_->groups.front().pattern;
}
std::size_t Stepper::instruction_count() const {
  if (explicit_) return explicit_->instruction_count();
  std::size_t count = 0;
  for (const Group& group : programs_->groups) count += group.residual.instruction_count();
  return count;
}
void Stepper::compile(const Compiler& compiler) {
  if (explicit_) return explicit_->compile(compiler);
  Programs compiled = *programs_;
  for (Group& group : compiled.groups) {
    group.residual = group.residual.compiled(compiler);
    if (group.alone) group.alone = group.alone->compiled(compiler);
  }
  programs_ = std::make_shared<const Programs>(std::move(compiled));
  for (Newton& newton : newton_) newton.compile(compiler);
}
bool Stepper::is_compiled() const {
  return explicit_ ? explicit_->is_compiled() : programs_->groups.front().residual.is_compiled();
}

bool Stepper::is_in_line() const { return std::ranges::all_of(newton_, &Newton::has_line); }

bool Stepper::knows_inside() const { return explicit_ ? explicit_->knows_inside() : programs_->inside.has_value(); }

void Stepper::error_of_step(std::span<double> q, std::span<double> v) {
  expects(knows_inside() && remembered_, "a step of a scheme that estimates its error");
  if (explicit_) return explicit_->error_of_step(q, v);
  const std::span<double> found(inside_.data(), 2 * n_);
  (*programs_->error)(done_, found, error_scratch_);
  std::copy_n(found.begin(), n_, q.begin());
  std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(n_), n_, v.begin());
}

void Stepper::inside(double part, std::span<double> q, std::span<double> v, std::span<double> lambda) {
  expects(knows_inside() && remembered_, "a step of a scheme that knows its inside");
  std::ranges::fill(lambda, 0.0);
  if (explicit_) return explicit_->inside(part, q, v);
  done_[programs_->parameters + programs_->parameter_count + 1] = part;
  (*programs_->inside)(done_, inside_, inside_scratch_);
  std::copy_n(inside_.begin(), n_, q.begin());
  std::copy_n(inside_.begin() + static_cast<std::ptrdiff_t>(n_), n_, v.begin());
  std::copy_n(inside_.begin() + static_cast<std::ptrdiff_t>(2 * n_), m_, lambda.begin());
}

void Stepper::save(Memory& memory) const {
  memory.t = t_;
  memory.node.assign(in_.begin() + static_cast<std::ptrdiff_t>(node0_),
                     in_.begin() + static_cast<std::ptrdiff_t>(node0_ + node_size()));
}

void Stepper::restore(const Memory& memory) {
  ahead_.forget();
  t_ = memory.t;
  std::copy(memory.node.begin(), memory.node.end(), in_.begin() + static_cast<std::ptrdiff_t>(node0_));
}

}  // namespace invar

// See stepper.h: nodes, and what is told of a step.
#include "invar/scheme/steps/stepper.h"

#include <algorithm>

#include "invar/base/error.h"
#include "invar/scheme/steps/stepper_programs.h"

namespace invar {

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
  has_lambda_ = true;
  if (explicit_) return explicit_->start(state, {node, carried_});
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

NewtonResult Stepper::advance_explicitly(double h, const Inputs& inputs) {
  const bool done =
      explicit_->advance(t_, h, {in_.data(), n_}, {in_.data() + n_, n_}, {in_.data() + 2 * n_ + m_, carried_}, inputs);
  if (done) {
    t_ += h;
    has_lambda_ = !explicit_->is_redundant();
  }
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

std::span<const double> Stepper::lambda() {
  const std::span<const double> found = part(2 * n_, m_);
  if (has_lambda_) return found;
  explicit_->multipliers(t_, q(), v(), part(2 * n_ + m_, carried_), {in_.data() + 2 * n_, m_});
  has_lambda_ = true;
  return found;
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
std::optional<StepFormulas> Stepper::formulas() const {
  if (explicit_ || by_increments_ || programs_->groups.size() != 1 || sought_inputs_ > 0) return std::nullopt;
  const Programs& p = *programs_;
  const Group& group = p.groups.front();
  std::vector<StepFormulas::Given> given;
  for (const Given& g : p.given) given.push_back({g.function, g.order});
  return StepFormulas{group.residual, p.guess,     p.carry,       p.start,      p.instants,
                      group.pattern,  group.kinds, p.fractions,   given,        node0_,
                      node_size(),    p.inputs,    p.input_width, p.parameters, p.parameter_count};
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

void Stepper::inside(double part, const Inputs& inputs, std::span<double> q, std::span<double> v,
                     std::span<double> lambda) {
  expects(knows_inside() && remembered_, "a step of a scheme that knows its inside");
  if (explicit_) return explicit_->inside(part, q, v, lambda, inputs);
  done_[programs_->parameters + programs_->parameter_count + 1] = part;
  (*programs_->inside)(done_, inside_, inside_scratch_);
  std::copy_n(inside_.begin(), n_, q.begin());
  std::copy_n(inside_.begin() + static_cast<std::ptrdiff_t>(n_), n_, v.begin());
  std::copy_n(inside_.begin() + static_cast<std::ptrdiff_t>(2 * n_), m_, lambda.begin());
}

void Stepper::save(Memory& memory) const {
  memory.t = t_;
  memory.has_lambda = has_lambda_;
  memory.node.assign(in_.begin() + static_cast<std::ptrdiff_t>(node0_),
                     in_.begin() + static_cast<std::ptrdiff_t>(node0_ + node_size()));
}

void Stepper::restore(const Memory& memory) {
  ahead_.forget();
  t_ = memory.t;
  has_lambda_ = memory.has_lambda;
  std::copy(memory.node.begin(), memory.node.end(), in_.begin() + static_cast<std::ptrdiff_t>(node0_));
}

}  // namespace invar

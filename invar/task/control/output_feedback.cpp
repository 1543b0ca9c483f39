// Inverse dynamics of a corrected reference: at every sample the path goes on from where the outputs are, and their
// errors decay.
//
// The derivatives of the outputs that the inversion needs, less the highest, come from the measured state and the
// inputs (with their derivatives on the path so far) by the equations of the model, so a flat system behaves as a chain
// of integrators with all poles at the wanted rate (dynamic feedback linearisation, [J. Lévine, Analysis and Control of
// Nonlinear Systems, 2009, ch. 6]). The inputs are those of the middle of the sample. An integral removes the lasting
// errors of a wrong model; it rests while inputs are limited.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "invar/base/error.h"
#include "invar/dae/stages.h"
#include "invar/system/equations.h"
#include "invar/task/control/controller.h"
#include "invar/task/control/error_path.h"
#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar {

namespace {

class OutputFeedback : public Controller {
 public:
  // InputError if the model is not flat in its outputs.
  explicit OutputFeedback(const Problem& problem);
  ~OutputFeedback() override;

  const State& wanted_start() const override { return start_; }
  std::vector<double> inputs_at_start() const override;
  void start() override;
  bool sample(const Sample& sample, std::span<double> u) override;
  std::string fault() const override { return fault_; }
  std::vector<double> memory() const override;
  void remember(std::span<const double> memory) override;

 private:
  class Forward;  // the outputs and their derivatives from a state
  bool measure(const Sample& sample);

  ControlSettings settings_;
  std::vector<std::shared_ptr<ErrorPath>> paths_;
  std::unique_ptr<InverseStructure> inverse_;
  std::unique_ptr<Forward> forward_;
  State start_;
  Jet jet_;  // of the last sample, a guess for the next
  std::vector<double> integral_, commanded_;
  std::vector<double> intended_;  // inputs at the next sample on the path, each with width_ - 1 derivatives
  std::size_t width_ = 1;
  std::vector<std::size_t> inputs_;  // their places among the unknowns
  std::string fault_;
};

// An input as it is at one instant, with its derivatives.
class KnownInput : public TimeFunction {
 public:
  std::vector<double> derivatives;

  void series(double, Side, std::span<double> out) const override {
    double factorial = 1.0;
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (k > 1) factorial *= static_cast<double>(k);
      out[k] = k < derivatives.size() ? derivatives[k] / factorial : 0.0;
    }
  }
  std::vector<double> knots() const override { return {}; }
  int smoothness() const override { return analytic; }
  std::string describe() const override { return "input"; }
};

// The equations of motion with given inputs, and the outputs as further unknowns.
Dae forward_dae(const Problem& problem, const std::vector<std::shared_ptr<KnownInput>>& held) {
  const System& system = problem.system;
  Dae dae = servo(system, problem.targets, problem.signals);
  Exprs from, to;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const std::string name = system.inputs[i].name;
    dae.references.push_back({name, system.graph.reference(name), held[i]});
    from.push_back(at(system.inputs[i].value));
    to.push_back(at(dae.references.back().value));
  }
  std::erase_if(dae.unknowns, [](const DaeUnknown& x) { return x.kind == UnknownKind::input; });
  std::erase_if(dae.equations, [](const DaeEquation& f) { return f.kind == EquationKind::servo; });
  for (DaeEquation& f : dae.equations) f.expr = substitute(f.expr, from, to);
  for (const ServoTarget& target : problem.targets) {
    const Variable y = system.graph.variable(target.output);
    dae.unknowns.push_back({target.output, y, UnknownKind::coordinate});
    dae.equations.push_back({"output " + target.output, at(y) - target.expr, EquationKind::constraint});
  }
  return dae;
}

}  // namespace

class OutputFeedback::Forward {
 public:
  explicit Forward(const Problem& problem, int highest)
      : inputs_(make_inputs(problem.system.inputs.size())),
        dae_(forward_dae(problem, inputs_)),
        evaluator_(dae_),
        offsets_(offsets(signature(dae_))),
        solver_(evaluator_, offsets_),
        first_output_(dae_.unknowns.size() - problem.targets.size()) {
    for (std::size_t i = first_output_; i < dae_.unknowns.size(); ++i)
      extra_ = std::max(extra_, highest - offsets_.d[i]);
    jet_.x.resize(dae_.unknowns.size(), {0.0});
  }

  // y_i^(0 … highest) with the inputs and their derivatives. False if there is no such motion.
  bool evaluate(const Sample& sample, std::span<const double> inputs) {
    const std::size_t width = inputs.size() / inputs_.size();
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const auto own = inputs.subspan(i * width, width);
      inputs_[i]->derivatives.assign(own.begin(), own.end());
    }
    evaluator_.forget_references();
    jet_.t = sample.t;
    for (std::size_t i = 0; i < sample.q.size(); ++i) jet_.x[i] = {sample.q[i], sample.v[i]};
    return solver_.solve(jet_, extra_).status == JetResult::Status::converged;
  }
  const Derivatives& output(std::size_t i) const { return jet_.x[first_output_ + i]; }

 private:
  static std::vector<std::shared_ptr<KnownInput>> make_inputs(std::size_t count) {
    std::vector<std::shared_ptr<KnownInput>> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(std::make_shared<KnownInput>());
    return all;
  }

  std::vector<std::shared_ptr<KnownInput>> inputs_;
  Dae dae_;
  JetEvaluator evaluator_;
  Offsets offsets_;
  StagedSolver solver_;
  std::size_t first_output_;
  int extra_ = 0;
  Jet jet_;
};

OutputFeedback::OutputFeedback(const Problem& problem) : settings_(problem.settings.of<ControlSettings>()) {
  const InverseStructure structure = analyse_inverse(problem);
  if (!structure.flat())
    throw InputError(
        "output-feedback: the outputs leave an internal dynamics, which this controller does not see; use "
        "controller = \"computed-torque\" or outputs in which the model is flat");
  Problem corrected = problem;
  int highest = 0;
  for (std::size_t i = 0; i < corrected.targets.size(); ++i) {
    const int order = std::max(1, structure.needed[i].order);
    highest = std::max(highest, order - 1);
    std::vector<Reference>& follow = corrected.targets[i].follow;
    if (follow.empty()) {
      const std::string name = corrected.targets[i].output;
      follow.push_back({name, problem.system.graph.reference(name), constant_function(0.0)});
    }
    paths_.push_back(
        std::make_shared<ErrorPath>(follow.front().function, settings_.bandwidth, order, settings_.integral));
    follow.front().function = paths_.back();
  }
  inverse_ = std::make_unique<InverseStructure>(analyse_inverse(corrected));
  forward_ = std::make_unique<Forward>(corrected, highest);
  width_ = static_cast<std::size_t>(std::max(1, highest));
  for (std::size_t j = 0; j < inverse_->dae.unknowns.size(); ++j) {
    const Derivatives& x = inverse_->start.x[j];
    if (inverse_->dae.unknowns[j].kind == UnknownKind::input) inputs_.push_back(j);
    if (inverse_->dae.unknowns[j].kind != UnknownKind::coordinate || start_.q.size() == problem.q0.size()) continue;
    start_.q.push_back(x[0]);
    start_.v.push_back(x.size() > 1 ? x[1] : 0.0);
  }
  start();
}

OutputFeedback::~OutputFeedback() = default;

std::vector<double> OutputFeedback::memory() const {
  std::vector<double> all = integral_;
  all.insert(all.end(), intended_.begin(), intended_.end());
  return all;
}

void OutputFeedback::remember(std::span<const double> memory) {
  const auto end = memory.begin() + static_cast<std::ptrdiff_t>(integral_.size());
  integral_.assign(memory.begin(), end);
  intended_.assign(end, memory.end());
  commanded_.clear();
}

std::vector<double> OutputFeedback::inputs_at_start() const {
  std::vector<double> u;
  for (const std::size_t j : inputs_) u.push_back(inverse_->start.x[j][0]);
  return u;
}

void OutputFeedback::start() {
  jet_ = inverse_->start;
  integral_.assign(settings_.integral ? paths_.size() : 0, 0.0);
  intended_.assign(inputs_.size() * width_, 0.0);
  for (std::size_t i = 0; i < inputs_.size(); ++i) intended_[i * width_] = jet_.x[inputs_[i]][0];
  commanded_.clear();
  for (const auto& path : paths_) path->clear();
}

// Sets the paths from what is measured.
bool OutputFeedback::measure(const Sample& sample) {
  const bool limited = settings_.delay == 0 && !commanded_.empty() &&
                       !std::equal(commanded_.begin(), commanded_.end(), sample.held.begin());
  if (limited) {
    std::fill(intended_.begin(), intended_.end(), 0.0);
    for (std::size_t i = 0; i < inputs_.size(); ++i) intended_[i * width_] = sample.held[i];
  }
  if (!forward_->evaluate(sample, intended_)) return false;
  for (std::size_t i = 0; i < paths_.size(); ++i) {
    const auto order = static_cast<std::size_t>(paths_[i]->order());
    std::vector<double> error(order);
    paths_[i]->followed().series(sample.t, Side::right, error);
    const Derivatives& y = forward_->output(i);
    double factorial = 1.0;
    for (std::size_t k = 0; k < order; ++k) {
      if (k > 1) factorial *= static_cast<double>(k);
      error[k] = factorial * error[k] - y[k];
    }
    if (settings_.integral) {
      const double e = error.front();
      error.insert(error.begin(), integral_[i]);
      if (!limited) integral_[i] += settings_.period * e;
    }
    paths_[i]->start(sample.t, error);
  }
  return true;
}

bool OutputFeedback::sample(const Sample& sample, std::span<double> u) {
  if (!measure(sample)) {
    fault_ = fmt::format("output-feedback: the measured state at t = {:.6g} s is none of the model", sample.t);
    return false;
  }
  Jet jet = jet_;
  jet.t = sample.t + 0.5 * settings_.period;
  jet.side = Side::right;
  inverse_->evaluator->forget_references();
  if (inverse_->solve(jet, static_cast<int>(width_) - 1).status != JetResult::Status::converged) {
    fault_ = fmt::format(
        "output-feedback: no inputs at t = {:.6g} s lead the outputs back to their trajectories; try a smaller "
        "bandwidth",
        sample.t);
    return false;
  }
  jet_ = std::move(jet);
  const Jet next = shifted(jet_, sample.t + settings_.period);
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] = jet_.x[inputs_[i]][0];
    for (std::size_t k = 0; k < width_; ++k) intended_[i * width_ + k] = next.x[inputs_[i]][k];
  }
  commanded_.assign(u.begin(), u.end());
  return true;
}

std::unique_ptr<Controller> make_output_feedback(const Problem& problem) {
  return std::make_unique<OutputFeedback>(problem);
}

}  // namespace invar

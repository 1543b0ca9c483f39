// One step of a difference rule on a Dae: the tape of residual and Jacobian, its arguments and Newton's method, stage
// by stage where there are several and that takes fewer operations (stage_solver.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "invar/dae/extend.h"
#include "invar/dae/jet.h"
#include "invar/math/newton.h"
#include "invar/scheme/difference_rule.h"
#include "invar/tape/function.h"

namespace invar {

struct DaeIntegrationOptions {
  NewtonOptions newton;
  std::vector<Dummy> dummies;   // which unknowns are derivatives of others
  std::optional<Jet> before{};  // the node before the start, where that is known
};

class DaeStep {
 public:
  DaeStep(const Dae& dae, const DifferenceRule& rule, const DaeIntegrationOptions& options);
  DaeStep(const DaeStep&) = delete;
  DaeStep& operator=(const DaeStep&) = delete;

  // Sets the first node; `h` is the size of the first step. The node before it, for rules of two steps, is by
  // expansion, or it is given: `h` then is the step between them.
  void start(const Jet& jet, double h, const Jet* before = nullptr);
  // From the node at t0 to one at t1. If Newton's method fails the node stays.
  NewtonResult advance(double t0, double t1);

  // The present node.
  double value(std::size_t unknown) const { return in_[node0_ + unknown]; }
  double rate(std::size_t unknown) const;  // NaN where it is not known

  std::string fault(const NewtonResult& result) const;
  std::size_t unknown_count() const { return names_of_unknowns_.size(); }

 private:
  struct Setup;
  DaeStep(const Dae& dae, const DifferenceRule& rule, const Setup& setup, const NewtonOptions& newton);

  void set_references(double t0, double h);
  void guess(double h);

  DifferenceRule rule_;
  std::size_t n_;                // unknowns of the Dae
  std::vector<int> rate_place_;  // of each unknown among the rates of a node, or -1
  std::vector<int> rate_dummy_;  // the unknown that is its rate, or -1
  std::size_t width_ = 0;        // numbers of a node: values, then rates
  std::size_t step_ = 0, times_ = 0, node0_ = 0, before_ = 0, given_ = 0;  // places in in_
  std::vector<Reference> references_;
  std::vector<int> reference_orders_;
  std::vector<std::string> names_of_equations_, names_of_unknowns_;
  Function function_;
  std::optional<Function> alone_;  // the residual, where stages are solved one by one
  Newton newton_;
  Newton::Evaluate evaluate_;
  Newton::Residual residual_;
  Scratch scratch_, alone_scratch_;
  // Arguments: unknowns of all stages | h, ω | times of the stages | node 0 | node before | γ, γ', … at each stage |
  // parameters
  std::vector<double> in_, out_, x_, series_;
  double last_step_ = 0.0;
};

}  // namespace invar

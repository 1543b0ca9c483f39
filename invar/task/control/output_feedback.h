// Inverse dynamics of a corrected reference: at every sample the path goes on from where the outputs are, and their errors decay.
//
// The derivatives of the outputs that the inversion needs, less the highest, come from the measured state and the inputs (with their
// derivatives on the path so far) by the equations of the model, so a flat system behaves as a chain of integrators with all poles at the wanted rate (dynamic feedback
// linearisation, [J. Lévine, Analysis and Control of Nonlinear Systems, 2009, ch. 6]). The inputs are those of the middle of the sample.
// An integral removes the lasting errors of a wrong model; it rests while inputs are limited.
#pragma once

#include <memory>

#include "invar/task/control/controller.h"
#include "invar/task/control/error_path.h"
#include "invar/task/inverse_structure/inverse_structure.h"

namespace invar {

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

}  // namespace invar

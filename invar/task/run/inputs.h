// Input signals as numbers over time.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "invar/model/problem/problem.h"
#include "invar/system/reference_values.h"
#include "invar/tape/function.h"
#include "invar/tape/point_block.h"
#include "invar/task/run/input_signal.h"

namespace invar {

// A copy shares the formulas and has its own numbers.
class InputValues {
 public:
  // One signal per input of the system at most; an input without one is zero. InputError for a signal of an unknown
  // input. `references` are the functions of time that the formulas contain.
  InputValues(const System& system, const std::vector<InputSignal>& signals,
              const std::vector<Reference>& references = {});

  // In place of those of the system.
  void set_parameters(std::span<const double> values);

  // Writes u(t). Allocates nothing after the first call. InputError if a function gives what is not finite.
  void operator()(double t, std::span<double> u);
  // At many instants: u[k*t.size() + p] is input k at t[p]. The same bits.
  void at(std::span<const double> t, std::span<double> u);

 private:
  void formulas_at(std::span<const double> t, std::span<double> u);

  struct Samples {
    std::size_t input;
    std::vector<double> time, value;
  };
  struct OfProgram {
    std::size_t input;
    std::string name;
    std::function<double(double)> function;

    double operator()(double t) const;
  };

  std::vector<std::size_t> by_formula_;  // inputs in the order of the outputs of formulas_
  ReferenceValues references_;           // in the formulas
  Function formulas_;                    // of t, the parameters and the references
  Scratch scratch_;
  std::vector<double> in_, out_;
  std::optional<PointBlock> many_;  // once it is asked for, with the parameters
  std::vector<Samples> samples_;
  std::vector<OfProgram> functions_;
};

}  // namespace invar

// All stages of the Taylor scheme written out as one formula, so that many instants are solved together.
//
// A sweep maps the Taylor coefficients X_j[0 … d_j + extra] of all unknowns to better ones: stage by stage (see
// stages.h) and block by block, with everything found so far put in,
//
//   X ← X - A⁻¹ F,   F_i[k + c_i] the coefficients of the equations, A = ∂F_i[k + c_i]/∂X_j[k + d_j] the block of J.
//
// A stage that is linear is solved by one sweep, a nonlinear one as by Newton's method: from a prediction within 1e-3
// three sweeps reach round-off. The elimination within a block is part of the formula, with pivots that serve all
// sample jets. The formula is evaluated like any other: in vector lanes over instants, or by machine code.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "invar/dae/jet.h"
#include "invar/dae/structure.h"
#include "invar/tape/function.h"

namespace invar {

class Sweep {
 public:
  // For structures without degrees of freedom. Nothing if no pivots serve all samples, or if the formula is longer than
  // `longest` nodes. Parameters at the places `own` are arguments of the sweep; the others are numbers in it.
  static std::optional<Sweep> make(const Dae& dae, const Offsets& offsets, int extra, std::span<const Jet> samples,
                                   std::size_t longest = 400000, std::span<const std::size_t> own = {});

  // From now on by machine code, where the compiler can be run.
  void compile(const Compiler& compiler) { function_ = function_.compiled(compiler).compiled_lanes(compiler); }

  // Jets at ascending instants of one smooth piece, predicted by the expansion of `from`, and solved: as many of the
  // first ones as converge. The result is good until the next call.
  struct Batch {
    std::size_t solved = 0;
    double error = 0.0;  // the last relative change of a solved jet
  };
  Batch solve(const Jet& from, std::span<const double> times);
  // Derivatives of a solved instant, and what the prediction for its values was.
  void jet(std::size_t p, Jet& result) const;
  double predicted(std::size_t p, std::size_t j) const { return predicted_[j * count_ + p]; }
  double found(std::size_t p, std::size_t j) const { return in_[first_[j] * count_ + p]; }

  std::size_t instruction_count() const { return function_.instruction_count(); }

  // What a sweep is made of: from the coefficients of the unknowns, those of the references, the instant and its own
  // parameters to better coefficients of the unknowns; coefficient n of unknown j stands at first(j) + n, up to
  // length(j).
  const Function& function() const { return function_; }
  std::size_t first(std::size_t j) const { return first_[j]; }
  std::size_t length(std::size_t j) const { return length_[j]; }
  std::size_t unknowns() const { return length_.size(); }
  int stage_order(std::size_t j) const { return d_[j]; }  // of the coefficients that tell of convergence
  const NaturalUnits& units() const { return units_; }
  const std::vector<Reference>& references() const { return references_; }
  const std::vector<std::size_t>& reference_lengths() const { return reference_lengths_; }

 private:
  Sweep(const Dae& dae, const Offsets& offsets, Function function);
  void fill(const Jet& from, std::span<const double> times);
  void evaluate();
  void relative_changes();

  Function function_;
  std::vector<Reference> references_;
  std::vector<std::size_t> reference_lengths_;
  std::vector<int> d_;
  std::vector<std::size_t> first_, length_;  // of each unknown among the coefficients
  std::size_t coefficients_ = 0, count_ = 0;
  NaturalUnits units_;
  std::vector<double> times_, ahead_, in_, out_, predicted_, series_;
  std::vector<double> size_, typical_, worst_;  // of changes
  Scratch point_scratch_, lanes_scratch_;
};

}  // namespace invar

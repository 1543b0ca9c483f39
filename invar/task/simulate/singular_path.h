// Singular configurations on the way of a simulation: where the gradients of the constraints become dependent for an
// instant.
//
// There the mechanism gains freedoms, its motion may branch, and constraint forces may grow without bound. Steps often
// go straight through; who sees a result should know. The smallest singular value σ of G, with rows and columns brought
// to one size along the whole path, is followed over at most some hundred instants, and each of its dips is searched
// for a zero.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "invar/record/summary.h"
#include "invar/system/reference.h"
#include "invar/system/state_function.h"
#include "invar/task/run/part_names.h"

namespace invar {

// The states that a simulation has passed, thinned out evenly so that there are never more than some thousand.
class PassedStates {
 public:
  void pass(double t, std::span<const double> q, std::span<const double> v);
  // Will the next one thin them out?
  bool is_full() const;
  // Those after t were not passed after all; only as long as none since then has thinned them out.
  void forget_after(double t);

  std::size_t count() const { return width_ > 0 ? numbers_.size() / width_ : 0; }
  double t(std::size_t k) const { return numbers_[k * width_]; }
  std::span<const double> q(std::size_t k) const { return part(k, 0); }
  std::span<const double> v(std::size_t k) const { return part(k, 1); }

  // To go on, see state_bytes.h.
  template <class Archive>
  void store(Archive& archive) {
    archive(passed_, stride_, width_, numbers_);
  }

 private:
  std::span<const double> part(std::size_t k, std::size_t which) const {
    const std::size_t n = (width_ - 1) / 2;
    return std::span(numbers_).subspan(k * width_ + 1 + which * n, n);
  }

  std::vector<double> numbers_;  // t, q and v of each
  std::size_t width_ = 0, passed_ = 0, stride_ = 1;
};

// The formulas are derived once; copies share them, and threads may use them together.
class SingularSearch {
 public:
  SingularSearch(const System& system, std::span<const Reference> references);

  // Not into systems of very many constraints, for which this would take longer than the steps.
  bool looks() const { return formulas_ != nullptr; }
  std::vector<Summary::SingularConfiguration> operator()(const PassedStates& path, std::span<const double> parameters,
                                                         const PartNames& names) const;

 private:
  struct Formulas;
  std::shared_ptr<const Formulas> formulas_;
};

// The same for once.
std::vector<Summary::SingularConfiguration> singular_configurations(const System& system, const PassedStates& path,
                                                                    std::span<const Reference> references,
                                                                    const PartNames& names);

// A sentence for each set of parts.
std::vector<std::string> in_words(const std::vector<Summary::SingularConfiguration>& found, const PartNames& names);

}  // namespace invar

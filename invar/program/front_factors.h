// A = L D Lᵀ of a sparse symmetric indefinite matrix with fixed pattern, front by front: an unknown for which its front
// has no stable pivot is eliminated in a later one. The number of negative eigenvalues is that of D (Sylvester's law of
// inertia). The matrix is scaled so that the largest entry of every row is about one.
//
// Meant for matrices with fronts of some ten unknowns, as a chain of intervals has, whose elimination takes less time
// than the conversation with a library for large ones.
#pragma once

#include <optional>

#include "invar/program/dense_front.h"
#include "invar/program/front_plan.h"

namespace invar {

class FrontFactors {
 public:
  // Entries at the same place are added.
  FrontFactors(std::size_t size, std::span<const SymmetricEntry> entries);

  std::size_t size() const { return size_; }

  // `values` runs parallel to the entries; the first ones tell which unknowns have a diagonal entry. False if the
  // matrix is singular.
  bool factor(std::span<const double> values, double threshold = PivotRule{}.threshold);
  // Multiplications that a factorisation takes; finds the order first.
  double work(std::span<const double> values);

  // After a successful factor():
  std::size_t negative_eigenvalues() const { return negative_; }
  void solve(std::span<double> b);  // b becomes x

 private:
  // Columns of L with the pivots of one front: of `size` unknowns the first `count` are eliminated.
  struct Eliminated {
    std::size_t size, count, name, number, end, pivot;  // places in names_, numbers_, pivots_
  };
  struct Rest {
    std::size_t name, number;  // where they begin
    std::size_t size, summed;  // unknowns left; the first of them should have been eliminated
  };

  void add_up(std::span<const double> values);
  void scale();
  void prepare(std::span<const double> values);
  bool pass(const FrontPlan::Front& front, std::size_t children, const PivotRule& rule);
  void gather(const FrontPlan::Front& front, std::size_t children);
  void keep();
  void go_forward(const Eliminated& step, std::span<double> b);
  void go_back(const Eliminated& step, std::span<double> b);

  std::size_t size_, negative_ = 0;
  std::vector<SymmetricEntry> entries_;  // without repetitions
  std::vector<std::size_t> place_;       // of the given ones among them
  std::vector<double> values_, scale_;
  std::optional<FrontPlan> plan_;
  std::vector<std::size_t> children_;  // of every front
  DenseFront front_;
  std::vector<int> front_names_, local_;
  std::vector<Rest> rests_;  // a stack
  std::vector<int> rest_names_;
  std::vector<double> rest_numbers_;
  std::vector<std::size_t> rest_places_;
  std::vector<Eliminated> steps_;
  std::vector<int> names_;
  std::vector<double> numbers_, work_;
  std::vector<DenseFront::Pivot> pivots_;
};

}  // namespace invar

// The conditions of optimality of indirect_equations.h in all intervals and nodes of a mesh, as one sparse system of
// equations.
//
// All states and costates stand in one list x₀, λ₀, x₁, λ₁, …, λ_{N-1}, x_N, so that what the rows of an interval or of
// a node depend on is a contiguous part of it. Unknown is all but x₀ and x_N; rows come in the order state, costate,
// state, …
#pragma once

#include <span>
#include <vector>

#include "invar/base/pattern.h"
#include "invar/tape/function.h"
#include "invar/task/indirect/indirect_equations.h"

namespace invar {

// Formulas of a part of the list, in all its places k, which begin at k·stride. Results are in lanes: value i at
// i·places + k.
class ListFunction {
 public:
  ListFunction(const Exprs& symbols, const Exprs& given, const Exprs& formulas, std::size_t places, std::size_t stride);

  std::size_t places() const { return places_; }
  const std::vector<double>& operator()(std::span<const double> list, std::span<const double> given);

 private:
  Function function_;
  std::size_t places_, stride_, variables_;
  std::vector<double> in_, out_;
  Scratch scratch_;
};

class IndirectMesh {
 public:
  // `parameters` are values of those of the system.
  IndirectMesh(const IndirectEquations& equations, double horizon, std::size_t intervals,
               const std::vector<double>& parameters);

  std::size_t intervals() const { return intervals_; }
  std::size_t state_size() const { return n_; }  // 2 × coordinates
  std::size_t list_size() const { return (2 * intervals_ + 1) * n_; }
  std::size_t state(std::size_t k) const { return 2 * k * n_; }          // where x_k begins in the list
  std::size_t costate(std::size_t k) const { return (2 * k + 1) * n_; }  // where λ_k begins
  const std::vector<double>& given(std::span<const double> list);        // values of the given symbols

  const Pattern& pattern() const { return pattern_; }
  std::vector<int> kinds() const;  // of the unknowns: coordinates, momenta, costates of both
  void evaluate(std::span<const double> list, std::span<double> residual, std::span<double> jacobian);

  // Replaces the costates by those that obey their equations along the states of the list and come closest to given
  // inputs, which have one row per interval and `directions` one per input. False if this leaves them undetermined.
  bool fit_costates(std::span<double> list, const std::vector<std::vector<double>>& inputs,
                    const std::vector<std::vector<double>>& directions);

 private:
  // An entry of a sparse matrix whose value stands at `source` of some list.
  struct Entry {
    std::size_t col, row, source;
    auto operator<=>(const Entry&) const = default;
  };
  // Rows with their Jacobian: the list function gives the rows, then the entries of the pattern.
  struct Rows {
    std::size_t count;
    Pattern jacobian;
    ListFunction values;
  };
  static Rows rows(const Exprs& equations, const Exprs& symbols, const Exprs& given, std::size_t places,
                   std::size_t stride);
  // Calls visit(place, column, row, source) for every entry; column and row are counted within the place.
  template <class Visit>
  static void for_each_entry(const Rows& rows, const Visit& visit);
  static Pattern sorted_pattern(std::vector<Entry>& entries, std::size_t size);

  std::size_t n_, intervals_;
  double smallness_;
  std::size_t measured_;
  std::vector<double> given_;
  Rows state_, costate_;
  std::vector<Entry> entries_;    // by columns
  std::vector<double> combined_;  // values of state_ and costate_
  Pattern pattern_;
};

}  // namespace invar

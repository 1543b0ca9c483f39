// Jets: the unknowns of a Dae and their time derivatives at one instant, and the equations differentiated along them.
//
// The total derivatives f_i^(m) come from one evaluation of the equations in truncated power series; so do those of the
// partials, from which every entry of a derivative array follows:
//   ∂f_i^(m)/∂x_j^(n) = Σ_r C(m, n-r) d^(m-n+r)/dt^(m-n+r) (∂f_i/∂x_j^(r))
#pragma once

#include <span>
#include <vector>

#include "invar/base/short_list.h"
#include "invar/dae/dae.h"
#include "invar/math/matrix.h"
#include "invar/tape/function.h"
#include "invar/tape/lane_portion.h"

namespace invar {

// An unknown and its derivatives, one after the other.
using Derivatives = ShortList<double, 5>;

struct Jet {
  double t = 0.0;
  Side side = Side::right;
  std::vector<Derivatives> x;  // x[j][n] is the n-th derivative of unknown j
};

// The n-th derivative of something with index i: an equation f_i^(n), or an unknown x_i^(n).
struct Derivative {
  int index;
  int order;
  friend bool operator==(const Derivative&, const Derivative&) = default;
};

// A first-order partial ∂f_i/∂x_j^(r) that is not identically zero.
struct Partial {
  int equation;
  int unknown;
  int order;
};

class JetEvaluator {
 public:
  enum class Needs { values, partials };  // without partials there is less to derive
  explicit JetEvaluator(const Dae& dae, Needs needs = Needs::partials);

  // f(i, m) = f_i^(m)(t) for m = 0 … order. Derivatives that the jet does not hold count as zero.
  void residuals(const Jet& jet, int order, Matrix& f);
  // p(k, s) = d^s/dt^s of partial k, s = 0 … order.
  void partials(const Jet& jet, int order, Matrix& p);
  const std::vector<Partial>& partial_list() const { return list_; }

  // Taylor coefficients f_i^(m)/m! of the equations, [i * (order + 1) + m], without a copy: good until the next call.
  std::span<const double> series(const Jet& jet, int order);
  // Those of the partials that are not constant, for the jet and order of the last call of series().
  std::span<const double> varying_series();
  // Where partial k is found there, or constant_partial, and its value if so.
  static constexpr int constant_partial = -1;
  int varying_place(std::size_t k) const { return place_[k]; }
  double constant_value(std::size_t k) const { return constant_[k]; }

  // Many jets at once, in vector lanes: f_i of jet p stands in [i * jets.size() + p], and so do, for the jets of the
  // last call, the partials that are not constant and x_j^(order), zero where a jet does not hold it. Good until the
  // next call.
  std::span<const double> values_at(std::span<const Jet* const> jets);
  std::span<const double> varying_at();
  std::span<const double> unknown_at(std::size_t j, int order) const;

  // ∂f^(m)/∂x^(n) for the given rows and columns. Where its terms stand is kept for the next call with the same ones,
  // which then allocates nothing if the matrix has its size.
  Matrix array(const Jet& jet, std::span<const Derivative> rows, std::span<const Derivative> columns);
  void array(const Jet& jet, std::span<const Derivative> rows, std::span<const Derivative> columns, Matrix& a);

  const NaturalUnits& units() const { return units_; }
  void use(const NaturalUnits& units) { units_ = units; }

  // From now on by[i][m] is added to f_i^(m), as if the references of the equation were different.
  void disturb(std::vector<std::vector<double>> by) { disturbance_ = std::move(by); }

  // Other values of the parameters of the Dae, if it was made for values alone.
  void set_parameters(std::span<const double> values);

  // For references that have changed since they were last looked at.
  void forget_references() { known_width_ = 0; }

  std::size_t size() const { return unknowns_; }
  EquationKind kind(std::size_t i) const { return kinds_[i]; }
  // Highest order in which unknown j appears.
  int highest(std::size_t j) const { return highest_[j]; }

 private:
  void fill_inputs(const Jet& jet, int order);
  void fill_references(const Jet& jet, std::size_t width, double* to);
  void fill_factorials(std::size_t width);
  void fill_lanes(std::span<const Jet* const> jets);
  std::span<const double> evaluate(const Function& function, Scratch& scratch, std::vector<double>& out);
  void lay_out_array(std::span<const Derivative> rows, std::span<const Derivative> columns);

  // A term of an entry of the derivative array: factor · d^order/dt^order of a partial.
  struct ArrayTerm {
    Eigen::Index row, column;
    std::size_t partial, order;
    double factor;
  };

  void find_partials(const Dae& dae);

  std::size_t unknowns_;
  std::vector<EquationKind> kinds_;  // by equation
  NaturalUnits units_;
  std::vector<int> highest_;
  std::vector<Reference> references_;
  std::vector<int> reference_orders_;
  std::vector<double> parameters_;
  std::vector<Partial> list_;
  std::vector<int> place_;  // of each partial among the varying ones
  std::vector<double> constant_;
  Function value_, varying_;
  Scratch value_scratch_, varying_scratch_;
  std::vector<double> in_, out_, varying_out_, factorial_;
  std::size_t width_ = 0;  // coefficients per input that in_ is laid out for
  std::vector<std::vector<double>> disturbance_;
  // The references at one instant, kept because Newton's method asks for them again and again.
  double known_t_ = 0.0;
  Side known_side_ = Side::right;
  std::size_t known_width_ = 0;
  std::vector<std::vector<double>> known_;
  // Many jets.
  std::size_t lanes_ = 0;
  std::vector<std::size_t> first_input_;  // of each unknown
  std::vector<double> lanes_in_, lanes_out_, lanes_varying_, reference_;
  Scratch lanes_scratch_, lanes_varying_scratch_;
  // Of the last array.
  std::vector<Derivative> array_rows_, array_columns_;
  std::vector<ArrayTerm> array_terms_;
  int array_order_ = 0;
};

// Jets in portions that fit into a cache, for evaluation in lanes.
template <class Visit>
void for_portions(std::span<const Jet> jets, Visit visit) {
  std::vector<const Jet*> some;
  for (const Jet& jet : jets) {
    some.push_back(&jet);
    if (some.size() < lane_portion && &jet != &jets.back()) continue;
    visit(std::span<const Jet* const>(some));
    some.clear();
  }
}

// Taylor expansion of a jet: all derivatives at t.
Jet shifted(const Jet& jet, double t);
// The same into a jet that may exist already, whose memory is used again.
void shift(const Jet& jet, double t, Jet& result);

}  // namespace invar

// Formulas of local variables with exact first and second derivatives, evaluated at many points at once.
//
// A block has rows g and a cost c. All numbers are in lanes: value i of point p stands at i·n + p.
#pragma once

#include <span>
#include <vector>

#include "invar/expr/derivative.h"
#include "invar/tape/function.h"

namespace invar {

class Block {
 public:
  // `given` are the other symbols of the formulas.
  Block(const Graph& graph, const Exprs& variables, const Exprs& given, const Exprs& rows, const Expr& cost);

  std::size_t variable_count() const { return variables_; }
  std::size_t row_count() const { return rows_; }
  const Pattern& jacobian() const { return jacobian_; }
  const Pattern& hessian() const { return hessian_; }  // row ≥ column

  // Sizes of the lists below for one point.
  std::size_t input_count() const { return inputs_; }                       // variables, given
  std::size_t weighted_input_count() const { return inputs_ + rows_ + 1; }  // variables, given, weights of g and of c

  void values(std::size_t n, std::span<const double> in, std::span<double> out);       // g, c
  void derivatives(std::size_t n, std::span<const double> in, std::span<double> out);  // jacobian(), ∂c/∂variables
  void curvature(std::size_t n, std::span<const double> in, std::span<double> out);    // hessian() of the weighted sum

 private:
  struct Formulas;
  explicit Block(const Formulas& formulas);

  std::size_t variables_, rows_, inputs_;
  Pattern jacobian_, hessian_;
  Function value_, derivative_, curvature_;
  Scratch value_scratch_, derivative_scratch_, curvature_scratch_;
};

}  // namespace invar

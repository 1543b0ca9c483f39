// See block.h.
#include "invar/task/transcription/block.h"

namespace invar {

struct Block::Formulas {
  std::size_t variables, rows;
  Exprs inputs, weighted, values, derivatives;
  SparseExprs jacobian, hessian;

  Formulas(const Graph& graph, const Exprs& x, const Exprs& given, const Exprs& g, const Expr& cost)
      : variables(x.size()), rows(g.size()), inputs(x), values(g), jacobian(invar::jacobian(g, x)) {
    inputs.insert(inputs.end(), given.begin(), given.end());
    values.push_back(cost);
    derivatives = jacobian.value;
    const Exprs slope = gradient(cost, x);
    derivatives.insert(derivatives.end(), slope.begin(), slope.end());
    Exprs weights;
    for (std::size_t i = 0; i < values.size(); ++i) weights.push_back(graph.parameter("weight"));
    weighted = inputs;
    weighted.insert(weighted.end(), weights.begin(), weights.end());
    hessian = invar::hessian(values, weights, x);
  }
};

Block::Block(const Graph& graph, const Exprs& variables, const Exprs& given, const Exprs& rows, const Expr& cost)
    : Block(Formulas(graph, variables, given, rows, cost)) {}

Block::Block(const Formulas& f)
    : variables_(f.variables),
      rows_(f.rows),
      inputs_(f.inputs.size()),
      jacobian_(f.jacobian.pattern),
      hessian_(f.hessian.pattern),
      value_(f.inputs, f.values, "rows"),
      derivative_(f.inputs, f.derivatives, "slopes of the rows"),
      curvature_(f.weighted, f.hessian.value, "curvature of the rows") {}

void Block::values(std::size_t n, std::span<const double> in, std::span<double> out) {
  value_.lanes(n, in, out, value_scratch_);
}

void Block::derivatives(std::size_t n, std::span<const double> in, std::span<double> out) {
  derivative_.lanes(n, in, out, derivative_scratch_);
}

void Block::curvature(std::size_t n, std::span<const double> in, std::span<double> out) {
  curvature_.lanes(n, in, out, curvature_scratch_);
}

}  // namespace invar

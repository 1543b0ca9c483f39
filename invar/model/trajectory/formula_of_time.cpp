// Formulas of time: the tape of the formula, run on the series of t and of the references it contains.
#include <algorithm>

#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/model/trajectory/profile.h"
#include "invar/tape/function.h"

namespace invar {
namespace {

// A reference symbol of the formula: a derivative of a given function.
struct Use {
  Expr symbol;
  TimeFunctionPtr function;
};

std::vector<Use> uses_of(const Expr& formula, std::span<const Reference> references) {
  std::vector<Use> uses;
  for (const Expr& symbol : symbols({&formula, 1})) {
    if (symbol.kind() != SymbolKind::reference) continue;
    const auto found = std::find_if(references.begin(), references.end(),
                                    [&](const Reference& r) { return at(r.value) == symbol.derivative(0); });
    expects(found != references.end(), "only known references in a formula of time");
    uses.push_back({symbol, found->function});
  }
  return uses;
}

Function tape(const Expr& formula, const std::vector<Expr>& parameters, const std::vector<Use>& uses) {
  Exprs arguments = parameters;
  for (const Use& use : uses) arguments.push_back(use.symbol);
  for (const Expr& symbol : symbols({&formula, 1}))
    if (symbol.kind() == SymbolKind::time) arguments.push_back(symbol);
  return {arguments, {&formula, 1}};
}

class FormulaOfTime final : public TimeFunction {
 public:
  FormulaOfTime(const Expr& formula, const Known& known)
      : parameters_(known.values),
        uses_(uses_of(formula, known.references)),
        smoothness_(invar::smoothness(formula, known.references)),
        function_(tape(formula, known.symbols, uses_)) {
    for (const Use& use : uses_) {
      const std::vector<double> knots = use.function->knots();
      knots_.insert(knots_.end(), knots.begin(), knots.end());
    }
    std::sort(knots_.begin(), knots_.end());
    knots_.erase(std::unique(knots_.begin(), knots_.end()), knots_.end());
  }

  void series(double t, Side side, std::span<double> out) const override {
    const std::size_t n = out.size();
    if (n == 0) return;
    std::vector<double> in(function_.input_count() * n, 0.0), whole;
    double* next = in.data();
    for (const double value : parameters_) {
      next[0] = value;
      next += n;
    }
    for (const Use& use : uses_) {
      const auto order = static_cast<std::size_t>(use.symbol.order());
      whole.resize(n + order);
      use.function->series(t, side, whole);
      for (std::size_t times = 0; times < order; ++times)  // differentiate
        for (std::size_t j = 1; j < whole.size(); ++j) whole[j - 1] = static_cast<double>(j) * whole[j];
      next = std::copy_n(whole.begin(), n, next);
    }
    if (next != in.data() + in.size()) {  // t is the last argument, if there
      next[0] = t;
      if (n > 1) next[1] = 1.0;
    }
    thread_local Scratch scratch;
    function_.taylor(static_cast<int>(n) - 1, in, out, scratch);
  }

  std::vector<double> knots() const override { return knots_; }
  int smoothness() const override { return smoothness_; }
  std::string describe() const override { return "formula"; }

 private:
  std::vector<double> parameters_;
  std::vector<Use> uses_;
  std::vector<double> knots_;
  int smoothness_;
  Function function_;
};

}  // namespace

void refuse_kinks(const Expr& formula) {
  for (const Expr& node : ordered({&formula, 1}))
    if (node.op() == Op::abs || node.op() == Op::sign)
      throw InputError(node.op() == Op::abs ? "abs has a kink; a function of time must be smooth"
                                            : "sign jumps; a function of time must be smooth");
}

TimeFunctionPtr formula_of_time(const Expr& formula, const Known& known) {
  refuse_kinks(formula);
  return std::make_shared<FormulaOfTime>(formula, known);
}

int smoothness(const Expr& formula, std::span<const Reference> references) {
  int least = TimeFunction::analytic;
  for (const Use& use : uses_of(formula, references)) {
    const int given = use.function->smoothness();
    if (given < TimeFunction::analytic) least = std::min(least, given - use.symbol.order());
  }
  return least;
}

}  // namespace invar

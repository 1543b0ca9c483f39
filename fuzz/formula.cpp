// Formulas: what is read, written and read again is the same; its derivative can be written too.
#include "fuzz/target.h"
#include "invar/base/error.h"
#include "invar/expr/derivative.h"
#include "invar/expr/parse.h"

namespace invar::fuzz {

namespace {

struct Symbols {
  Graph graph;
  Variable x = graph.variable("x"), phi = graph.variable("phi"), load = graph.variable("load.x");
  Expr m = graph.parameter("m"), g = graph.parameter("g");
  Scope scope{[this](std::string_view name, int order) { return find(name, order); },
              {"x", "phi", "load.x", "m", "g", "t"}};

  std::optional<Expr> find(std::string_view name, int order) const {
    for (const Variable* v : {&x, &phi, &load})
      if (v->name() == name && order <= 2) return at(*v, order);
    if (order > 0) return std::nullopt;
    if (name == "m") return m;
    if (name == "g") return g;
    return name == "t" ? std::optional(graph.time()) : std::nullopt;
  }
};

std::string take(std::string_view input) {
  const Symbols symbols;  // a graph of its own, so that nothing is left of it
  try {
    const Expr f = parse(input, symbols.scope);
    const std::string text = print(f);
    if (!text.ends_with("…") && print(parse(text, symbols.scope)) != text)
      throw std::logic_error("a formula is read otherwise than it was written: " + text);
    const Expr x = at(symbols.x), slope = gradient(f, {&x, 1})[0];
    return "formula " + std::to_string(std::min<std::size_t>(text.size(), 40) / 4) +
           (slope.is_constant() ? " without x" : "");
  } catch (const FormulaError& e) {
    return kind_of(e.reason());
  }
}

std::vector<std::string> corpus() {
  std::vector<std::string> formulas = {
      "m/2*(x'^2 + phi'^2)", "-m*g*x*cos(phi)", "stumpff(1, x^2) + lerch(2, x)", "atan2(x, -phi)*exp(-t)",
      "2^-3^2 + 1e-3*pi",    "abs(sign(x'')) ", "load.x' - sqrt(x^2 + 1)",       "((x))*log(1 + x^2)/tanh(t)"};
  for (const std::string& text : example_files("model.toml", 20000))
    for (std::size_t from = text.find('"'); from != text.npos;) {
      const std::size_t end = text.find('"', from + 1);
      if (end == text.npos) break;
      if (end - from > 4) formulas.push_back(text.substr(from + 1, end - from - 1));
      from = text.find('"', end + 1);
    }
  return formulas;
}

}  // namespace

const Target formula = {"formula",
                        take,
                        corpus,
                        {"x",
                         "x'",
                         "x''",
                         "phi",
                         "load.x",
                         "m",
                         "t",
                         "pi",
                         "sin(",
                         "cos(",
                         "tan(",
                         "asin(",
                         "acos(",
                         "atan(",
                         "sinh(",
                         "cosh(",
                         "tanh(",
                         "exp(",
                         "log(",
                         "sqrt(",
                         "abs(",
                         "sign(",
                         "atan2(",
                         "stumpff(",
                         "lerch(",
                         "1e400",
                         "1e-400",
                         "1e308",
                         "0",
                         "-",
                         "^",
                         "/",
                         "*",
                         "(",
                         ")",
                         ",",
                         "'",
                         ".",
                         "e",
                         "2147483648",
                         "9007199254740993",
                         "((((((((",
                         "))))))))",
                         "-(-(-(",
                         "^^"}};

}  // namespace invar::fuzz

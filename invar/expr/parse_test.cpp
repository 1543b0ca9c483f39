// Laws of the formula reader and writer: what text means, what wrong text is told, and that nothing is lost on the way.
#include "invar/expr/parse.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "invar/expr/expr_test_support.h"
#include "invar/expr/op_names.h"
#include "invar/expr/random_expr.h"

namespace invar {
namespace {

// Variables x, phi, load.x with two derivatives, parameters m, boom, time t.
class Formulas : public testing::Test {
 protected:
  Formulas() {
    for (const char* name : {"x", "phi", "load.x"}) variables_.push_back(graph_.variable(name));
    for (const char* name : {"m", "boom"}) parameters_.push_back(graph_.parameter(name));
    for (const Variable& v : variables_)
      for (int order = 0; order <= 2; ++order) symbols_.push_back(at(v, order));
    symbols_.insert(symbols_.end(), parameters_.begin(), parameters_.end());
    symbols_.push_back(graph_.time());
    scope_.find = [this](std::string_view name, int order) -> std::optional<Expr> {
      for (const Expr& s : symbols_)
        if (s.name() == name && s.order() == order) return s;
      return std::nullopt;
    };
    scope_.names = {"x", "phi", "load.x", "m", "boom", "t"};
  }

  Expr read(std::string_view text) const { return parse(text, scope_); }
  double value(const Expr& f) const { return test::value_at(f, symbols_, point_); }
  std::string message(std::string_view text) const {
    try {
      return "no error, but " + print(read(text));
    } catch (const FormulaError& error) {
      return error.what();
    }
  }

  Graph graph_;
  std::vector<Variable> variables_;
  Exprs parameters_, symbols_;
  Scope scope_;
  // x x' x'' phi phi' phi'' load.x load.x' load.x'' m boom t
  std::vector<double> point_ = {0.7, -1.3, 2.1, 0.4, 0.9, -0.6, 1.7, 0.3, -2.2, 2.5, 3.5, 0.8};
};

TEST_F(Formulas, MeanWhatTheSameTextMeansInMathematics) {
  const double x = 0.7, dx = -1.3, ddx = 2.1, phi = 0.4, load = 1.7, m = 2.5, boom = 3.5, t = 0.8;
  const struct {
    const char* text;
    double expected;
  } table[] = {
      {"1", 1.0},
      {"1.5", 1.5},
      {".5", 0.5},
      {"1.", 1.0},
      {"1e-3", 1e-3},
      {"2.E+4", 2e4},
      {"0.1E1", 1.0},
      {"pi", std::numbers::pi},
      {"x", x},
      {"x'", dx},
      {"x''", ddx},
      {"load.x", load},
      {"  x\t+\n m ", x + m},
      {"1+2*3", 7.0},
      {"(1+2)*3", 9.0},
      {"10-4-3", 3.0},
      {"10-(4-3)", 9.0},
      {"24/4/2", 3.0},
      {"24/(4/2)", 12.0},
      {"24/4*2", 12.0},
      {"2^3^2", 512.0},
      {"(2^3)^2", 64.0},
      {"2^-3", 0.125},
      {"2^-1^2", 0.5},
      {"-2^2", -4.0},
      {"(-2)^2", 4.0},
      {"-x^2", -(x * x)},
      {"2*-x", 2 * -x},
      {"2--x", 2 + x},
      {"2+-x", 2 - x},
      {"--x", x},
      {"+x", x},
      {"-+-x", x},
      {"-x*m", -x * m},
      {"m-x*phi", m - x * phi},
      {"m/x*phi", m / x * phi},
      {"m/2*(x'^2 + phi^2)", m / 2 * (dx * dx + phi * phi)},
      {"x^m^-phi", std::pow(x, std::pow(m, -phi))},
      {"-x^-m", -std::pow(x, -m)},
      {"sin(x)^2", std::sin(x) * std::sin(x)},
      {"-sin(x)", -std::sin(x)},
      {"sin (x)", std::sin(x)},
      {"cos(tan(x))", std::cos(std::tan(x))},
      {"asin(phi)+acos(phi)", std::asin(phi) + std::acos(phi)},
      {"atan(m)", std::atan(m)},
      {"atan2(x', x)", std::atan2(dx, x)},
      {"atan2(x, x')", std::atan2(x, dx)},
      {"atan2((x), -(x'+m))", std::atan2(x, -(dx + m))},
      {"sinh(x)-cosh(x)+tanh(x)", std::sinh(x) - std::cosh(x) + std::tanh(x)},
      {"exp(-t)*log(boom)", std::exp(-t) * std::log(boom)},
      {"sqrt(m)", std::sqrt(m)},
      {"abs(x')", 1.3},
      {"sign(x')", -1.0},
      {"stumpff(0, x^2)", std::cos(x)},
      {"stumpff(1, x^2)", std::sin(x) / x},
      {"lerch(1, x^2)", std::atanh(x) / x},
  };
  for (const auto& [text, expected] : table) {
    const double rounding = 8 * std::numeric_limits<double>::epsilon() * std::max(1.0, std::abs(expected));
    EXPECT_NEAR(value(read(text)), expected, rounding) << text;
  }
}

TEST_F(Formulas, AreTheSameNodeHoweverTheyAreSpaced) {
  EXPECT_EQ(read("m/2*(x'^2+phi'^2)"), read(" m / 2 *\n( x' ^ 2 + phi' ^ 2 ) "));
  EXPECT_EQ(read("-x^2"), read("-(x^2)"));
  EXPECT_EQ(read("2^3^x"), read("2^(3^x)"));
}

TEST_F(Formulas, ThatAreWrongAreToldWhatAndWhere) {
  const struct {
    std::string text, reason;
    int column;
  } table[] = {
      {"", "empty formula", 1},
      {"  ", "empty formula", 1},
      {"m*(x'^2", "expected ')'", 8},
      {"sin(x", "expected ')'", 6},
      {"((x)", "expected ')'", 5},
      {"x)", "unmatched ')'", 2},
      {")", "unmatched ')'", 1},
      {"(x))*2", "unmatched ')'", 4},
      {"x+", "expected an operand", 3},
      {"x + ", "expected an operand", 5},
      {"-", "expected an operand", 2},
      {"*x", "expected an operand", 1},
      {"x*/m", "expected an operand", 3},
      {"x**2", "expected an operand; a power is written with ^", 3},
      {"()", "expected an operand", 2},
      {"(x+)", "expected an operand", 4},
      {"(", "expected an operand", 2},
      {"'", "expected an operand", 1},
      {"sin(,x)", "expected an operand", 5},
      {"sin(x,)", "expected an operand", 7},
      {"x = 1", "unexpected character '='", 3},
      {"m$", "unexpected character '$'", 2},
      {"x[1]", "unexpected character '['", 2},
      {"x.", "unexpected character '.'", 2},
      {".", "unexpected character '.'", 1},
      {"x²", "unexpected character '²'; write ^2", 2},
      {"m·x", "unexpected character '·'; write *", 2},
      {"m − x", "unexpected character '−'; write -", 3},
      {"φ", "unexpected character 'φ'; names use the letters a-z and A-Z, digits and _", 1},
      {"bom*x", "unknown name \"bom\"; did you mean \"boom\"?", 1},
      {"x + Boom", "unknown name \"Boom\"; did you mean \"boom\"?", 5},
      {"load.y'", "unknown name \"load.y\"; did you mean \"load.x\"?", 1},
      {"wheel", "unknown name \"wheel\"", 1},
      {"PI", "unknown name \"PI\"; did you mean \"pi\"?", 1},
      {"sine(x)", "unknown function \"sine\"; did you mean \"sin\"?", 1},
      {"f(x)", "unknown function \"f\"", 1},
      {"ln(x)", "unknown function \"ln\"; write log(x)", 1},
      {"m*np.sin(x)", "unknown function \"np.sin\"; write sin(x)", 3},
      {"der(x)", "unknown function \"der\"; write x' for the velocity of x", 1},
      {"math.pi", "unknown name \"math.pi\"; write pi", 1},
      {"xdot^2", "unknown name \"xdot\"; write x'", 1},
      {"x_ddot", "unknown name \"x_ddot\"; write x''", 1},
      {"mdot", "unknown name \"mdot\"", 1},
      {"10 s", "\"s\" behind a number: values are SI without units, and a product is written with *", 4},
      {"m(x)", "\"m\" is not a function; write m*(...) for a product", 2},
      {"sin x", "function sin needs parentheses, as in sin(x)", 1},
      {"2*atan2", "function atan2 needs parentheses, as in atan2(y, x)", 3},
      {"atan2(x)", "atan2 takes 2 arguments, got 1", 1},
      {"1+atan2(x,m,t)", "atan2 takes 2 arguments, got 3", 3},
      {"sin(x, m)", "sin takes 1 argument, got 2", 1},
      {"sin()", "sin takes 1 argument, got 0", 1},
      {"m'", "\"m\" is a parameter and has no derivative", 1},
      {"x + t'", "the time \"t\" cannot carry a prime", 5},
      {"pi'", "the number pi has no derivative", 1},
      {"sin'(x)", "function sin cannot carry a prime", 1},
      {"2'", "a number has no derivative", 2},
      {"(x+m)'", "only a name can carry a prime", 6},
      {"x '", "a prime must follow its name without a space", 3},
      {"x'''", "\"x'''\": no third derivative here", 1},
      {"m*x''''''''''", "\"x''''''''''\": no derivative of order 10 here", 3},
      {"1e999", "number 1e999 is too large", 1},
      {"2*1e-999", "number 1e-999 is too small", 3},
      {"1.2.3", "malformed number \"1.2.3\"", 1},
      {"x+1..2", "malformed number \"1..2\"", 3},
      {"1e", "malformed number \"1e\"", 1},
      {"1e+", "malformed number \"1e+\"", 1},
      {"2x", "missing operator; write 2*x", 2},
      {"2(x)", "missing operator; write 2*(...)", 2},
      {"2exp(x)", "missing operator; write 2*exp(...)", 2},
      {"(x)(m)", "missing operator; write (...)*(...)", 4},
      {"x' m", "missing operator; write x'*m", 4},
      {"sin(x) 2", "missing operator; write (...)*2", 8},
      {"x, m", "',' outside the arguments of a function", 2},
      {"sin((x,m))", "',' outside the arguments of a function", 7},
      {"1,5*x", "unexpected ','; decimals are written with a point", 2},
      {"1/0", "division by zero or overflow", 2},
      {"x/(m-m)", "division by zero or overflow", 2},
      {"log(0)", "the result is not a finite number", 1},
      {"sqrt(-1)*x", "the result is not a finite number", 1},
      {"1e300*x*1e300", "the result is not a finite number", 8},
      {"stumpff(x, 1)", "the first argument of stumpff must be a whole number from 0 to 100", 1},
      {"lerch(0, x)", "the first argument of lerch must be a whole number from 1 to 100", 1},
      {"lerch(1.5, x)", "the first argument of lerch must be a whole number from 1 to 100", 1},
  };
  for (const auto& [text, reason, column] : table)
    EXPECT_EQ(message(text), reason + " at column " + std::to_string(column) + " of \"" + text + "\"");
}

TEST_F(Formulas, ThatHoldStrangeBytesAreShownOnOneSafeLine) {
  const struct {
    const char* text;
    const char* expected;
  } table[] = {
      {"x\x01", "unexpected control character 0x01 at column 2 of \"x\uFFFD\""},
      {"x\x7f", "unexpected control character 0x7f at column 2 of \"x\uFFFD\""},
      {"x+\xff", "unexpected byte 0xff at column 3 of \"x+\uFFFD\""},
      {"x+\xe2\x88", "unexpected byte 0xe2 at column 3 of \"x+\uFFFD\uFFFD\""},
      {"x\u2028", "unexpected invisible character at column 2 of \"x\uFFFD\""},
      {"x\n+\t$", "unexpected character '$' at column 5 of \"x + $\""},
  };
  for (const auto& [text, expected] : table) EXPECT_EQ(message(text), expected);
}

TEST_F(Formulas, ThatAreWrongAndLongShowTheSurroundingsOnly) {
  const std::string many(1000, '1');
  EXPECT_EQ(message("x+" + many + "$"),
            "number " + std::string(40, '1') + "… is too large at column 3 of \"x+" + std::string(58, '1') + "…\"");
  std::string sum = "x";
  while (sum.size() < 1000) sum += "+x";
  EXPECT_EQ(message(sum + "$"), "unexpected character '$' at column " + std::to_string(sum.size() + 1) + " of \"…" +
                                    (sum + "$").substr(sum.size() + 1 - 60) + "\"");
  EXPECT_EQ(message("x$\n" + sum), "unexpected character '$' at column 2 of \"x$ " + sum.substr(0, 57) + "…\"");
}

TEST_F(Formulas, KnowOnlyNumbersInAnEmptyScope) {
  EXPECT_EQ(parse("2*pi", Scope{}), Expr(2 * std::numbers::pi));
  EXPECT_THROW(parse("x", Scope{}), FormulaError);
}

TEST_F(Formulas, MayBeNestedAndLongWithoutEnd) {
  const int depth = 100000, count = 1000000;
  EXPECT_EQ(read(std::string(depth, '(') + "x" + std::string(depth, ')')), read("x"));
  EXPECT_EQ(read(std::string(depth, '-') + "x"), read("x"));
  EXPECT_THROW(read(std::string(depth, '(')), FormulaError);
  std::string towers, calls, sum = "1";
  for (int i = 0; i < depth; ++i) towers += "x^", calls += "sin(";
  EXPECT_EQ(read(print(read(towers + "m"), std::size_t{1} << 30)), read(towers + "m"));
  const Expr nest = read(calls + "x" + std::string(depth, ')'));
  EXPECT_EQ(read(print(nest)), nest);
  for (int i = 1; i < count; ++i) sum += "+x^" + std::to_string(i % 1000 + 2);
  EXPECT_EQ(read(sum).op(), Op::add);
}

TEST_F(Formulas, ArePrintedWithFewParentheses) {
  // The operands of + and * come in order of age, in which the fixture's parameters are first.
  for (const char* text :
       {"x",          "x''",     "load.x'",      "-x",         "x - 2",           "2*x",           "-2*x",
        "0.5*m*x'^2", "m*x*phi", "-m*x",         "m/x",        "1/x^2",           "m + x + t",     "x - (m + t)",
        "t*(m + x)",  "m*x/phi", "x/(m*phi)",    "2^x",        "(-2)^x",          "x^m^t",         "(x^m)^t",
        "x^-m",       "-x^2",    "(-x)^m",       "sin(x)^2",   "atan2(x, 1 + m)", "stumpff(2, x)", "1e+30*x",
        "2/x",        "-2/x",    "-((x - m)/t)", "2*(x - m)/t"})
    EXPECT_EQ(print(read(text)), text);
  EXPECT_EQ(print(1.0 / 3.0), "0.3333333333333333");
  EXPECT_EQ(print(-1.5), "-1.5");
  EXPECT_THROW(print(std::numeric_limits<double>::infinity()), ContractViolation);
}

TEST_F(Formulas, TooLongToPrintAreCutOffAndNotReadBack) {
  Expr f = read("x");
  for (int i = 0; i < 100; ++i) f = sin(f) * cos(f);
  const std::string text = print(f, 1000);
  EXPECT_LE(text.size(), 1000 + std::string("…").size());
  EXPECT_TRUE(text.ends_with("…"));
  EXPECT_THROW(read(text), FormulaError);
  EXPECT_LT(print(f).size(), std::size_t{2} << 20);
}

TEST_F(Formulas, SurvivePrintingAndReading) {
  std::mt19937_64 random(1);
  int compared = 0;
  for (int i = 0; i < 10000; ++i) {
    const auto domain = i % 2 == 0 ? test::Domain::smooth : test::Domain::any;
    const Expr f = test::random_expr(random, symbols_, 1 + i % 20, domain);
    std::string text;
    try {
      text = print(f);
    } catch (const ContractViolation&) {
      continue;  // a random operation on numbers gave infinity
    }
    const Expr g = read(text);
    ++compared;
    EXPECT_TRUE(f == g) << text << "\n" << print(g);
    const double before = value(f), after = value(g);
    EXPECT_TRUE(before == after || (std::isnan(before) && std::isnan(after))) << text;
  }
  EXPECT_GT(compared, 9000);
}

TEST_F(Formulas, OfAnyBytesAreReadOrRefused) {
  const std::string seed_texts[] = {"m/2*(x'^2 + phi'^2)", "atan2(x, load.x)-1e-3", "-2^-x''*sin(pi*t)",
                                    "stumpff(1,x^2)/.5"};
  const std::string alphabet = "xm.'()+-*/^, 0123456789eE\t\n_pi\xc2\xb7\xff$sincot";
  std::mt19937_64 random(2);
  int read_well = 0;
  for (int i = 0; i < 100000; ++i) {
    std::string text = i % 4 == 0 ? "" : seed_texts[test::pick(random, 4)];
    const std::size_t edits = 1 + test::pick(random, i % 4 == 0 ? 30 : 4);
    for (std::size_t k = 0; k < edits; ++k) {
      const std::size_t place = test::pick(random, text.size() + 1);
      const auto any = static_cast<char>(test::pick(random, 256));
      const char c = i % 8 == 0 ? any : alphabet[test::pick(random, alphabet.size())];
      if (place < text.size() && test::pick(random, 2) == 0)
        text[place] = c;
      else if (place < text.size() && test::pick(random, 3) == 0)
        text.erase(place, 1 + test::pick(random, 3));
      else
        text.insert(place, 1, c);
    }
    try {
      const Expr f = read(text);
      EXPECT_EQ(read(print(f)), f) << text;
      ++read_well;
    } catch (const FormulaError& error) {
      EXPECT_GE(error.column(), 1) << text;
      EXPECT_LE(error.column(), static_cast<int>(text.size()) + 1) << text;
      EXPECT_EQ(std::string(error.what()).find_first_of("\n\r\t"), std::string::npos) << text;
    }
  }
  EXPECT_GT(read_well, 1000);  // else the mutations are too wild to test anything
}

TEST(OpNames, AreReserved) {
  for (const OpName& f : op_names) {
    const Scope scope{[](std::string_view, int) { return Expr(1.0); }, {std::string(f.name)}};
    EXPECT_THROW(parse(f.name, scope), FormulaError) << f.name;
    EXPECT_EQ(find_op(f.op), &f);
  }
}

}  // namespace
}  // namespace invar

// Reads a formula by operator precedence with an explicit stack, so that no nesting is too deep for it
// [E. W. Dijkstra, Algol 60 translation, report MR 35, Mathematisch Centrum Amsterdam (1961)].
#include "invar/expr/parse.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "invar/base/characters.h"
#include "invar/base/message.h"
#include "invar/expr/foreign_words.h"
#include "invar/expr/op_names.h"
#include "invar/expr/token.h"

namespace invar {
namespace {

constexpr int highest_family_member = 100;  // of stumpff and lerch; 1/k! leaves double precision at k = 170

// An operator or opening parenthesis that waits for its last operand.
struct Pending {
  enum class Kind { group, call, prefix, binary };
  Kind kind;
  std::size_t begin;
  Op op = Op::negate;
  int strength = 0;                  // sums 1, products 2, sign 3, powers 4
  const OpName* function = nullptr;  // of a call
  int arguments = 1;                 // of a call, so far
};

// As a factor in a message: the operand that a token begins or ends.
std::string factor(const Token& token) {
  if (token.kind == Token::Kind::sign) return "(...)";
  if (token.kind == Token::Kind::name && find_op(token.text)) return std::string(token.text) + "(...)";
  return excerpt(token.text, 20) + std::string(static_cast<std::size_t>(std::min(token.primes, 3)), '\'');
}

std::string ordinal(int order) {
  constexpr const char* words[] = {"first", "second",  "third",  "fourth", "fifth",
                                   "sixth", "seventh", "eighth", "ninth"};
  return order <= 9 ? std::string(words[order - 1]) + " derivative" : "derivative of order " + std::to_string(order);
}

// Whether the numbers that the last simplification brought to the top are finite.
bool is_finite(const Expr& e) {
  if (e.is_constant()) return std::isfinite(e.value());
  const Expr top = e.op() == Op::negate ? e.a() : e;
  for (int k = 0; k < top.arity(); ++k) {
    const Expr operand = k == 0 ? top.a() : top.b();
    if (operand.is_constant() && !std::isfinite(operand.value())) return false;
  }
  return true;
}

class Parser {
 public:
  Parser(std::string_view text, const Scope& scope) : text_(text), scope_(scope) {}

  Expr run() {
    token_ = next_token(text_, 0);
    if (token_.kind == Token::Kind::end) fail("empty formula", 0);
    for (;;) {
      if (needs_operand_)
        read_operand();
      else if (token_.kind == Token::Kind::end)
        break;
      else
        read_operator();
      previous_ = token_;
      token_ = next_token(text_, token_.end);
    }
    reduce(0);
    if (!pending_.empty()) fail("expected ')'", token_.begin);
    return values_.back();
  }

 private:
  [[noreturn]] void fail(std::string reason, std::size_t begin) const {
    throw FormulaError(std::move(reason), static_cast<int>(begin) + 1, text_);
  }

  bool in_call() const { return !pending_.empty() && pending_.back().kind == Pending::Kind::call; }
  bool any_open() const {
    return std::any_of(pending_.begin(), pending_.end(), [](const Pending& p) { return p.strength == 0; });
  }

  void push_value(const Expr& value) {
    values_.push_back(value);
    needs_operand_ = false;
  }

  void read_operand() {
    if (token_.kind == Token::Kind::number)
      push_value(token_.value);
    else if (token_.kind == Token::Kind::name)
      read_name();
    else if (token_.is('('))
      pending_.push_back({Pending::Kind::group, token_.begin});
    else if (token_.is('-') || token_.is('+'))
      read_sign();
    else
      fail_operand();
  }

  void read_sign() {  // a plus asks for an operand and does nothing to it
    if (token_.is('-')) pending_.push_back({Pending::Kind::prefix, token_.begin, Op::negate, 3});
  }

  [[noreturn]] void fail_operand() const {
    if (token_.is(')') && in_call() && previous_.is('(')) fail_arguments(pending_.back(), 0);
    if (token_.is(')') && !any_open()) fail("unmatched ')'", token_.begin);
    if (token_.is('*') && previous_.is('*') && previous_.end == token_.begin)
      fail("expected an operand; a power is written with ^", token_.begin);
    fail("expected an operand", token_.begin);
  }

  [[noreturn]] void fail_arguments(const Pending& call, int got) const {
    const int wanted = call.function->arguments;
    fail(std::string(call.function->name) + " takes " + std::to_string(wanted) +
             (wanted == 1 ? " argument" : " arguments") + ", got " + std::to_string(got),
         call.begin);
  }

  void read_name() {
    const Token next = opening();
    if (const OpName* function = find_op(token_.text)) {
      if (token_.primes > 0) fail("function " + std::string(token_.text) + " cannot carry a prime", token_.begin);
      if (!next.is('('))
        fail("function " + std::string(token_.text) + " needs parentheses, as in " + std::string(function->usage),
             token_.begin);
      pending_.push_back({Pending::Kind::call, token_.begin, function->op, 0, function});
      token_ = next;
      return;
    }
    if (token_.text == "pi") {
      if (token_.primes > 0) fail("the number pi has no derivative", token_.begin);
      return push_value(std::numbers::pi);
    }
    if (const std::optional<Expr> symbol = look_up(token_.primes)) return push_value(*symbol);
    fail_name(next);
  }

  std::optional<Expr> look_up(int order) const {
    return scope_.find ? scope_.find(token_.text, order) : std::nullopt;  // an empty scope is for plain numbers
  }

  // The '(' after a name, or an empty token if something else follows, which is looked at in its turn.
  Token opening() const {
    const std::size_t i = text_.find_first_not_of(" \t\n\r", token_.end);
    return i != std::string_view::npos && text_[i] == '(' ? next_token(text_, i) : Token{};
  }

  [[noreturn]] void fail_name(const Token& next) const {
    const std::optional<Expr> itself = token_.primes > 0 ? look_up(0) : std::nullopt;
    if (itself) fail_derivative(*itself);
    const std::string name(token_.text);
    if (std::find(scope_.names.begin(), scope_.names.end(), name) != scope_.names.end())
      fail(in_quotes(name) + " cannot be used here", token_.begin);
    std::string way_out = next.is('(') ? foreign_function(name) : foreign_name(name, [this](std::string_view base) {
      return scope_.find && scope_.find(base, 1).has_value();
    });
    std::vector<std::string> known;
    if (next.is('(')) {
      for (const OpName& f : op_names) known.emplace_back(f.name);
    } else {
      known = scope_.names;
      known.emplace_back("pi");
    }
    if (way_out.empty()) way_out = suggestion(name, known);
    fail((next.is('(') ? "unknown function " : "unknown name ") + in_quotes(name) + way_out, token_.begin);
  }

  [[noreturn]] void fail_derivative(const Expr& itself) const {
    if (itself.op() != Op::symbol || itself.kind() == SymbolKind::parameter)
      fail(in_quotes(token_.text) + " is a parameter and has no derivative", token_.begin);
    if (itself.kind() == SymbolKind::time)
      fail("the time " + in_quotes(token_.text) + " cannot carry a prime", token_.begin);
    const std::string_view with_primes = text_.substr(token_.begin, token_.end - token_.begin);
    fail(in_quotes(with_primes) + ": no " + ordinal(token_.primes) + " here", token_.begin);
  }

  void read_operator() {
    if (token_.is('+') || token_.is('-')) return push_binary(token_.is('+') ? Op::add : Op::subtract, 1);
    if (token_.is('*') || token_.is('/')) return push_binary(token_.is('*') ? Op::multiply : Op::divide, 2);
    if (token_.is('^')) return push_binary(Op::power, 4);
    if (token_.is(')')) return close();
    if (token_.is(',')) return separate();
    if (token_.is('\'')) fail_prime();
    if (previous_.kind == Token::Kind::name && token_.is('('))
      fail(in_quotes(previous_.text) + " is not a function; write " + factor(previous_) + "*(...) for a product",
           token_.begin);
    const bool is_unit = previous_.kind == Token::Kind::number && token_.kind == Token::Kind::name &&
                         token_.text != "pi" && !find_op(token_.text) && !look_up(token_.primes);
    if (is_unit)
      fail(in_quotes(token_.text) + " behind a number: values are SI without units, and a product is written with *",
           token_.begin);
    fail("missing operator; write " + factor(previous_) + "*" + factor(token_), token_.begin);
  }

  [[noreturn]] void fail_prime() const {
    if (previous_.kind == Token::Kind::number) fail("a number has no derivative", token_.begin);
    if (previous_.kind == Token::Kind::name) fail("a prime must follow its name without a space", token_.begin);
    fail("only a name can carry a prime", token_.begin);
  }

  void push_binary(Op op, int strength) {
    reduce(op == Op::power ? strength + 1 : strength);  // powers group from the right
    pending_.push_back({Pending::Kind::binary, token_.begin, op, strength});
    needs_operand_ = true;
  }

  // Applies the waiting operators that hold at least this tightly, up to the innermost open parenthesis.
  void reduce(int strength) {
    while (!pending_.empty() && pending_.back().strength > 0 && pending_.back().strength >= strength) {
      const Pending top = pending_.back();
      pending_.pop_back();
      const Expr b = values_.back();
      if (top.kind == Pending::Kind::prefix) {
        values_.back() = -b;
        continue;
      }
      values_.pop_back();
      store(apply(top.op, values_.back(), b), top);
    }
  }

  void store(const Expr& result, const Pending& top) {
    if (!is_finite(result)) fail_value(top);
    values_.back() = result;
  }

  [[noreturn]] void fail_value(const Pending& top) const {
    if (top.op == Op::divide) fail("division by zero or overflow", top.begin);
    fail("the result is not a finite number", top.begin);
  }

  void close() {
    reduce(1);
    if (pending_.empty()) fail("unmatched ')'", token_.begin);
    const Pending top = pending_.back();
    pending_.pop_back();
    if (top.kind == Pending::Kind::call) call(top);
  }

  void separate() {
    reduce(1);
    if (!in_call()) {
      const char next = token_.end < text_.size() ? text_[token_.end] : '\0';
      const bool decimal = previous_.kind == Token::Kind::number && next >= '0' && next <= '9';
      fail(decimal ? "unexpected ','; decimals are written with a point" : "',' outside the arguments of a function",
           token_.begin);
    }
    ++pending_.back().arguments;
    needs_operand_ = true;
  }

  void call(const Pending& top) {
    if (top.arguments != top.function->arguments) fail_arguments(top, top.arguments);
    const Expr last = values_.back();
    if (top.arguments == 1) return store(apply(top.op, last), top);
    values_.pop_back();
    const Expr first = values_.back();
    if (top.op == Op::stumpff || top.op == Op::lerch) check_member(top, first);
    store(apply(top.op, first, last), top);
  }

  void check_member(const Pending& top, const Expr& k) const {
    const int lowest = top.op == Op::lerch ? 1 : 0;
    if (k.is_constant() && k.value() >= lowest && k.value() <= highest_family_member &&
        std::floor(k.value()) == k.value())
      return;
    fail("the first argument of " + std::string(top.function->name) + " must be a whole number from " +
             std::to_string(lowest) + " to " + std::to_string(highest_family_member),
         top.begin);
  }

  std::string_view text_;
  const Scope& scope_;
  std::vector<Expr> values_;
  std::vector<Pending> pending_;
  Token token_;
  Token previous_;
  bool needs_operand_ = true;
};

}  // namespace

Expr parse(std::string_view text, const Scope& scope) {
  if (text.size() >= static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw FormulaError("formula too long", 1, text.substr(0, 100));
  return Parser(text, scope).run();
}

}  // namespace invar

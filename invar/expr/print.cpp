// Formulas as text with the fewest parentheses that lead parse() back to the same nodes.
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <iterator>
#include <utility>

#include "invar/expr/op_names.h"
#include "invar/expr/parse.h"

namespace invar {
namespace {

// How tightly the text of a formula holds together; the same order as in parse().
enum Strength { sum = 1, product, negation, power, atom };

// What is still to be written: a text, or a formula that needs parentheses if it is weaker than `least`.
struct Piece {
  std::string_view text;
  Expr formula;
  int least = 0;
};

Piece word(std::string_view text) { return {text, {}, 0}; }
Piece part(const Expr& formula, int least) { return {{}, formula, least}; }

std::string number(double value) {
  expects(std::isfinite(value), "a finite number to print");
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  return {digits, end};
}

bool is_product(const Expr& e) { return e.op() == Op::multiply || e.op() == Op::divide; }

int strength(const Expr& e) {
  switch (e.op()) {
    case Op::constant: return std::signbit(e.value()) ? negation : atom;
    case Op::add:
    case Op::subtract: return sum;
    case Op::multiply:
    case Op::divide: return product;
    case Op::negate: return negation;
    case Op::power: return power;
    default: return atom;
  }
}

// The operands of a sum or product in the order in which they are written. Nodes order the operands of + and * by age,
// so the text may put a chain first, where it needs no parentheses.
std::pair<Expr, Expr> operands(const Expr& e) {
  const bool commutes = e.op() == Op::add || e.op() == Op::multiply;
  const bool chain_last = strength(e.b()) == strength(e) && strength(e.a()) != strength(e);
  if (commutes && chain_last && !(e.op() == Op::multiply && e.a().is_constant())) return {e.b(), e.a()};
  return {e.a(), e.b()};
}

// The factor with which the text of a product begins.
Expr first_factor(const Expr& e) {
  Expr first = e;
  while (is_product(first)) first = operands(first).first;
  return first;
}

// A number in front of a product may join its first factor, because nodes draw it out again; but not if that factor is
// a number too, which would swallow it. A sign would also be swallowed by a difference, whose sides it would swap.
bool takes_number(const Expr& e) { return is_product(e) && !first_factor(e).is_constant(); }
bool takes_sign(const Expr& e) { return takes_number(e) && strength(first_factor(e)) != sum; }

class Printer {
 public:
  explicit Printer(std::size_t limit) : limit_(limit) {}

  std::string run(const Expr& f) {
    pending_.push_back(part(f, sum));
    while (!pending_.empty()) {
      const Piece piece = std::move(pending_.back());
      pending_.pop_back();
      const std::size_t before = text_.size();
      if (piece.least == 0)
        text_ += piece.text;
      else
        write(piece.formula, piece.least);
      if (text_.size() > limit_) return text_.substr(0, before) + "…";
    }
    return std::move(text_);
  }

 private:
  // Pieces are stacked, so the last one is pushed first.
  void push(std::initializer_list<Piece> pieces) {
    for (auto p = std::rbegin(pieces); p != std::rend(pieces); ++p) pending_.push_back(*p);
  }

  void write(const Expr& e, int least) {
    if (strength(e) < least) {
      push({word("("), part(e, sum), word(")")});
    } else if (e.is_constant()) {
      text_ += number(e.value());
    } else if (e.op() == Op::symbol) {
      text_ += e.name();
      text_.append(static_cast<std::size_t>(e.order()), '\'');
    } else if (const OpName* function = find_op(e.op())) {
      if (function->arguments == 1)
        push({word(function->name), word("("), part(e.a(), sum), word(")")});
      else
        push({word(function->name), word("("), part(e.a(), sum), word(", "), part(e.b(), sum), word(")")});
    } else {
      write_operator(e);
    }
  }

  void write_operator(const Expr& e) {
    if (e.op() == Op::negate) return push({word("-"), part(e.a(), takes_sign(e.a()) ? product : negation)});
    if (e.op() == Op::power) return push({part(e.a(), atom), word("^"), part(e.b(), negation)});
    const auto [a, b] = operands(e);
    switch (e.op()) {
      case Op::add:
        if (a.is_constant() && a.value() < 0) return push({part(b, sum), word(" - "), part(-a, product)});
        if (b.is_constant() && b.value() < 0) return push({part(a, sum), word(" - "), part(-b, product)});
        return push({part(a, sum), word(" + "), part(b, product)});
      case Op::subtract: return push({part(a, sum), word(" - "), part(b, product)});
      case Op::multiply:
        return push({part(a, product), word("*"), part(b, a.is_constant() && takes_number(b) ? product : negation)});
      default: return push({part(a, product), word("/"), part(b, negation)});
    }
  }

  std::size_t limit_;
  std::string text_;
  std::vector<Piece> pending_;
};

}  // namespace

std::string print(const Expr& f, std::size_t limit) { return Printer(limit).run(f); }

}  // namespace invar

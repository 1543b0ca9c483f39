// Formulas of a model file: which names they may use, and errors that point into the file.
#include <cmath>
#include <functional>

#include "invar/base/message.h"
#include "invar/expr/derivative.h"
#include "invar/expr/parse.h"
#include "invar/expr/token.h"
#include "invar/model/file/reading.h"
#include "invar/model/trajectory/profile.h"

namespace invar::model {
namespace {

// A name that exists but has no business in this formula.
struct Refusal {
  std::string name;
  int order;
  std::string reason;
};

std::string list(const Reading& reading, const Allowed& allowed) {
  std::string result;
  if (allowed.order >= 0) result += "coordinates, ";
  if (allowed.order >= 1) result += "velocities, ";
  if (allowed.order >= 2) result += "accelerations, ";
  if (allowed.inputs) result += "inputs, ";
  if (allowed.multipliers) result += "multipliers, ";
  if (allowed.time) result += "t, ";
  if (allowed.time && reading.has_signals) result += "signals, ";
  return result.empty() ? "only parameters can" : "only " + result.substr(0, result.size() - 2) + " and parameters can";
}

[[noreturn]] void refuse(std::string_view name, int order, std::string_view kind, const std::string& advice) {
  const std::string primed = std::string(name) + std::string(static_cast<std::size_t>(std::min(order, 9)), '\'');
  throw Refusal{std::string(name), order,
                std::string(kind) + " " + in_quotes(primed) + " cannot be used here; " + advice};
}

std::string_view derivative_name(int order) {
  constexpr std::string_view names[] = {"coordinate", "velocity", "acceleration"};
  return order <= 2 ? names[order] : "higher derivative";
}

// A signal with `order` primes; the derivative must be a continuous function of time.
Expr signal_symbol(const Reading& reading, const Allowed& allowed, std::string_view name, const Name& entry,
                   int order) {
  if (!allowed.time) refuse(name, order, "signal", list(reading, allowed));
  if (order > allowed.signal_order)
    refuse(name, order, "derivative",
           allowed.signal_order == 0 ? "only signals themselves can" : "a signal has at most two primes");
  Expr symbol = entry.symbol;
  for (int k = 0; k < order; ++k) symbol = ddt(symbol);
  if (order > 0 && smoothness(symbol, reading.problem.signals) < 0) refuse(name, order, "derivative", "it jumps");
  return symbol;
}

Expr place_symbol(const Reading& reading, std::vector<Variable>& places, std::string_view name) {
  const auto found = std::ranges::find(places, name, &Variable::name);
  if (found != places.end()) return at(*found);
  places.push_back(reading.problem.system.graph.variable(std::string(name)));
  return at(places.back());
}

std::optional<Expr> find_symbol(const Reading& reading, const Allowed& allowed, std::string_view name, int order) {
  if (name == "t" && order == 0) {
    if (!allowed.time) refuse(name, order, "time", list(reading, allowed));
    return reading.problem.system.graph.time();
  }
  const auto found = reading.names.find(name);
  if (found == reading.names.end()) return std::nullopt;
  const Name& entry = found->second;
  switch (entry.kind) {
    case NameKind::parameter:
      if (!entry.has_value) refuse(name, order, "parameter", "a parameter may use only those defined above it");
      return order == 0 ? std::optional(entry.symbol) : std::nullopt;
    case NameKind::coordinate:
      if (order <= allowed.order) return entry.symbol.derivative(order);
      refuse(name, order, derivative_name(order),
             order > 0 && !allowed.advice.empty() ? allowed.advice : list(reading, allowed));
    case NameKind::input:
      if (allowed.inputs && order == 0)
        for (const Input& input : reading.problem.system.inputs)
          if (input.name == name) return at(input.value);
      refuse(name, order, "input", list(reading, allowed));
    case NameKind::multiplier:
      if (allowed.multipliers && order == 0)
        for (const Constraint& c : reading.problem.system.constraints)
          if (c.multiplier.name() == name) return at(c.multiplier);
      refuse(name, order, "multiplier", list(reading, allowed));
    case NameKind::signal: return signal_symbol(reading, allowed, name, entry, order);
    case NameKind::replaced: refuse(name, order, derivative_name(order), "[reduce] replaces it");
    case NameKind::placement:
      if (allowed.places && order <= allowed.order)
        return place_symbol(reading, *allowed.places, name).derivative(order);
      refuse(name, order, derivative_name(order), "of bodies, only named coordinates of joints and cables can");
    default: refuse(name, order, entry.word, list(reading, allowed));
  }
}

// Where the parser stood when the name was refused: at its first use.
std::size_t place_of(const Refusal& refusal, std::string_view text) {
  for (Token token = next_token(text, 0); token.kind != Token::Kind::end; token = next_token(text, token.end))
    if (token.kind == Token::Kind::name && token.text == refusal.name && token.primes >= refusal.order)
      return token.begin;
  return 0;
}

// Names that may be meant by a mistyped one; gathered only when there is something to report.
std::vector<std::string> usable_names(const Reading& reading, const Allowed& allowed) {
  std::vector<std::string> names;
  for (const auto& [name, entry] : reading.names)
    if ((entry.kind == NameKind::parameter && entry.has_value) ||
        (entry.kind == NameKind::coordinate && allowed.order >= 0) ||
        (entry.kind == NameKind::input && allowed.inputs) ||
        (entry.kind == NameKind::multiplier && allowed.multipliers) || (entry.kind == NameKind::signal && allowed.time))
      names.push_back(name);
  if (allowed.time) names.emplace_back("t");
  return names;
}

Expr parse_for(const Reading& reading, const std::string& text, const Allowed& allowed, const Scope& scope) {
  try {
    return parse(text, scope);
  } catch (const Refusal& refusal) {
    throw FormulaError(refusal.reason, static_cast<int>(place_of(refusal, text)) + 1, text);
  } catch (const FormulaError&) {
    if (!scope.names.empty()) throw;
    Scope with_names{scope.find, usable_names(reading, allowed)};
    if (with_names.names.empty()) throw;
    return parse(text, with_names);
  }
}

Expr read(const Reading& reading, const Value& value, const std::string& where, const Allowed& allowed,
          const Scope& scope) {
  if (const auto* whole = value.as<std::int64_t>()) return static_cast<double>(*whole);
  if (const auto* real = value.as<double>()) return *real;
  const auto* text = value.as<std::string>();
  if (text == nullptr)
    fail(reading.document, value.position,
         where + " must be a number or a formula, not " + std::string(kind_name(value)));
  try {
    return parse_for(reading, *text, allowed, scope);
  } catch (const FormulaError& error) {
    const auto exact = position_inside(reading.document, value, static_cast<std::size_t>(error.column() - 1));
    if (exact) fail(reading.document, *exact, where + ": " + error.reason());
    fail(reading.document, value.position, where + ": " + error.what());
  }
}

}  // namespace

Expr read_formula(const Reading& reading, const Value& value, const std::string& where, const Allowed& allowed) {
  return read(reading, value, where, allowed,
              {[&](std::string_view name, int order) { return find_symbol(reading, allowed, name, order); }, {}});
}

namespace {

// The value of a formula of parameters; `meet` is told of each of them.
double read_value(const Reading& reading, const Value& value, const std::string& where,
                  const std::function<void(const std::string& name)>& meet) {
  const Allowed allowed{.time = false};
  const auto find = [&](std::string_view name, int order) -> std::optional<Expr> {
    const std::optional<Expr> symbol = find_symbol(reading, allowed, name, order);
    if (!symbol) return std::nullopt;
    meet(std::string(name));
    return reading.names.find(name)->second.value;
  };
  const Expr result = read(reading, value, where, allowed, {find, {}});
  expects(result.is_constant() && std::isfinite(result.value()), "a formula of numbers to be a finite number");
  return result.value();
}

}  // namespace

double read_number(const Reading& reading, const Value& value, const std::string& where) {
  return read_value(reading, value, where, [&](const std::string& name) { reading.used_up.emplace(name, where); });
}

double read_number(const Reading& reading, const Value& value, const std::string& where, std::string& formula) {
  bool follows = false;
  const double number = read_value(reading, value, where, [&](const std::string&) { follows = true; });
  formula = follows ? *value.as<std::string>() : std::string();
  return number;
}

void use_up(const Reading& reading, std::span<const Expr> formulas, const std::string& where) {
  for (const Expr& symbol : symbols(formulas))
    if (symbol.kind() == SymbolKind::parameter) reading.used_up.emplace(symbol.name(), where);
}

int read_count(const Reading& reading, Section& section, std::string_view key, int otherwise) {
  const Entry* entry = section.find(key);
  if (!entry) return otherwise;
  const double x = read_number(reading, entry->value, section.title() + ": " + in_quotes(key));
  if (x != std::floor(x) || std::abs(x) > std::numeric_limits<int>::max())
    section.fail(entry->value.position, in_quotes(key) + " must be a whole number");
  return static_cast<int>(x);
}

}  // namespace invar::model

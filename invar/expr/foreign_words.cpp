// See foreign_words.h.
#include "invar/expr/foreign_words.h"

#include <algorithm>

#include "invar/expr/op_names.h"

namespace invar {

namespace {

struct Word {
  std::string_view there, here;
};

constexpr Word functions[] = {
    {"ln", "log(x)"},
    {"log10", "log(x)/log(10)"},
    {"log2", "log(x)/log(2)"},
    {"arcsin", "asin(x)"},
    {"arccos", "acos(x)"},
    {"arctan", "atan(x)"},
    {"arctan2", "atan2(y, x)"},
    {"fabs", "abs(x)"},
    {"sgn", "sign(x)"},
    {"pow", "x^y"},
    {"square", "x^2"},
    {"der", "x' for the velocity of x"},
    {"diff", "x' for the velocity of x"},
    {"ddt", "x' for the velocity of x"},
};

constexpr std::string_view modules[] = {"np.", "numpy.", "math.", "Math.", "sympy.", "sp.", "ca.", "casadi."};

std::string_view without_module(std::string_view name) {
  for (const std::string_view module : modules)
    if (name.starts_with(module)) return name.substr(module.size());
  return name;
}

std::string write(std::string_view here) { return "; write " + std::string(here); }

}  // namespace

std::string foreign_function(std::string_view name) {
  const std::string_view bare = without_module(name);
  for (const Word& word : functions)
    if (word.there == bare) return write(word.here);
  const OpName* known = bare == name ? nullptr : find_op(bare);
  return known ? write(known->usage) : std::string();
}

std::string foreign_name(std::string_view name, const std::function<bool(std::string_view)>& has_velocity) {
  const std::string_view bare = without_module(name);
  if (name == "M_PI" || (bare != name && bare == "pi")) return write("pi");
  constexpr Word ends[] = {{"_ddot", "''"}, {"ddot", "''"}, {"_dot", "'"}, {"dot", "'"}};
  for (const Word& end : ends)
    if (const std::string_view base = name.substr(0, name.size() - std::min(name.size(), end.there.size()));
        name.ends_with(end.there) && has_velocity(base))
      return write(std::string(base) + std::string(end.here));
  return {};
}

}  // namespace invar

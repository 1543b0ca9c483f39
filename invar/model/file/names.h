// Every name that a model file gives to something, and what formulas may do with it.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "invar/expr/expr.h"
#include "invar/model/file/document.h"

namespace invar::model {

enum class NameKind {
  parameter,
  coordinate,
  input,
  output,
  constraint,
  multiplier,
  invariant,
  signal,
  replaced,   // a coordinate that [reduce] takes away
  placement,  // a coordinate of a body, which only formulas of outputs can use
  body,
  point,
  joint,
  cable,
  force_element,
  spin,
};

std::string_view kind_name(NameKind kind);

struct Name {
  NameKind kind;
  Expr symbol = 0.0;           // of parameters and coordinates; of a signal its formula, which may be a symbol
  bool has_value = true;       // false for a parameter or signal that is still to be read
  double value = 0.0;          // of a parameter
  std::string_view word = {};  // what it is called in messages
};

using Names = std::map<std::string, Name, std::less<>>;

// Adds a name after checking that it is free and well formed. Parameters, coordinates, inputs and signals may stand in
// formulas, and parts of a mechanism name coordinates, so they have letters, digits, _ and inner dots; the others may
// also have spaces, hyphens and letters of any language. `word` (a literal) tells more than the kind: "spring".
Name& add_name(Names& names, const Document& document, Position position, const std::string& name, NameKind kind,
               std::string_view word = {});

// Whether `name` heads a column that every result has: t, energy.total, lambda.cable …
bool is_result_column(std::string_view name);

}  // namespace invar::model

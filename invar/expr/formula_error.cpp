// See formula_error.h.
#include "invar/expr/formula_error.h"

#include <algorithm>
#include <utility>

#include "invar/base/characters.h"

namespace invar {

FormulaError::FormulaError(std::string reason, int column, std::string_view text)
    : InputError(reason + " at column " + std::to_string(column) + " of \"" +
                 excerpt(text, 60, static_cast<std::size_t>(std::max(column, 1) - 1)) + "\""),
      reason_(std::move(reason)),
      column_(column) {}

}  // namespace invar

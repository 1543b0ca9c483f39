// Lists of formulas put together.
#pragma once

#include "invar/expr/expr.h"

namespace invar {

inline void append(Exprs& all, const Exprs& more) { all.insert(all.end(), more.begin(), more.end()); }

inline Exprs joined(Exprs first, const Exprs& second) {
  append(first, second);
  return first;
}

}  // namespace invar

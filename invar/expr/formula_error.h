// What is wrong with the text of a formula.
#pragma once

#include <string>
#include <string_view>

#include "invar/base/error.h"

namespace invar {

// A formula that cannot be read: the bare reason, and where. what() is one line, `REASON at column C of "TEXT"`, with
// only the surroundings of the column if the text is long.
class FormulaError : public InputError {
 public:
  FormulaError(std::string reason, int column, std::string_view text);
  int column() const { return column_; }  // from 1, in characters
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
  int column_;
};

}  // namespace invar

// Pieces of one-line messages.
#include "invar/base/message.h"

#include "invar/base/characters.h"
#include "invar/base/nearest.h"

namespace invar {

std::string display(std::string_view text) { return excerpt(text, 200); }
std::string in_quotes(std::string_view text) { return "\"" + excerpt(text, 40) + "\""; }

std::string suggestion(std::string_view name, const std::vector<std::string>& known) {
  const auto meant = nearest(name, known);
  return meant ? "; did you mean " + in_quotes(*meant) + "?" : "";
}

}  // namespace invar

// Every name that a model file gives to something, and what formulas may do with it.
#include "invar/model/file/names.h"

#include <algorithm>
#include <array>

#include "invar/base/characters.h"
#include "invar/base/message.h"
#include "invar/expr/op_names.h"
#include "invar/expr/token.h"

namespace invar::model {
namespace {

constexpr std::size_t longest_name = 100;

bool is_identifier(std::string_view name) {
  if (name.empty() || !((name[0] >= 'a' && name[0] <= 'z') || (name[0] >= 'A' && name[0] <= 'Z') || name[0] == '_'))
    return false;
  const Token token = next_token(name, 0);
  return token.kind == Token::Kind::name && token.end == name.size() && token.primes == 0;
}

// Fit to head a column of a CSV file, and different from every velocity.
bool is_label(std::string_view name) {
  return !name.empty() && name.front() != ' ' && name.back() != ' ' && name.find_first_of(",\"'") == name.npos &&
         excerpt(name, longest_name) == name;
}

std::string with_article(std::string_view name) {
  return (name[0] == 'i' || name[0] == 'o' ? "an " : "a ") + std::string(name);
}

bool stands_in_formulas(NameKind kind) {
  constexpr std::array kinds = {NameKind::parameter, NameKind::coordinate, NameKind::input, NameKind::signal,
                                NameKind::body,      NameKind::point,      NameKind::joint, NameKind::cable};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

}  // namespace

std::string_view kind_name(NameKind kind) {
  constexpr std::array<std::string_view, 16> names = {
      "parameter",  "coordinate", "input", "output", "constraint", "multiplier", "invariant",     "signal",
      "coordinate", "coordinate", "body",  "point",  "joint",      "cable",      "force element", "spin"};
  return names[static_cast<std::size_t>(kind)];
}

bool is_result_column(std::string_view name) {
  constexpr std::array<std::string_view, 5> families = {"lambda.", "energy.", "momentum.", "angular_momentum.",
                                                        "drift."};
  return name == "t" || std::any_of(families.begin(), families.end(),
                                    [&](std::string_view f) { return name.substr(0, f.size()) == f; });
}

Name& add_name(Names& names, const Document& document, Position position, const std::string& name, NameKind kind,
               std::string_view word) {
  if (word.empty()) word = kind_name(kind);
  const std::string where = std::string(word) + " " + in_quotes(name) + ": ";
  if (name.size() > longest_name)
    fail(document, position, where + "a name has at most " + std::to_string(longest_name) + " bytes");
  if (stands_in_formulas(kind) && !is_identifier(name))
    fail(document, position, where + "a name has letters a-z and A-Z, digits and _, and does not begin with a digit");
  if (!is_label(name))
    fail(document, position,
         where + "a name is not empty and has no commas, quotes, control characters or outer spaces");
  if (is_result_column(name) || name == "pi" || find_op(name) != nullptr || (kind == NameKind::input && name == "file"))
    fail(document, position, where + "this name is reserved");
  const auto [place, is_new] = names.try_emplace(name, Name{.kind = kind, .word = word});
  if (!is_new) fail(document, position, where + "the name is already used for " + with_article(place->second.word));
  return place->second;
}

}  // namespace invar::model

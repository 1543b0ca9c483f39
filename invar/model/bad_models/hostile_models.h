// Files that are no models at all, or were made to do harm.
#pragma once

#include "invar/model/bad_models/bad_model.h"

namespace invar {

inline constexpr std::size_t hostile_size = 1000000;

inline std::string repeated(const std::string& piece, std::size_t n) {
  std::string text;
  text.reserve(piece.size() * n);
  for (std::size_t i = 0; i < n; ++i) text += piece;
  return text;
}

// A model with one coordinate and this text in place of its kinetic energy.
inline std::string model_with_kinetic(const std::string& formula) {
  return "name = \"p\"\n[system]\ncoordinates = [\"x\"]\nkinetic = \"" + formula + "\"\n[initial]\nx = 0\n";
}

inline std::vector<BadModel> broken_toml() {
  std::vector<BadModel> models;
  const auto add = [&](const std::string& text, const std::string& place) {
    models.push_back({text, text, place + ": not valid TOML: ", false});
  };
  add("name = ", "1:8");
  add("name = \"p\"\n[system", "2:8");
  add("name = \"p", "1:10");
  add("name = \"p\"\nname = \"q\"", "2:8");
  add("name = \"p\"\n[a]\n[a]", "3:1");
  add("a = 1 b = 2", "1:7");
  add("a = {b = 1, b = 2}", "1:17");
  add("a = 1e999", "1:10");
  add("a = 99999999999999999999", "1:25");
  add("= 3", "1:1");
  add("a = \"\x01\"", "1:6");
  add("a = \"x\ny\"", "1:7");
  return models;
}

inline std::vector<BadModel> misplaced_characters() {
  return {
      {"zero in a key", std::string("a\0b = 1", 7), "1:2: unexpected control character"},
      {"zero in a header", std::string(" [\0", 3), "1:3: unexpected control character"},
      {"bare key", "é = 1", "1:1: unexpected character; quote keys that are not ASCII"},
      {"after a value", "a = \"é\" é", "1:9: unexpected character; quote keys that are not ASCII"},
      {"escape", "a = 'ä'\nb = \"\\é\"", "2:7: unexpected character after a backslash"},
      {"escaped line break", "a = \"\"\"x\\ \n  é\"\"\"", "2:3: unexpected character after a backslash"},
  };
}

inline std::vector<BadModel> other_kinds_of_files() {
  return {
      {"empty", "", "1:1: missing \"name\""},
      {"only a byte order mark", "\xef\xbb\xbf", "1:1: missing \"name\""},
      {"byte order mark", "\xef\xbb\xbfname = \"a\\tb\"", "1:8: \"name\" must not contain control characters"},
      {"zeros", std::string(1000, '\0'), "1:", false},
      {"UTF-16", "\xff\xfe" + std::string("n\0a\0", 4), "1:", false},
      {"program", "\x7f" + std::string("ELF\x02\x01\x01"), "1:", false},
      {"broken UTF-8", "name = \"\xc3\x28\"", "1:", false},
      {"JSON", "{ \"name\": \"json\" }", "1:", false},
  };
}

// None of them may overflow the stack.
inline std::vector<BadModel> deep_nesting() {
  std::string within = "name = 'p'\nb = ";
  for (int i = 0; i < 31; ++i) within += "{a" + repeated(".a", 31) + " = ";
  within += "1" + repeated("}", 31);
  return {
      {"arrays", "a = " + repeated("[", hostile_size), "1:", false},
      {"tables", "a = " + repeated("{a=", hostile_size), "1:", false},
      {"dotted key", "name = 'p'\n a" + repeated(".a", hostile_size) + " = 1", "2:1: a key with more than 32 parts"},
      {"table", "[a" + repeated(" . \"=\"", hostile_size) + "]", "1:2: a key with more than 32 parts"},
      {"array of tables", "[[a" + repeated(".'#'", hostile_size) + "]]", "1:3: a key with more than 32 parts"},
      {"inline table", "'é' = '''''''' # .\nb = {x = 1, a" + repeated(".a", 40) + " = 1}",
       "2:12: a key with more than 32 parts"},
      {"just not too deep", within, "2:1: unknown key \"b\""},
  };
}

inline std::vector<BadModel> huge_formulas() {
  return {
      {"open brackets", model_with_kinetic(repeated("(", hostile_size)),
       "4:" + std::to_string(12 + hostile_size) + ": kinetic energy: expected an operand"},
      {"long name", model_with_kinetic("x'^2 + " + repeated("a", hostile_size)),
       "4:19: kinetic energy: unknown name \"" + repeated("a", 40) + "…\""},
      {"many primes", model_with_kinetic("x'^2 + x" + repeated("'", hostile_size)),
       "4:19: kinetic energy: higher derivative \"x'''''''''\" cannot be used here; only coordinates, velocities, t "
       "and parameters can"},
      {"high power", model_with_kinetic("(x' + 1)^1000000000"),
       "4:11: kinetic energy: not quadratic in the velocities"},
  };
}

inline std::vector<BadModel> huge_and_many_names() {
  constexpr std::size_t many = hostile_size / 50;
  const std::string long_name = repeated("k", hostile_size), shown = "\"" + repeated("k", 40) + "…\"";
  std::string sums = "name = \"p\"\n[parameters]\np0 = 1.0\n";
  for (std::size_t i = 1; i < many; ++i)
    sums += "p" + std::to_string(i) + " = \"p" + std::to_string(i - 1) + " + 1\"\n";
  std::string wide = "name = \"p\"\n[system]\ncoordinates = [";
  for (std::size_t i = 0; i < many; ++i) wide += "\"q" + std::to_string(i) + "\", ";
  return {
      {"long key",
       "name = \"p\"\n" + long_name + " = 1\n[system]\ncoordinates = [\"x\"]\nkinetic = \"x'^2\"\n[initial]\nx = 0\n",
       "2:1: unknown key " + shown},
      {"long parameter", "name = \"p\"\n[parameters]\n" + long_name + " = 1\n",
       "3:1: parameter " + shown + ": a name has at most 100 bytes"},
      {"many parameters", sums, "1:1: no mechanical system: give [system], or bodies with [[body]] and [[point]]"},
      {"many coordinates", wide + "]\nkinetic = \"0\"", "3:15: [system]: more than 10000 coordinates"},
  };
}

}  // namespace invar

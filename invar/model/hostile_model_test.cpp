// Files that are no models at all, or were made to do harm: each is refused in one line.
#include <gtest/gtest.h>

#include <string>

#include "invar/expr/error.h"
#include "invar/model/model_test_support.h"
#include "invar/model/read.h"

namespace invar {
namespace {

std::string error_of(const std::string& text) {
  try {
    read_problem_text(text, "p.toml");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

std::string repeated(const std::string& piece, std::size_t n) {
  std::string text;
  text.reserve(piece.size() * n);
  for (std::size_t i = 0; i < n; ++i) text += piece;
  return text;
}

// A model with one coordinate and this text in place of its kinetic energy.
std::string with_kinetic(const std::string& formula) {
  return "name = \"p\"\n[system]\ncoordinates = [\"x\"]\nkinetic = \"" + formula + "\"\n[initial]\nx = 0\n";
}

// The wording after this is toml++'s own.
void expect_bad_toml(const std::string& text, const std::string& place) {
  const std::string error = error_of(text);
  EXPECT_TRUE(error.starts_with("p.toml:" + place + ": not valid TOML: ")) << error;
  EXPECT_EQ(error.find('\n'), std::string::npos) << error;
}

constexpr std::size_t many = 1000000;

TEST(HostileModel, BrokenTomlNamesItsPlace) {
  expect_bad_toml("name = ", "1:8");
  expect_bad_toml("name = \"p\"\n[system", "2:8");
  expect_bad_toml("name = \"p", "1:10");
  expect_bad_toml("name = \"p\"\nname = \"q\"", "2:8");
  expect_bad_toml("name = \"p\"\n[a]\n[a]", "3:1");
  expect_bad_toml("a = 1 b = 2", "1:7");
  expect_bad_toml("a = {b = 1, b = 2}", "1:17");
  expect_bad_toml("a = 1e999", "1:10");
  expect_bad_toml("a = 99999999999999999999", "1:25");
  expect_bad_toml("= 3", "1:1");
  expect_bad_toml("a = \"\x01\"", "1:6");
  expect_bad_toml("a = \"x\ny\"", "1:7");
}

TEST(HostileModel, CharactersThatBelongInStrings) {
  EXPECT_EQ(error_of(std::string("a\0b = 1", 7)), "p.toml:1:2: unexpected control character");
  EXPECT_EQ(error_of(std::string(" [\0", 3)), "p.toml:1:3: unexpected control character");
  EXPECT_EQ(error_of("é = 1"), "p.toml:1:1: unexpected character; quote keys that are not ASCII");
  EXPECT_EQ(error_of("a = \"é\" é"), "p.toml:1:9: unexpected character; quote keys that are not ASCII");
  EXPECT_EQ(error_of("a = 'ä'\nb = \"\\é\""), "p.toml:2:7: unexpected character after a backslash");
  EXPECT_EQ(error_of("a = \"\"\"x\\ \n  é\"\"\""), "p.toml:2:3: unexpected character after a backslash");
}

TEST(HostileModel, OtherKindsOfFiles) {
  EXPECT_EQ(error_of(""), "p.toml:1:1: missing \"name\"");
  EXPECT_EQ(error_of("\xef\xbb\xbf"), "p.toml:1:1: missing \"name\"");
  EXPECT_EQ(error_of("\xef\xbb\xbfname = \"a\\tb\""), "p.toml:1:8: \"name\" must not contain control characters");
  EXPECT_NE(error_of(std::string(1000, '\0')), "accepted");
  EXPECT_NE(error_of("\xff\xfe" + std::string("n\0a\0", 4)), "accepted");
  EXPECT_NE(error_of("\x7f"
                     "ELF\x02\x01\x01"),
            "accepted");
  EXPECT_NE(error_of("name = \"\xc3\x28\""), "accepted");
  EXPECT_NE(error_of("{ \"name\": \"json\" }"), "accepted");
}

TEST(HostileModel, DeepNestingDoesNotOverflowTheStack) {
  const std::string error = error_of("a = " + repeated("[", many));
  EXPECT_TRUE(error.starts_with("p.toml:1:")) << error;
  EXPECT_NE(error_of("a = " + repeated("{a=", many)), "accepted");
  EXPECT_EQ(error_of("name = 'p'\n a" + repeated(".a", many) + " = 1"), "p.toml:2:1: a key with more than 32 parts");
  EXPECT_EQ(error_of("[a" + repeated(" . \"=\"", many) + "]"), "p.toml:1:2: a key with more than 32 parts");
  EXPECT_EQ(error_of("[[a" + repeated(".'#'", many) + "]]"), "p.toml:1:3: a key with more than 32 parts");
  EXPECT_EQ(error_of("'é' = '''''''' # .\nb = {x = 1, a" + repeated(".a", 40) + " = 1}"),
            "p.toml:2:12: a key with more than 32 parts");
  std::string within = "name = 'p'\nb = ";
  for (int i = 0; i < 31; ++i) within += "{a" + repeated(".a", 31) + " = ";
  EXPECT_EQ(error_of(within + "1" + repeated("}", 31)), "p.toml:2:1: unknown key \"b\"");
}

TEST(HostileModel, DotsInStringsAndCommentsAreNoKeys) {
  std::string text = crane_text;
  text += "# " + repeated("a.", 100) + "\n";
  EXPECT_EQ(error_of(text), "accepted");
  EXPECT_EQ(error_of(with_kinetic(repeated("0.1*", 100) + "x'^2")), "accepted");
}

TEST(HostileModel, HugeFormulasAreReadOrRefused) {
  EXPECT_EQ(error_of(with_kinetic(repeated("(", many))),
            "p.toml:4:" + std::to_string(12 + many) + ": kinetic energy: expected an operand");
  EXPECT_EQ(error_of(with_kinetic(repeated("(", many / 10) + "x'^2" + repeated(")", many / 10))), "accepted");
  EXPECT_EQ(error_of(with_kinetic("x'^2" + repeated("+x'^2", many / 10))), "accepted");
  EXPECT_EQ(error_of(with_kinetic(repeated("sin(", many / 10) + "x" + repeated(")", many / 10) + "*x'^2")), "accepted");
  EXPECT_EQ(error_of(with_kinetic("x'^2 + " + repeated("a", many))),
            "p.toml:4:19: kinetic energy: unknown name \"" + repeated("a", 40) + "…\"");
  EXPECT_EQ(error_of(with_kinetic("x'^2 + x" + repeated("'", many))),
            "p.toml:4:19: kinetic energy: higher derivative \"x'''''''''\" cannot be used here; only coordinates, "
            "velocities, t and parameters can");
  EXPECT_EQ(error_of(with_kinetic("(x' + 1)^1000000000")),
            "p.toml:4:11: kinetic energy: not quadratic in the velocities");
}

TEST(HostileModel, HugeNamesAreShortInMessages) {
  EXPECT_EQ(error_of("name = \"p\"\n" + repeated("k", many) +
                     " = 1\n[system]\ncoordinates = [\"x\"]\nkinetic = \"x'^2\"\n"
                     "[initial]\nx = 0\n"),
            "p.toml:2:1: unknown key \"" + repeated("k", 40) + "…\"");
  EXPECT_EQ(error_of("name = \"p\"\n[parameters]\n" + repeated("k", many) + " = 1\n"),
            "p.toml:3:1: parameter \"" + repeated("k", 40) + "…\": a name has at most 100 bytes");
}

TEST(HostileModel, ManyNamesTakeLittleTime) {
  std::string text = "name = \"p\"\n[parameters]\np0 = 1.0\n";
  for (std::size_t i = 1; i < many / 50; ++i)
    text += "p" + std::to_string(i) + " = \"p" + std::to_string(i - 1) + " + 1\"\n";
  EXPECT_EQ(error_of(text), "p.toml:1:1: missing \"system\"");
  std::string wide = "name = \"p\"\n[system]\ncoordinates = [";
  for (std::size_t i = 0; i < many / 50; ++i) wide += "\"q" + std::to_string(i) + "\", ";
  EXPECT_EQ(error_of(wide + "]\nkinetic = \"0\""), "p.toml:3:15: [system]: more than 10000 coordinates");
}

}  // namespace
}  // namespace invar

// However a model file is damaged, reading it gives a problem or a one-line error.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "invar/base/error.h"
#include "invar/model/bad_models/bad_physical_models.h"
#include "invar/model/bad_models/model_test_support.h"
#include "invar/read/read_problem.h"

namespace invar {
namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t n) {
  return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
}

// One small damage: a byte, a piece copied elsewhere, a piece lost, or a token of TOML or of formulas.
void damage(std::string& text, Random& random) {
  static constexpr const char* tokens[] = {"[",          "]",           "{",
                                           "}",          "\"",          "'",
                                           "\"\"\"",     "'''",         "=",
                                           ".",          "\n",          "#",
                                           "inf",        "nan",         "1e99",
                                           "''",         "^",           "(",
                                           ")",          ",",           "-",
                                           "/0",         "t",           "true",
                                           "[[",         "]]",          "\\",
                                           "\\u",        "l'",          "sqrt",
                                           "\xff",       "é",           "0",
                                           "pi",         "name",        "1e400",
                                           "[reduce]\n", "[system]\n",  "level = \"velocity\"\n",
                                           "[[body]]\n", "[[point]]\n", "1e-300"};
  const std::size_t at = below(random, text.size() + 1);
  switch (below(random, 4)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(below(random, 256));
      break;
    case 1: text.insert(at, text.substr(below(random, text.size()), below(random, 40))); break;
    case 2: text.erase(at, below(random, 12)); break;
    default: text.insert(at, tokens[below(random, std::size(tokens))]);
  }
}

// Reads each text with damage; returns how many were still models.
int read_damaged(const std::vector<std::string>& texts, int cases) {
  Random random(20240607);
  int good = 0;
  for (const std::string& text : texts) EXPECT_NO_THROW(read_problem_text(text, "fuzz.toml"));
  for (int i = 0; i < cases; ++i) {
    std::string text = texts[static_cast<std::size_t>(i) % texts.size()];
    for (std::size_t n = 1 + below(random, 3); n > 0 && !text.empty(); --n) damage(text, random);
    try {
      const Problem p = read_problem_text(text, "fuzz.toml");
      EXPECT_EQ(p.q0.size(), p.system.coordinates.size());
      EXPECT_EQ(p.v0.size(), p.system.coordinates.size());
      EXPECT_EQ(p.system.forces.size(), p.system.coordinates.size());
      ++good;
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_EQ(message.find_first_of(std::string("\n\r\0", 3)), std::string::npos) << message;
      EXPECT_TRUE(message.starts_with("fuzz.toml:")) << message;
      EXPECT_LT(message.size(), 1000u) << message;
    } catch (const std::exception& other) {
      ADD_FAILURE() << other.what() << "\n" << text;
    }
  }
  return good;
}

TEST(FuzzRead, DamagedModelsAreProblemsOrErrors) {
  constexpr int cases = 20000;
  const int good = read_damaged({crane_text, std::string(crane_text) + crane_trajectories}, cases);
  EXPECT_GT(good, cases / 50);  // the damage must not drown everything
  EXPECT_LT(good, cases / 2);
}

TEST(FuzzRead, DamagedMechanismsAreProblemsOrErrors) {
  constexpr int cases = 6000;
  const int good = read_damaged({good_mechanism_with(0, ""), good_planar_mechanism_with(0, ""), mechanism_text}, cases);
  EXPECT_GT(good, cases / 100);  // without comments and spaces there is little that can change without harm
  EXPECT_LT(good, cases / 2);
}

}  // namespace
}  // namespace invar

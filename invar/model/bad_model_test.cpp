// Every mistake in a model file is one line that says where and what.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "invar/expr/error.h"
#include "invar/model/read.h"

namespace invar {
namespace {

// Line by line, so that a case can replace one line.
const std::vector<std::string> good = {
    "name = \"p\"",                     // 1
    "[parameters]",                     // 2
    "m = 2.0",                          // 3
    "[system]",                         // 4
    "coordinates = [\"x\", \"y\"]",     // 5
    "kinetic = \"m/2*(x'^2 + y'^2)\"",  // 6
    "potential = \"m*y\"",              // 7
    "[[system.constraint]]",            // 8
    "name = \"rod\"",                   // 9
    "expr = \"x^2 + y^2 - 1\"",         // 10
    "[[system.input]]",                 // 11
    "name = \"F\"",                     // 12
    "force = { x = \"1\" }",            // 13
    "[[system.output]]",                // 14
    "name = \"out\"",                   // 15
    "expr = \"x\"",                     // 16
    "[initial]",                        // 17
    "x = 1.0",                          // 18
    "y = 0.0",                          // 19
    "[simulate]",                       // 20
    "until = 1.0",                      // 21
    "step = 0.01",                      // 22
};

std::string with(std::size_t line, const std::string& replacement) {
  std::string text;
  for (std::size_t i = 0; i < good.size(); ++i) text += (i + 1 == line ? replacement : good[i]) + "\n";
  return text;
}

std::string error_of(const std::string& text, const Overrides& overrides = {}) {
  try {
    read_problem_text(text, "p.toml", overrides);
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

struct Case {
  std::size_t line;
  std::string replacement;
  std::string error;  // after "p.toml:"
};

class BadModel : public testing::TestWithParam<Case> {};

TEST_P(BadModel, GivesItsError) {
  const Case& c = GetParam();
  EXPECT_EQ(error_of(with(c.line, c.replacement)), "p.toml:" + c.error) << c.replacement;
}

TEST(BadModelTable, StartsFromAGoodModel) { EXPECT_EQ(error_of(with(0, "")), "accepted"); }

INSTANTIATE_TEST_SUITE_P(TopLevel, BadModel,
                         testing::ValuesIn(std::vector<Case>{
                             {1, "", "1:1: missing \"name\""},
                             {1, "nam = \"p\"", "1:1: unknown key \"nam\"; did you mean \"name\"?"},
                             {1, "name = 3", "1:8: \"name\" must be a string, not an integer"},
                             {1, "name = \"\"", "1:8: \"name\" must not be empty or only dots"},
                             {1, "name = \"..\"", "1:8: \"name\" must not be empty or only dots"},
                             {1, "name = \"../p\"", "1:8: \"name\" must not contain /, since it names a folder"},
                             {1, "name = \"a\\nb\"", "1:8: \"name\" must not contain control characters"},
                             {1, "name = \"a\\u0000b\"", "1:8: \"name\" must not contain control characters"},
                             {1, "name = \"" + std::string(201, 'n') + "\"",
                              "1:8: \"name\" must not have more than 200 bytes, since it names a folder"},
                             {1, "name = \"p\"\nspeed = 1", "2:1: unknown key \"speed\""},
                             {1, "name = \"p\"\nurdf = \"arm.urdf\"", "2:1: \"urdf\": not supported by this version"},
                             {2, "[world]\n[parameters]", "2:1: [world]: not supported by this version"},
                             {2, "[[body]]\nname = \"b\"\n[parameters]",
                              "2:1: [[body]]: not supported by this version"},
                             {20, "[invert]\n[simulate]", "20:1: [invert]: not supported by this version"},
                             {20, "[simulat]", "20:2: unknown key \"simulat\"; did you mean \"simulate\"?"},
                             {17, "[inital]", "17:2: unknown key \"inital\"; did you mean \"initial\"?"},
                             {4, "[sytsem]", "4:2: unknown key \"sytsem\"; did you mean \"system\"?"},
                             {1, "name = \"p\"\nreduce = 1", "2:10: \"reduce\" must be a table, not an integer"},
                         }));

INSTANTIATE_TEST_SUITE_P(
    Parameters, BadModel,
    testing::ValuesIn(std::vector<Case>{
        {3, "m = true", "3:5: parameter \"m\" must be a number or a formula, not a boolean"},
        {3, "m = [1]", "3:5: parameter \"m\" must be a number or a formula, not an array"},
        {3, "m = inf", "3:5: numbers must be finite, not inf"},
        {3, "m = -nan", "3:5: numbers must be finite, not nan"},
        {3, "m = \"1/0\"", "3:7: parameter \"m\": division by zero or overflow"},
        {3, "m = \"log(0)\"", "3:6: parameter \"m\": the result is not a finite number"},
        {3, "m = \"\"", "3:6: parameter \"m\": empty formula"},
        {3, "m = 1979-05-27", "3:5: a model file has no dates and times"},
        {3, "m = \"2*k\"\nk = 1",
         "3:8: parameter \"m\": parameter \"k\" cannot be used here; a parameter may use only those defined above it"},
        {3, "m = \"2*m\"",
         "3:8: parameter \"m\": parameter \"m\" cannot be used here; a parameter may use only those defined above it"},
        {3, "m = \"2*t\"", "3:8: parameter \"m\": time \"t\" cannot be used here; only parameters can"},
        {3, "m = 2.0\nmass = 2\nk = \"2*mas\"", "5:8: parameter \"k\": unknown name \"mas\"; did you mean \"mass\"?"},
        {3, "m = 2\npi = 3", "4:1: parameter \"pi\": this name is reserved"},
        {3, "m = 2\nt = 3", "4:1: parameter \"t\": this name is reserved"},
        {3, "m = 2\nsin = 3", "4:1: parameter \"sin\": this name is reserved"},
        {3, "m = 2\n2m = 3",
         "4:1: parameter \"2m\": a name has letters a-z and A-Z, digits and _, and does not begin with a digit"},
        {3, "m = 2\n\"a b\" = 3",
         "4:1: parameter \"a b\": a name has letters a-z and A-Z, digits and _, and does not begin with a digit"},
        {3, "m = 2\n\"\" = 3",
         "4:1: parameter \"\": a name has letters a-z and A-Z, digits and _, and does not begin with a digit"},
        {3, "m = 2\n\"energy.total\" = 3", "4:1: parameter \"energy.total\": this name is reserved"},
        {3, "m = 2\nx = 3", "6:16: coordinate \"x\": the name is already used for a parameter"},
    }));

INSTANTIATE_TEST_SUITE_P(
    System, BadModel,
    testing::ValuesIn(std::vector<Case>{
        {5, "", "4:1: [system]: missing \"coordinates\""},
        {5, "coordinates = \"x\"", "5:15: [system]: \"coordinates\" must be an array, not a string"},
        {5, "coordinates = []", "5:15: [system]: \"coordinates\" must not be empty"},
        {5, "coordinates = [\"x\", 1.5]", "5:21: [system]: \"coordinates\" must hold strings, not a number"},
        {5, "coordinates = [\"x\", \"y\", \"x\"]", "5:26: coordinate \"x\": the name is already used for a coordinate"},
        {5, "coordinates = [\"x\", \"y\", \"t\"]", "5:26: coordinate \"t\": this name is reserved"},
        {5, "coordinates = [\"x\", \"y\", \"z\"]", "5:26: coordinate \"z\" appears in no equation"},
        {5, "coordinates = [\"x\", \"y'\"]",
         "5:21: coordinate \"y'\": a name has letters a-z and A-Z, digits and _, and does not begin with a digit"},
        {6, "kinetik = \"m/2*x'^2\"", "6:1: [system]: unknown key \"kinetik\"; did you mean \"kinetic\"?"},
        {6, "", "4:1: [system]: missing \"kinetic\""},
        {6, "kinetic = []", "6:11: kinetic energy must be a number or a formula, not an array"},
        {6, "kinetic = \"m/2*x'^3\"", "6:11: kinetic energy: not quadratic in the velocities"},
        {6, "kinetic = \"m/2*x''^2\"",
         "6:16: kinetic energy: acceleration \"x''\" cannot be used here; only coordinates, velocities, t and "
         "parameters can"},
        {6, "kinetic = \"m/2*(x'^2 + y'^2\"", "6:28: kinetic energy: expected ')'"},
        {6, "kinetic = \"m/2*xx'^2\"", "6:16: kinetic energy: unknown name \"xx\""},
        {6, "kinetic = \"m'*x'^2\"", "6:12: kinetic energy: \"m\" is a parameter and has no derivative"},
        {6, "kinetic = \"t'*x'^2\"", "6:12: kinetic energy: the time \"t\" cannot carry a prime"},
        {6, "kinetic = \"\"\"\nm/2*x'^2 +\n  m/2*w'^2\"\"\"", "8:7: kinetic energy: unknown name \"w\""},
        {6, "kinetic = \"m/2\\u002Aw'^2\"", "6:11: kinetic energy: unknown name \"w\" at column 5 of \"m/2*w'^2\""},
        {7, "potential = \"m*y'\"",
         "7:16: potential energy: velocity \"y'\" cannot be used here; only coordinates, t and parameters can"},
        {7, "potential = \"m*y\"\nforce = { x = \"-x'\", z = \"1\" }",
         "8:22: [system]: force: unknown coordinate \"z\""},
        {7, "potential = \"m*y\"\nforce = { x = \"-x''\" }",
         "8:17: force on \"x\": acceleration \"x''\" cannot be used here; only coordinates, velocities, t and "
         "parameters can"},
        {7, "potential = \"m*y\"\nforce = \"x\"", "8:9: [system]: \"force\" must be a table, not a string"},
        {7, "potential = \"m*y\"\ninvariant = 3",
         "8:13: [system]: \"invariant\" must be an array of tables, [[system.invariant]], not an integer"},
    }));

INSTANTIATE_TEST_SUITE_P(
    Items, BadModel,
    testing::ValuesIn(std::vector<Case>{
        {8, "[system.constraint]",
         "8:1: [system]: \"constraint\" must be an array of tables, [[system.constraint]], not a table"},
        {8, "[[system.constrain]]", "8:10: [system]: unknown key \"constrain\"; did you mean \"constraint\"?"},
        {9, "", "8:1: [[system.constraint]]: missing \"name\""},
        {9, "name = \"x\"", "9:8: constraint \"x\": the name is already used for a coordinate"},
        {9, "name = \"a,b\"",
         "9:8: constraint \"a,b\": a name is not empty and has no commas, quotes, control characters or outer spaces"},
        {9, "name = \"rod\"\nlvel = \"velocity\"",
         "10:1: constraint \"rod\": unknown key \"lvel\"; did you mean \"level\"?"},
        {9, "name = \"rod\"\nlevel = \"speed\"",
         "10:9: constraint \"rod\": unknown level \"speed\"; use \"position\", \"velocity\" or \"acceleration\""},
        {9, "name = \"rod\"\nlevel = \"velocity\"", "11:8: constraint \"rod\": contains no velocity"},
        {10, "", "8:1: constraint \"rod\": missing \"expr\""},
        {10, "expr = \"m - 1\"", "10:8: constraint \"rod\": contains no coordinate"},
        {10, "expr = \"x*x' + y*y'\"",
         "10:11: constraint \"rod\": velocity \"x'\" cannot be used here; say level = \"velocity\" or level = "
         "\"acceleration\""},
        {10, "expr = \"x*x'' + y*x'^2\"\nlevel = \"velocity\"",
         "10:11: constraint \"rod\": acceleration \"x''\" cannot be used here; say level = \"acceleration\""},
        {10, "expr = \"x'^2 - 1\"\nlevel = \"velocity\"", "10:8: constraint \"rod\": must be linear in the velocities"},
        {10, "expr = \"x - F\"", "10:13: constraint \"rod\": unknown name \"F\""},
        {10, "expr = \"x + x ^\"", "10:16: constraint \"rod\": expected an operand"},
        {12, "name = \"rod\"", "12:8: input \"rod\": the name is already used for a constraint"},
        {12, "name = \"file\"", "12:8: input \"file\": this name is reserved"},
        {13, "force = { x = \"x'\" }",
         "13:16: input \"F\": force on \"x\": velocity \"x'\" cannot be used here; only coordinates, t and parameters "
         "can"},
        {13, "force = { xx = \"1\" }", "13:11: input \"F\": force: unknown coordinate \"xx\""},
        {13, "force = {}", "13:9: input \"F\": acts on no coordinate"},
        {13, "force = { x = \"0\" }", "13:9: input \"F\": acts on no coordinate"},
        {15, "name = \"F\"", "15:8: output \"F\": the name is already used for an input"},
        {15, "name = \"x'\"",
         "15:8: output \"x'\": a name is not empty and has no commas, quotes, control characters or outer spaces"},
        {16, "expr = \"lambda.rod\"",
         "16:9: output \"out\": multiplier \"lambda.rod\" cannot be used here; only coordinates, velocities, t and "
         "parameters can"},
        {16, "expr = \"x + F\"",
         "16:13: output \"out\": input \"F\" cannot be used here; only coordinates, velocities, t and parameters can"},
        {16, "expr = \"2x\"", "16:10: output \"out\": missing operator; write 2*x"},
    }));

INSTANTIATE_TEST_SUITE_P(
    StartAndReduction, BadModel,
    testing::ValuesIn(std::vector<Case>{
        {18, "", "17:1: [initial]: missing coordinate \"x\""},
        {18, "x = \"y\"", "18:6: [initial]: \"x\": coordinate \"y\" cannot be used here; only parameters can"},
        {18, "x = 1.0\nalpha = 3", "19:1: [initial]: unknown coordinate \"alpha\""},
        {18, "x = 1.0\n\"x''\" = 3", "19:1: [initial]: unknown coordinate \"x''\"; did you mean \"x'\"?"},
        {18, "x = { y = 1 }", "18:5: [initial]: \"x\" must be a number or a formula, not a table"},
        {17, "[reduce]\nmap = { x = \"1\" }\n[initial]", "17:1: [reduce]: missing \"coordinates\""},
        {17, "[reduce]\ncoordinates = [\"phi\"]\n[initial]",
         "17:1: [reduce]: coordinate \"x\" is neither kept nor in the map"},
        {17, "[reduce]\ncoordinates = [\"phi\"]\nmap = { x = \"cos(phi)\" }\n[initial]",
         "19:7: [reduce]: coordinate \"y\" is neither kept nor in the map"},
        {17, "[reduce]\ncoordinates = [\"y\"]\nmap = { x = \"y\", y = \"y\" }\n[initial]",
         "19:18: [reduce]: map: coordinate \"y\" is kept, so it cannot be mapped"},
        {17, "[reduce]\ncoordinates = [\"y\"]\nmap = { x = \"y\", w = \"y\" }\n[initial]",
         "19:18: [reduce]: map: unknown coordinate \"w\""},
        {17, "[reduce]\ncoordinates = [\"y\"]\nmap = { x = \"2*x\" }\n[initial]",
         "19:16: [reduce]: map of \"x\": coordinate \"x\" cannot be used here; [reduce] replaces it"},
        {17, "[reduce]\ncoordinates = [\"y\", \"y\"]\n[initial]", "18:21: [reduce]: coordinate \"y\" is listed twice"},
        {17, "[reduce]\ncoordinates = [\"y\", \"a\", \"b\"]\n[initial]",
         "18:15: [reduce]: more coordinates than [system] has"},
        {17, "[reduce]\ncoordinates = [\"m\", \"y\"]\n[initial]",
         "18:16: coordinate \"m\": the name is already used for a parameter"},
        {17, "[reduce]\ncoordinates = [\"y\"]\nmap = { x = \"t\" }\n[initial]",
         "21:1: [initial]: coordinate \"x\" is replaced by [reduce]; give the reduced ones"},
        {17, "[reduce]\ncoordinates = [\"y\", \"a\"]\nmap = { x = \"t\" }\n[initial]",
         "18:21: [reduce]: coordinate \"a\" appears in no equation"},
    }));

INSTANTIATE_TEST_SUITE_P(
    Simulate, BadModel,
    testing::ValuesIn(std::vector<Case>{
        {21, "until = 0", "21:9: [simulate]: \"until\" must be positive"},
        {21, "until = -1.5", "21:9: [simulate]: \"until\" must be positive"},
        {21, "until = true", "21:9: [simulate]: \"until\" must be a number or a formula, not a boolean"},
        {21, "until = \"t\"", "21:10: [simulate]: \"until\": time \"t\" cannot be used here; only parameters can"},
        {21, "untill = 1", "21:1: [simulate]: unknown key \"untill\"; did you mean \"until\"?"},
        {22, "step = 0.0", "22:8: [simulate]: \"step\" must be positive"},
        {22, "step = 2", "22:8: [simulate]: \"step\" must not be larger than until"},
        {22, "step = 1e-9", "22:8: [simulate]: \"step\" gives more than 1e8 steps"},
        {22, "method = 2", "22:10: [simulate]: \"method\" must be a string, not an integer"},
        {22, "method = \"\"", "22:10: [simulate]: \"method\" must not be empty"},
        {22, "rho = 1.5", "22:7: [simulate]: \"rho\" must lie between 0 and 1"},
        {22, "tolerance = 0.01", "22:13: [simulate]: \"tolerance\" must be positive and at most 1e-3"},
        {22, "every = 0", "22:9: [simulate]: \"every\" must be at least 1"},
        {22, "every = 1.5", "22:9: [simulate]: \"every\" must be a whole number"},
        {22, "every = 1e300", "22:9: [simulate]: \"every\" must be a whole number"},
        {22, "inputs = \"a.csv\"", "22:10: [simulate]: \"inputs\" must be a table, not a string"},
        {22, "inputs = { G = \"1\" }", "22:12: [simulate]: inputs: unknown input \"G\""},
        {22, "inputs = { F = \"x\" }",
         "22:17: [simulate]: input \"F\": coordinate \"x\" cannot be used here; only t and parameters can"},
        {22, "inputs = { file = 3 }", "22:19: [simulate]: inputs: \"file\" must be a string, not an integer"},
        {22, "inputs = { file = \"a\\u0000\" }", "22:19: [simulate]: inputs: \"file\" must name a file"},
        {22, "inputs = { file = \"a.csv\", F = \"1\" }",
         "22:10: [simulate]: inputs: give either a file or formulas, not both"},
    }));

TEST(BadModelTable, OverridesMustNameParametersAndBeFinite) {
  EXPECT_EQ(error_of(with(3, "mass = 2\nm = 1"), {{"mas", 1.0}}),
            "p.toml: cannot set unknown parameter \"mas\"; did you mean \"mass\"?");
  EXPECT_EQ(error_of(with(0, ""), {{"x", 1.0}}), "p.toml: cannot set unknown parameter \"x\"");
  EXPECT_EQ(error_of(with(0, ""), {{"m", 1.0 / 0.0}}), "p.toml: cannot set parameter \"m\": not a finite number");
}

}  // namespace
}  // namespace invar

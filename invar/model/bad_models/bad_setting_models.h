// Mistakes at the top level, in [parameters], [initial], [reduce] and [simulate].
#pragma once

#include "invar/model/bad_models/bad_model.h"

namespace invar {

inline std::vector<BadModel> bad_top_levels() {
  return with_bad_lines({
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
      {1, "name = \"p\"\nformat = \"0.2\"",
       "2:10: this file is of format 0.2, and this Invar reads formats up to 0.1; a newer one is needed"},
      {1, "name = \"p\"\nformat = \"new\"", "2:10: \"format\" is a version in quotes, such as \"0.1\""},
      {1, "name = \"p\"\nformat = 0.1", "2:10: \"format\" must be a string, not a number"},
      {1, "name = \"p\"\nspeed = 1", "2:1: unknown key \"speed\""},
      {1, "name = \"p\"\nurdf = \"arm.urdf\"", "2:1: \"urdf\": not supported by this version"},
      {1, "name = \"p\"\nformulation = \"lie\"",
       "2:1: \"formulation\" belongs under [simulate], [equilibrium], [invert], [optimize] or [control]"},
      {2, "[world]\n[parameters]", "2:1: [world]: a model has either [system] or bodies, not both"},
      {2, "[[body]]\nname = \"b\"\n[parameters]", "2:1: [[body]]: a model has either [system] or bodies, not both"},
      {20, "[simulat]", "20:2: unknown key \"simulat\"; did you mean \"simulate\"?"},
      {17, "[inital]", "17:2: unknown key \"inital\"; did you mean \"initial\"?"},
      {4, "[sytsem]", "4:2: unknown key \"sytsem\"; did you mean \"system\"?"},
      {1, "name = \"p\"\nreduce = 1", "2:10: \"reduce\" must be a table, not an integer"},
  });
}

inline std::vector<BadModel> bad_parameters() {
  return with_bad_lines({
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
  });
}

inline std::vector<BadModel> bad_starts_and_reductions() {
  return with_bad_lines({
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
  });
}

inline std::vector<BadModel> bad_simulations() {
  return with_bad_lines({
      {21, "until = 0", "21:9: [simulate]: \"until\" must be positive"},
      {21, "until = -1.5", "21:9: [simulate]: \"until\" must be positive"},
      {21, "minimal_extension = 1", "21:21: [simulate]: \"minimal_extension\" must be true or false, not an integer"},
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
      {22, "adaptive = 1", "22:12: [simulate]: \"adaptive\" must lie between 0 and 1"},
      {22, "adaptive = 1e-6\nabsolute = -1", "23:12: [simulate]: \"absolute\" must not be negative"},
      {22, "absolute = 1e-6",
       "22:12: [simulate]: \"absolute\" is for steps that follow an error: give \"adaptive\" too"},
      {22, "first_step = 0.1",
       "22:14: [simulate]: \"first_step\" is for steps that follow an error: give \"adaptive\" too"},
      {22, "adaptive = 1e-6\nfirst_step = 9",
       "23:14: [simulate]: \"first_step\" must not be negative or larger than until"},
      {22, "baumgarte = 3", "22:13: [simulate]: \"baumgarte\" must be true or false, not an integer"},
      {22, "baumgarte = [1]", "22:13: [simulate]: \"baumgarte\" must have 2 entries, not 1"},
      {22, "baumgarte = [0, 5]",
       "22:13: [simulate]: \"baumgarte\" needs a positive first number (damping) and a second that is not negative"},
      {22, "baumgarte = true\nproject = true",
       "22:13: [simulate]: \"baumgarte\" keeps the constraints in place of projection: it needs project = false"},
      {22, "every = 0", "22:9: [simulate]: \"every\" must be at least 1"},
      {22, "every = 1.5", "22:9: [simulate]: \"every\" must be a whole number"},
      {22, "every = 1e300", "22:9: [simulate]: \"every\" must be a whole number"},
      {22, "inputs = \"a.csv\"", "22:10: [simulate]: \"inputs\" must be a table, not a string"},
      {22, "inputs = { G = \"1\" }", "22:12: [simulate]: inputs: unknown input \"G\""},
      {22, "inputs = { F = \"x\" }",
       "22:17: [simulate]: input \"F\": coordinate \"x\" cannot be used here; only t and parameters can"},
      {22, "inputs = { F = { times = [0, 1] } }", "22:16: [simulate]: input \"F\": missing \"values\""},
      {22, "inputs = { F = { times = 1, values = [0, 1] } }",
       "22:26: [simulate]: input \"F\": \"times\" must be a list of at least two numbers"},
      {22, "inputs = { F = { times = [0, 1], values = [0, 1, 2] } }",
       "22:26: [simulate]: input \"F\": there must be as many \"times\" as \"values\""},
      {22, "inputs = { F = { times = [1, 1], values = [0, 1] } }",
       "22:26: [simulate]: input \"F\": \"times\" must ascend"},
      {22, "inputs = { file = 3 }", "22:19: [simulate]: inputs: \"file\" must be a string, not an integer"},
      {22, "inputs = { file = \"a\\u0000\" }", "22:19: [simulate]: inputs: \"file\" must name a file"},
      {22, "inputs = { file = \"a.csv\", F = \"1\" }",
       "22:10: [simulate]: inputs: give either a file or formulas, not both"},
  });
}

inline std::vector<BadModel> bad_equilibria() {
  return with_bad_lines({
      {20, "[equilibrium]\nmethod = \"newtn\"\n[simulate]",
       "21:10: [equilibrium]: \"method\" must be \"auto\", \"newton\", \"path\" or \"minimum\""},
      {20, "[equilibrium]\nmethod = 1\n[simulate]",
       "21:10: [equilibrium]: \"method\" must be a string, not an integer"},
      {20, "[equilibrium]\ntolerance = 0.1\n[simulate]",
       "21:13: [equilibrium]: \"tolerance\" must be positive and at most 1e-3"},
      {20, "[equilibrium]\ntolerance = \"t\"\n[simulate]",
       "21:14: [equilibrium]: \"tolerance\": time \"t\" cannot be used here; only parameters can"},
      {20, "[equilibrium]\nuntil = 1\n[simulate]", "21:1: [equilibrium]: unknown key \"until\""},
      {20, "[equilibrium]\nformulation = \"minimal\"\n[simulate]",
       "21:15: [equilibrium]: \"formulation\" is for models of bodies; [system] has its own"},
      {20, "equilibrium = 3\n[simulate]", "20:1: [initial]: unknown coordinate \"equilibrium\""},
      {20, "[equilibrum]\n[simulate]", "20:2: unknown key \"equilibrum\"; did you mean \"equilibrium\"?"},
  });
}

}  // namespace invar

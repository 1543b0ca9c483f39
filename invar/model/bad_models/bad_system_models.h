// Mistakes in [system] and in its constraints, inputs and outputs.
#pragma once

#include "invar/model/bad_models/bad_model.h"

namespace invar {

inline std::vector<BadModel> bad_energies_and_forces() {
  return with_bad_lines({
      {5, "", "4:1: [system]: missing \"coordinates\""},
      {5, "coordinates = 3", "5:15: [system]: \"coordinates\" must be an array, not an integer"},
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
      {7, "potential = \"m*y\"\nforce = { x = \"-x'\", z = \"1\" }", "8:22: [system]: force: unknown coordinate \"z\""},
      {7, "potential = \"m*y\"\nforce = { x = \"-x''\" }",
       "8:17: force on \"x\": acceleration \"x''\" cannot be used here; only coordinates, velocities, t and "
       "parameters can"},
      {7, "potential = \"m*y\"\nforce = \"x\"", "8:9: [system]: \"force\" must be a table, not a string"},
      {7, "potential = \"m*y\"\ninvariant = 3",
       "8:13: [system]: \"invariant\" must be an array of tables, [[system.invariant]], not an integer"},
  });
}

inline std::vector<BadModel> bad_constraints_inputs_outputs() {
  return with_bad_lines({
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
      {15, "name = \"y\"", "15:8: output \"y\": the name is already used for a coordinate"},
      {15, "name = \"x'\"",
       "15:8: output \"x'\": a name is not empty and has no commas, quotes, control characters or outer spaces"},
      {16, "expr = \"lambda.rod\"",
       "16:9: output \"out\": multiplier \"lambda.rod\" cannot be used here; only coordinates, velocities, t and "
       "parameters can"},
      {16, "expr = \"x + F\"",
       "16:13: output \"out\": input \"F\" cannot be used here; only coordinates, velocities, t and parameters can"},
      {16, "expr = \"2x\"", "16:10: output \"out\": missing operator; write 2*x"},
  });
}

}  // namespace invar

// Models that can be read but not started: a formula has no number where they start, or nothing satisfies the equations
// there. Every task refuses them in one line.
#pragma once

#include "invar/model/bad_models/bad_model.h"

namespace invar {

// A mass in the plane that starts in the origin; the lines come after its coordinates.
inline std::string model_from_origin(const std::string& lines) {
  return "name = \"p\"\n[system]\ncoordinates = [\"x\", \"y\"]\n" + lines +
         "[initial]\nx = 0\ny = 0\n[simulate]\nuntil = 0.1\nstep = 0.01\n";
}

inline std::vector<BadModel> bad_starts() {
  const std::string masses = "kinetic = \"(x'^2 + y'^2)/2\"\n", rod = "[[system.constraint]]\nname = \"rod\"\n";
  const std::string advice = "; start elsewhere or write the formula so that it has one";
  std::vector<BadModel> models;
  const auto add = [&](const std::string& name, const std::string& lines, const std::string& error) {
    models.push_back({name, model_from_origin(lines), " " + error});
  };
  add("gradient of a length that is zero",
      masses + "potential = \"9.81*y\"\n" + rod + "expr = \"sqrt(x^2 + y^2) - 1\"\n",
      "constraint \"rod\": its derivative with respect to x has no finite value at the start (x = 0, y = 0)" + advice);
  add("gradient of a length that is zero, satisfied", masses + rod + "expr = \"sqrt(x^2 + y^2)\"\n",
      "constraint \"rod\": its derivative with respect to x has no finite value at the start (x = 0, y = 0)" + advice);
  add("constraint without a number", masses + rod + "expr = \"y - log(x)\"\n",
      "constraint \"rod\" has no finite value at the start (x = 0, y = 0)" + advice);
  add("rolling without a number", masses + rod + "level = \"velocity\"\nexpr = \"x'/y - y'\"\n",
      "constraint \"rod\" has no finite value at the start (x' = 0, y = 0, y' = 0)" + advice);
  add("violated with a vanishing gradient", masses + rod + "expr = \"x^2 + y^2 - 1\"\n",
      "initial position cannot be made to satisfy the constraints; nearest has residual \"rod\" -1; \"rod\" has a "
      "vanishing gradient there, so that no change reduces it: start elsewhere");
  add("mass without a number", "kinetic = \"x'^2/x + y'^2\"\n",
      "kinetic energy: the mass that belongs to x' x' has no finite value at the start (x = 0)" + advice);
  add("potential without a number", masses + "potential = \"-1/sqrt(x^2 + y^2)\"\n",
      "potential energy: its derivative with respect to x has no finite value at the start (x = 0, y = 0)" + advice);
  add("potential without a slope", masses + "potential = \"(x^2 + y^2)^0.25\"\n",
      "potential energy: its derivative with respect to x has no finite value at the start (x = 0, y = 0)" + advice);
  add("force without a number", masses + "force = { y = \"log(x)\" }\n",
      "force on \"y\" has no finite value at the start (x = 0)" + advice);
  add("input that acts along nothing", masses + "[[system.input]]\nname = \"F\"\nforce = { x = \"1/y\" }\n",
      "input \"F\": force on \"x\" has no finite value at the start (y = 0)" + advice);
  add("output without a number", masses + "[[system.output]]\nname = \"angle\"\nexpr = \"atan(y/x)\"\n",
      "output \"angle\" has no finite value at the start (x = 0, y = 0)" + advice);
  add("forces on nothing", "kinetic = \"x'^2/2\"\npotential = \"9.81*y + x^2\"\n",
      "coordinate \"y\" has no mass, and nothing brings the forces on it into balance at the start (1.0e+00 of them is "
      "left): give it a mass, or a spring or damper that takes up the rest");
  return models;
}

}  // namespace invar

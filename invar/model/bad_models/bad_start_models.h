// Models that can be read but not started: a formula has no number where they start, nothing satisfies the equations
// there, or the scheme cannot do what is asked of it. Every task refuses them in one line.
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
  const auto add_settings = [&](const std::string& name, const std::string& lines, const std::string& error) {
    models.push_back({name, model_from_origin(masses + rod + "expr = \"y\"\n") + lines, " " + error});
  };
  // Both roots are -400: the growth is R(-4) = 1 - 4 + 8 - 64/6 + 256/24 = 5 with rk4 and |1 - 4| = 3 with one stage.
  const std::string grow = "baumgarte: with α = 400 and β = 400 errors of the constraints grow ",
                    smaller = " s, smaller numbers, or baumgarte = true, which follows the step";
  add_settings("errors that grow", "method = \"rk4\"\nbaumgarte = [400, 400]\n",
               grow + "5-fold in every step of 0.01 s with rk4; take steps below 0.00696" + smaller);
  add_settings("errors that grow on the group", "method = \"lie-euler\"\nbaumgarte = [400, 400]\n",
               grow + "3-fold in every step of 0.01 s with lie-euler; take steps below 0.005" + smaller);
  add_settings("terms for a scheme that needs none", "method = \"midpoint\"\nbaumgarte = true\n",
               "baumgarte: midpoint keeps the constraints without such terms (at velocity level too with stabilise = "
               "true); they are for rk4, dormand-prince, lie-rk4, lie-dormand-prince and lie-euler");
  add_settings("extension of a scheme that has no accelerations", "method = \"midpoint\"\nminimal_extension = true\n",
               "midpoint: minimal_extension needs a scheme that has accelerations at single instants: implicit-euler, "
               "bdf2 or radau5; others keep velocities on the constraints by stabilise = true");
  return models;
}

}  // namespace invar

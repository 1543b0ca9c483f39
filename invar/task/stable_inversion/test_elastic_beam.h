// Elastic arms as chains of beam elements, for tests.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>

namespace invar::test {

// One-link arm of length 1 as a chain of beam elements in redundant planar coordinates: directors (c, s) and positions
// (x, y) of nodes; bending stiffness 10, mass 0.5 per length, hub inertia 0.05 with torque u, tip mass 0.2. Either
// without stretch, shear and rotary inertia, or with stiffness 20000 and 8000, rotary inertia 2e-4 per length, 1e-4 at
// the tip.
enum class BeamKind { rigid_sections, stretch_and_shear };
inline std::string beam_arm(int elements, BeamKind beam, bool goes_on = false, double angle = 0.5 * M_PI,
                            double step = 0.0025) {
  const std::string length = fmt::format("{}", 1.0 / elements);
  std::string names, kinetic = "0.025*(c0'^2+s0'^2)", potential = "0", constraints, initial;
  const auto at = [](const char* name, int i) {
    return i == 0 && (*name == 'x' || *name == 'y') ? std::string("0") : name + std::to_string(i);
  };
  const auto rate = [&](const char* name, int i) { return i == 0 ? std::string("0") : at(name, i) + "'"; };
  const auto constraint = [&](const std::string& name, const std::string& expr) {
    constraints += "[[system.constraint]]\nname = \"" + name + "\"\nexpr = \"" + expr + "\"\n";
  };
  for (int i = 0; i <= elements; ++i) {
    for (const char* name : {"c", "s", "x", "y"}) {
      if (at(name, i) == "0") continue;
      names += (names.empty() ? "\"" : ", \"") + at(name, i) + "\"";
      const double value = *name == 'c' ? 1.0 : *name == 'x' ? static_cast<double>(i) / elements : 0.0;
      initial += at(name, i) + " = " + fmt::format("{}", value) + "\n";
    }
    constraint("unit" + std::to_string(i), "(" + at("c", i) + "^2 + " + at("s", i) + "^2 - 1)/2");
  }
  for (int i = 0; i < elements; ++i) {
    for (const char* name : {"x", "y"})
      kinetic += "+ 0.5*" + length + "/6*(" + rate(name, i) + "^2 + " + rate(name, i) + "*" + rate(name, i + 1) +
                 " + " + rate(name, i + 1) + "^2)";
    potential +=
        " + 5/" + length + "*(" + at("c", i) + "*" + at("s", i + 1) + " - " + at("s", i) + "*" + at("c", i + 1) + ")^2";
    const std::string c = "(" + at("c", i) + " + " + at("c", i + 1) + ")/2",
                      s = "(" + at("s", i) + " + " + at("s", i + 1) + ")/2",
                      dx = "(" + at("x", i + 1) + " - " + at("x", i) + ")",
                      dy = "(" + at("y", i + 1) + " - " + at("y", i) + ")";
    const std::string stretch = "(" + c + "*" + dx + " + " + s + "*" + dy + ")/" + length + " - 1";
    const std::string shear = "(" + c + "*" + dy + " - " + s + "*" + dx + ")/" + length;
    if (beam == BeamKind::rigid_sections) {
      constraint("stretch" + std::to_string(i), stretch);
      constraint("shear" + std::to_string(i), shear);
      continue;
    }
    potential += " + 10000*" + length + "*(" + stretch + ")^2 + 4000*" + length + "*(" + shear + ")^2";
    for (const char* name : {"c", "s"})
      kinetic += "+ 0.0002*" + length + "/6*(" + at(name, i) + "'^2 + " + at(name, i) + "'*" + at(name, i + 1) +
                 "' + " + at(name, i + 1) + "'^2)";
  }
  const std::string tip = std::to_string(elements);
  kinetic += " + 0.1*(x" + tip + "'^2 + y" + tip + "'^2)";
  if (beam == BeamKind::stretch_and_shear) kinetic += " + 0.00005*(c" + tip + "'^2 + s" + tip + "'^2)";
  // To an angle, or from rest into steady rotation with 2 rad/s.
  const std::string reference =
      goes_on ? std::string("[[trajectory]]\noutputs = [\"tip\"]\nexpr = [\"2/40*log(1 + exp(40*(t - 0.55)))\"]\n")
              : fmt::format(
                    "[[trajectory]]\noutputs = [\"tip\"]\nfrom = [0.0]\nto = [{}]\nstart = 0.3\nduration = 0.5\n"
                    "profile = \"poly9\"\n",
                    angle);
  return "name = \"arm\"\n[system]\ncoordinates = [" + names + "]\nkinetic = \"" + kinetic + "\"\npotential = \"" +
         potential + "\"\n" + constraints + "[[system.input]]\nname = \"u\"\nforce = { c0 = \"-s0\", s0 = \"c0\" }\n" +
         "[[system.output]]\nname = \"tip\"\nexpr = \"atan2(y" + tip + ", x" + tip + ")\"\n" + reference +
         "[initial]\n" + initial + fmt::format("[invert]\nuntil = 1.1\nstep = {}\nverify = false\n", step);
}

}  // namespace invar::test

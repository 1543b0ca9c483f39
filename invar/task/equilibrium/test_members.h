// Beams and strings at rest whose tips are known, with an output "tip".
#pragma once

#include <string>

namespace invar::test {

struct Mesh {
  int nodes, elements;
};

inline std::string with(const std::string& text, Mesh mesh) {
  return text + "elements = " + std::to_string(mesh.elements) + "\nelement_nodes = " + std::to_string(mesh.nodes) +
         "\n";
}

inline std::string beam(const std::string& line, const std::string& stiffness, Mesh mesh, const std::string& loads) {
  return with(
             "name = \"beam\"\n[[beam]]\nname = \"beam\"\nfrom = \"ground\"\nnormal = [0, 0, 1]\n"
             "mass_per_length = 1\ninertia_per_length = [0.1, 0.1, 0.2]\n" +
                 line + stiffness,
             mesh) +
         loads;
}

inline std::string at_tip(const std::string& s, const std::string& load) {
  return "[[force]]\non = \"beam\"\ns = " + s + "\n" + load +
         "[[output]]\nname = \"tip\"\npoint = { on = \"beam\", s = " + s + " }\n";
}

inline std::string bend(Mesh mesh) {
  return beam("arc = { from = [0, 0, 0], along = [0, 1, 0], towards = [1, 0, 0], radius = 100, angle = \"pi/4\" }\n",
              "GA = 5e6\nEA = 1e7\nEI = \"1e7/12\"\nGJ = \"5e6/6\"\n", mesh,
              at_tip("\"25*pi\"", "force = [0, 0, 600]\n"));
}

inline std::string princeton(Mesh mesh) {
  return beam("points = [[0, 0, 0], [0.508, 0, 0]]\n",
              "GA = 903914.98542\nEA = 2841908.71416\nEI = [2.42873444335, 36.279363544]\nGJ = 3.10379635958\n", mesh,
              at_tip("0.508", "force = [0, \"13.345*sin(pi/4)\", \"-13.345*cos(pi/4)\"]\n"));
}

inline std::string heavy_cantilever(Mesh mesh) {
  return beam("points = [[0, 0, 0], [2, 0, 0]]\nload = [0, 0, -3]\n", "GA = 500\nEA = 1000\nEI = 1\nGJ = 1\n", mesh,
              at_tip("2", "force = [0, 0, -2]\n"));
}

inline std::string roll_up(Mesh mesh) {
  return beam("points = [[0, 0, 0], [10, 0, 0]]\n", "GA = 8e3\nEA = 2e4\nEI = 200\nGJ = 150\n", mesh,
              at_tip("10", "torque = [0, 0, \"40*pi\"]\n"));
}

inline std::string cable(const std::string& kind, Mesh mesh) {
  return with(
             "name = \"cable\"\n[world]\ngravity = [0, 0, -9.81]\n[[string]]\nname = \"cable\"\n"
             "points = [[0, 0, 0], [1.2, 0, 0.3]]\nlength = 2\nmass_per_length = 1.5\nfrom = \"ground\"\nto = "
             "\"ground\"\n" +
                 kind + "\n",
             mesh) +
         "[[output]]\nname = \"tip\"\npoint = { on = \"cable\", s = 1 }\n";
}

inline std::string elastic_cable(Mesh mesh) { return cable("EA = 500", mesh); }
inline std::string inextensible_cable(Mesh mesh) { return cable("inextensible = true", mesh); }

}  // namespace invar::test

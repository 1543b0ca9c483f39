// Model texts that the tests of several rooms share. Each stops where a test has something of its own to say.
#pragma once

#include <string>

namespace invar::test {

// The place of the load of the crane below.
inline const std::string load_outputs = R"toml(
[[system.output]]
name = "load_x"
expr = "x"
[[system.output]]
name = "load_z"
expr = "z"
)toml";

// A load on a winch cable below a trolley, in redundant coordinates.
inline std::string overhead_crane(const std::string& outputs = load_outputs) {
  return R"toml(name = "crane"
[parameters]
mt = 10.0
m = 100.0
J = 0.1
r = 0.1
g = 9.81
[system]
coordinates = ["s", "l", "x", "z"]
kinetic = "mt/2*s'^2 + J/(2*r^2)*l'^2 + m/2*(x'^2 + z'^2)"
potential = "m*g*z"
[[system.constraint]]
name = "cable"
expr = "((x - s)^2 + z^2 - l^2)/2"
tension = "l"
[[system.input]]
name = "F"
force = { s = "1" }
[[system.input]]
name = "M"
force = { l = "1/r" }
)toml" + outputs;
}

// Two links in space: the first turns about y on the ground, the second about z on the first.
inline const std::string two_links = R"toml(name = "two links"
[world]
gravity = [0, 0, -9.81]
[[body]]
name = "a"
mass = 2.0
inertia = [0.2, 0.3, 0.1]
position = [0.5, 0, 0]
[[body]]
name = "b"
mass = 1.0
inertia = [0.1, 0.1, 0.05]
position = [1.0, 0.4, 0]
[[joint]]
name = "A"
type = "revolute"
between = ["ground", "a"]
at = [0, 0, 0]
axis = [0, 1, 0]
coordinate = "alpha"
[[joint]]
name = "B"
type = "revolute"
between = ["a", "b"]
at = [1, 0, 0]
axis = [0, 0, 1]
coordinate = "beta"
[[output]]
name = "tip"
point = { on = "b", at = [0, 0.4, 0] }
)toml";

}  // namespace invar::test

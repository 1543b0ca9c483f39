// Model texts that the tests of this folder share.
#pragma once

namespace invar {

inline constexpr const char* crane_text = R"toml(name = "planar overhead crane"

[parameters]
mt = 10.0
m = 100.0
J = 0.1
r = 0.1
g = 9.81

[system]
coordinates = ["s", "l", "x", "z"]
kinetic = "mt/2*s'^2 + J/(2*r^2)*l'^2 + m/2*(x'^2 + z'^2)" #quadratic in the velocities; may depend on coordinates
potential = "m*g*z"
force = { s = "-0.5*s'" }

[[system.constraint]]
name = "cable"
expr = "((x - s)^2 + z^2 - l^2)/2"

[[system.input]]
name = "F"
force = { s = "1" }

[[system.input]]
name = "M"
force = { l = "1/r" }

[[system.output]]
name = "load_x"
expr = "x"

[[system.output]]
name = "load_z"
expr = "z"

[initial]
s = 0.0
l = 4.0
x = 0.0
z = -4.0
"s'" = "2*r"

[simulate]
until = 1.0
step = 0.01
method = "energy-momentum"
inputs = { F = "100*sin(t)" }
)toml";

// What the load shall do, to go after the crane.
inline constexpr const char* crane_trajectories = R"toml(
[[signal]]
name = "c"
from = 0.0
to = 1.0
start = 0.5
duration = "2*pi"
profile = "three-phase"
accelerate = 1.5

[[signal]]
name = "lift"
via = [0, 2, 3]
times = [0, "r*10", 7.5]
smoothness = 5

[[signal]]
name = "both"
expr = "lift + 2*c*late"

[[signal]]
name = "late"
expr = "m/100 + sin(t)^2"

[[trajectory]]
outputs = ["load_x"]
from = [0.0]
to = ["5*r"]
duration = 3.0
profile = "poly9"

[[trajectory]]
outputs = ["load_z"]
expr = ["-4 + both + c''"]

[invert]
step = 0.05
verify = false
)toml";

}  // namespace invar

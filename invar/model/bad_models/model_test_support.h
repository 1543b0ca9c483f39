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

// Something of every part of a mechanism.
inline constexpr const char* mechanism_text = R"toml(name = "mechanism"
[parameters]
k = 2.0
[world]
gravity = [0, 0, "-k*4.9"]
[[body]]
name = "arm"
mass = 1.0
inertia = [1, 2, 2, 0.1, 0, 0]
position = [1, 0, 0]
rotation = { axis = [0, 0, 1], angle = 0.5 }
angular_velocity = [0, 0, 1]
[[body]]
name = "hand"
mass = 0.5
inertia = [0.2, 0.2, 0.1]
position = [2, 0, 1]
rotation = { quaternion = [1, 0, 0, 1] }
[[body]]
name = "wheel"
mass = 1
inertia = [1, 1, 1]
position = [0, 0, 9]
[[point]]
name = "load"
mass = 0
position = [3, 0, -2]
[[joint]]
name = "slew"
type = "cylindrical"
between = ["ground", "arm"]
at = [0, 0, 0]
axis = [0, 0, 1]
coordinate = ["phi", "s"]
start = [0.5, 1]
damping = 0.1
motion = "0.5 + 0.1*t"
[[joint]]
name = "wrist"
type = "screw"
between = ["arm", "hand"]
at = [2, 0, 0]
axis = [1, 0, 1]
pitch = 0.01
[[joint]]
name = "mesh"
type = "gear"
coordinates = ["wrist.angle", "s"]
ratio = 3
[[joint]]
name = "rod"
type = "distance"
between = ["load", "ground"]
to = [3, 4, 0]
[[cable]]
name = "hoist"
route = [{ on = "ground" }, { on = "hand", at = [0, 0, 1], pulley = { inertia = 1, radius = 0.1 } }, { on = "load" }]
winch = { coordinate = "l", inertia = 0.1, radius = 0.1 }
[[spring]]
between = [{ on = "arm" }, { on = "load" }]
stiffness = 10
rest = 0.5
damping = 1
[[force]]
on = "hand"
frame = "body"
force = ["t", 0, "-l"]
torque = [0, "sin(phi)", 0]
[[spin]]
on = "wheel"
angular_velocity = [0, 0, "t"]
[[actuator]]
name = "u"
on = "l"
[[actuator]]
name = "w"
between = ["arm", "hand"]
torque = [0, 0, 1]
[[output]]
name = "load"
point = "load"
[[output]]
name = "heading"
orientation = "arm"
[[trajectory]]
orientation = "arm"
axis = [0, 0, 1]
angle = 1
duration = 2
profile = "poly9"
[initial]
"l'" = 0.1
)toml";

}  // namespace invar

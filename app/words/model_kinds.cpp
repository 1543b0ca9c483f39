// See model_kinds.h.
#include "app/words/model_kinds.h"

#include "app/words/arguments.h"

namespace invar::app {

namespace {

constexpr std::string_view crane =
    R"toml(# A crane in the plane: a trolley on a track, and a load on a rope with a winch.
# All values are in SI units, all angles in radians.
#
#   invar check crane.toml       what kind of problem is this?
#   invar invert crane.toml      which force and torque carry the load along its trajectory, exactly?
#   invar simulate crane.toml    how does it swing if nobody drives it?
#   invar control crane.toml     does it still follow with feedback, if the load is heavier than believed?
name = "crane"

[parameters]       # constants for formulas; another value for one run: --set m=150
m = 100.0          # kg, load
radius = 0.1       # m, drum of the winch

[world]
dimension = 2      # a plane: places have two numbers
gravity = [0, -9.81]

[[body]]
name = "trolley"
mass = 10.0
inertia = 1.0      # about the centre of mass; it does not turn here
position = [0, 0]  # in the world, at the start
shape = { box = [0.5, 0.3] }   # for the picture

[[point]]          # a body whose rotation does not matter
name = "load"
mass = "m"         # formulas stand in quotes
position = [0, -4]

[[joint]]
name = "track"
type = "prismatic"
between = ["ground", "trolley"]   # what does not move is called "ground"
axis = [1, 0]
coordinate = "s"   # a name for the displacement, for actuators and outputs

[[cable]]
name = "rope"
route = [{ on = "trolley" }, { on = "load" }]
winch = { coordinate = "l", inertia = 0.1, radius = "radius" }

[[actuator]]       # an input: a force along s, in N
name = "F"
on = "s"

[[actuator]]       # a torque on the drum, in N m: per unit of it, the rope is pulled with 1/radius
name = "M"
on = "l"
gain = "1/radius"

[[output]]         # recorded as load.x and load.y, and can be prescribed
name = "load"
point = "load"

[[trajectory]]     # as many outputs as inputs
outputs = ["load.x", "load.y"]
from = [0.0, -4.0]
to = [5.0, -1.0]
duration = 3.0
profile = "poly9"  # smooth enough: the inputs of a crane need four derivatives

[simulate]
until = 3.0
step = 0.01
inputs = { M = "-radius*m*9.81" }   # holds the load

[invert]
until = 3.0
step = 0.01

[control]
controller = "output-feedback"
until = 5.0
period = 0.01      # of the samples
bandwidth = 5.0    # 1/s

[plant]            # how the truth differs from the model that the controller knows
parameters = { m = 110.0 }
)toml";

constexpr std::string_view arm =
    R"toml(# A planar arm with two links and a motor in each joint. All values are in SI units, all angles in radians.
#
#   invar invert arm.toml        which torques turn the joints as prescribed?
#   invar simulate arm.toml      how does it fall without motors?
#   invar optimize arm.toml      how does it stretch upwards with the least effort?
name = "arm"

[parameters]
length = 1.0       # m, of each link
mass = 5.0         # kg, of each link

[world]
dimension = 2
gravity = [0, -9.81]

[[body]]
name = "upper"
mass = "mass"
inertia = "mass*length^2/12"
position = ["length/2", 0]         # of the centre of mass, at the start: the arm lies along x
shape = { box = ["length", 0.1] }

[[body]]
name = "lower"
mass = "mass"
inertia = "mass*length^2/12"
position = ["3*length/2", 0]
shape = { box = ["length", 0.08] }

[[joint]]
name = "shoulder"
type = "revolute"
between = ["ground", "upper"]
at = [0, 0]
coordinate = "a"   # its angle, zero at the start unless `start` says otherwise
damping = 0.1      # N m s

[[joint]]
name = "elbow"
type = "revolute"
between = ["upper", "lower"]
at = ["length", 0]
coordinate = "b"
damping = 0.1

[[actuator]]
name = "Ma"
on = "a"

[[actuator]]
name = "Mb"
on = "b"

[[output]]
name = "angle_a"
coordinate = "a"

[[output]]
name = "angle_b"
coordinate = "b"

[[output]]
name = "tip"
point = { on = "lower", at = ["length/2", 0] }

[[trajectory]]
outputs = ["angle_a", "angle_b"]
from = [0.0, 0.0]
to = ["pi/3", "pi/4"]
duration = 2.0
profile = "poly5"

[simulate]
until = 2.0
step = 0.005

[invert]
until = 2.0
step = 0.01

[optimize]
horizon = 1.5
intervals = 60
cost = "Ma^2 + Mb^2"
final = { a = "pi/2", b = 0.0 }    # upright …
rest = true                        # … and at rest
)toml";

constexpr std::string_view formula =
    R"toml(# A mechanical system by its formulas, as a paper gives them: here a cart with a pendulum.
# All values are in SI units, all angles in radians; x' is the velocity of x.
#
#   invar check formula.toml
#   invar simulate formula.toml
name = "formula"

[parameters]
M = 1.0    # cart, kg
m = 0.3    # pendulum, kg
l = 0.5    # m
g = 9.81

[system]   # d/dt ∂T/∂q' − ∂T/∂q = −∂V/∂q + f + Bᵀu − Gᵀλ
coordinates = ["s", "x", "y"]      # cart; pendulum in the plane, held by a constraint
kinetic = "M/2*s'^2 + m/2*(x'^2 + y'^2)"
potential = "m*g*y"
force = { s = "-0.1*s'" }          # friction of the cart

[[system.constraint]]              # is held at zero; its multiplier is recorded as lambda.rod
name = "rod"
expr = "((x - s)^2 + y^2 - l^2)/2"

[[system.input]]
name = "F"
force = { s = "1" }                # acts on s with one newton per unit

[[system.output]]
name = "angle"
expr = "atan2(x - s, -y)"

[initial]                          # nearby values will do: they are moved onto the constraints
s = 0.0
x = 0.5
y = 0.0
"s'" = 0.2                         # velocities that are not given are zero

[simulate]
until = 5.0
step = 0.005
inputs = { F = "2*sin(pi*t)" }     # formulas of time, or { file = "inputs.csv" }

[[draw]]
name = "cart"
box = ["s", "0"]
size = [0.3, 0.15]

[[draw]]
name = "rod"
link = [["s", "0"], ["x", "y"]]

[units]                            # for labels
m = ["s", "x", "y"]
rad = ["angle"]
N = ["F"]
)toml";

constexpr std::string_view optimum =
    R"toml(# Optimal control: a force on a cart shall swing a pendulum up with the least effort.
# All values are in SI units, all angles in radians.
#
#   invar optimize optimum.toml
name = "optimum"

[parameters]
M = 1.0    # cart, kg
m = 0.3    # pendulum, kg
l = 0.5    # m
g = 9.81

[system]
coordinates = ["x", "phi"]         # the pendulum hangs at phi = 0
kinetic = "M/2*x'^2 + m/2*(x'^2 + 2*l*x'*phi'*cos(phi) + l^2*phi'^2)"
potential = "-m*g*l*cos(phi)"

[[system.input]]
name = "F"
force = { x = "1" }

[initial]
x = 0.0
phi = 0.0

[optimize]
horizon = 2.0                      # s
intervals = 50                     # a finer mesh: --intervals 100, or --refine 3 for its limit
cost = "F^2"                       # integrated over time
final = { x = 1.0, phi = "pi" }    # the goal …
rest = true                        # … at rest
bounds = { F = [-20, 20], x = [-2, 2] }

[[draw]]
name = "cart"
box = ["x", "0"]
size = [0.3, 0.15]

[[draw]]
name = "pendulum"
link = [["x", "0"], ["x + l*sin(phi)", "-l*cos(phi)"]]

[units]
m = ["x"]
rad = ["phi"]
N = ["F"]
)toml";

constexpr std::string_view beam = R"toml(# An elastic cantilever with a mass at its tip. All values are in SI units.
#
#   invar equilibrium beam.toml  how far does it bend?
#   invar simulate beam.toml     how does it swing when it is let go?
name = "beam"

[parameters]
length = 1.0     # m
m = 0.2          # kg, at the tip

[world]
gravity = [0, 0, -9.81]

[[beam]]
name = "rod"
points = [[0, 0, 0], ["length", 0, 0]]     # of the centre line, without load
normal = [0, 0, 1]                         # the first axis of the section
elements = 6
EA = 2e5                                   # stiffness: along it, N …
GA = 1e5                                   # … of shear, N …
EI = 10.0                                  # … of bending, N m² …
GJ = 8.0                                   # … of torsion, N m²
mass_per_length = 0.3                      # kg/m
inertia_per_length = [1e-5, 1e-5, 2e-5]    # kg m
from = "ground"                            # where it is clamped

[[body]]
name = "tip_mass"
mass = "m"
inertia = [1e-4, 1e-4, 1e-4]
position = ["length", 0, 0]
shape = { sphere = 0.03 }

[[joint]]
name = "weld"
type = "fixed"
between = [{ on = "rod", s = "length" }, "tip_mass"]

[[output]]
name = "tip"
point = { on = "rod", s = "length" }

[simulate]
until = 2.0
step = 0.005
)toml";

constexpr ModelKind kinds[] = {
    {"crane", "trolley and load on a rope, from bodies: feedforward and feedback", "check invert simulate control",
     crane},
    {"arm", "two links with motors, from bodies: torques for a motion, least effort", "check simulate invert optimize",
     arm},
    {"formula", "a system by its formulas, as a paper gives them", "check simulate", formula},
    {"optimum", "swing-up of a pendulum by optimal control", "check optimize", optimum},
    {"beam", "an elastic cantilever with a mass at its tip", "check equilibrium simulate", beam},
};

}  // namespace

std::span<const ModelKind> model_kind_table() { return kinds; }

std::vector<std::string> model_kinds() {
  std::vector<std::string> names;
  for (const ModelKind& kind : kinds) names.emplace_back(kind.name);
  return names;
}

std::string model_kinds_in_words() {
  std::string text = "KIND is one of:";
  for (const ModelKind& kind : kinds) text += "\n  " + std::string(kind.name) + ": " + std::string(kind.help);
  return text;
}

const ModelKind& model_kind(const std::string& name) {
  require_known(name, model_kinds(), "models");
  for (const ModelKind& kind : kinds)
    if (kind.name == name) return kind;
  return kinds[0];
}

}  // namespace invar::app

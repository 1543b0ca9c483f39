"""Lagrange's equations of a model file of Invar in CasADi: systems of formulas, and open trees of hinged bodies in
joint coordinates.

    d/dt ∂T/∂v − ∂T/∂q + ∂V/∂q − f − Bᵀu + Gᵀλ = 0,    Φ(q) = 0
"""
import dataclasses
import tomllib

import bodies
import casadi as ca
import numpy as np

FUNCTIONS = {"pi": ca.pi, "sin": ca.sin, "cos": ca.cos, "tan": ca.tan, "sqrt": ca.sqrt, "exp": ca.exp, "abs": ca.fabs}
RATE = "__rate"  # x' is read as x__rate


@dataclasses.dataclass
class Mechanics:
    names: list  # of the coordinates
    q: ca.SX
    v: ca.SX
    inputs: list
    u: ca.SX
    kinetic: ca.SX
    potential: ca.SX
    force: ca.SX  # of forces without potential and of inputs
    constraints: ca.SX
    start: list  # q and v
    known: dict  # what names stand for in formulas

    def formula(self, text):
        return bodies.evaluate(str(text).replace("'", RATE), self.known)

    def dynamics(self):
        """The left side of the equations as a function of q, v, a, λ, u."""
        a, multipliers = ca.SX.sym("a", len(self.names)), ca.SX.sym("l", self.constraints.numel())
        momentum = ca.gradient(self.kinetic, self.v)
        left = (ca.jacobian(momentum, self.v) @ a + ca.jacobian(momentum, self.q) @ self.v
                - ca.gradient(self.kinetic - self.potential, self.q) - self.force)
        if self.constraints.numel():
            left += ca.jacobian(self.constraints, self.q).T @ multipliers
        return ca.Function("dynamics", [self.q, self.v, a, multipliers, self.u], [left])


def read(text):
    model = tomllib.loads(text)
    return (formulas if "system" in model else tree)(model, bodies.parameters(model, FUNCTIONS))


def named(names, symbols, rates):
    return {**dict(zip(names, ca.vertsplit(symbols))), **{n + RATE: r for n, r in zip(names, ca.vertsplit(rates))}}


def formulas(model, known):
    system, reduce = model["system"], model.get("reduce")
    names = reduce["coordinates"] if reduce else system["coordinates"]
    q, v = ca.SX.sym("q", len(names)), ca.SX.sym("v", len(names))
    inputs = [i["name"] for i in system.get("input", [])]
    u = ca.SX.sym("u", len(inputs))
    known = {**known, **named(names, q, v), **dict(zip(inputs, ca.vertsplit(u)))}
    full = q
    if reduce:  # x = x(q) and x' = ∂x/∂q q' in place of the coordinates of the system
        full = ca.vertcat(*(bodies.evaluate(reduce["map"].get(n, n), known) for n in system["coordinates"]))
        known = {**known, **named(system["coordinates"], full, ca.jacobian(full, q) @ v)}

    def formula(value):
        return bodies.evaluate(str(value).replace("'", RATE), known)

    force = ca.SX.zeros(len(system["coordinates"]))
    for table, factor in [(system.get("force", {}), 1), *((i["force"], known[i["name"]])
                                                          for i in system.get("input", []))]:
        for name, value in table.items():
            force[system["coordinates"].index(name)] += formula(value) * factor
    constraints = [] if reduce else [formula(c["expr"]) for c in system.get("constraint", [])]
    start = [float(formula(model["initial"].get(n, 0))) for n in [*names, *(n + "'" for n in names)]]
    return Mechanics(names, q, v, inputs, u, formula(system["kinetic"]), formula(system.get("potential", "0")),
                     ca.jacobian(full, q).T @ force, ca.vertcat(*constraints) if constraints else ca.SX(0, 1), start,
                     known)


def turn(axis, angle):
    """Rodrigues' matrix with a symbolic angle."""
    x, y, z = np.array(axis, float) / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return ca.SX(np.eye(3)) + ca.sin(angle) * ca.SX(k) + (1 - ca.cos(angle)) * ca.SX(k @ k)


def space(values):
    return np.array([*values, 0.0][:3], float)


@dataclasses.dataclass
class Placed:
    """A body: axes, centre of mass, angular velocity, velocity; and where its centre was at the start."""
    axes: ca.SX
    centre: ca.SX
    spin: ca.SX
    velocity: ca.SX
    was: np.ndarray


class Tree:
    """Symbols and motion of the bodies along joints. At the start all axes are those of the world."""
    def __init__(self, model, known):
        self.model = bodies.numbers_in({k: x for k, x in model.items() if k != "parameters"}, known)
        self.names, self.q, self.v, self.start = [], [], [], []
        still = ca.SX.zeros(3)
        self.placed = {"ground": Placed(ca.SX.eye(3), still, still, still, np.zeros(3))}
        joints = self.model["joint"]
        carried = {j["between"][1]: j for j in joints}
        for body in self.model["body"]:
            self.float(body) if body["name"] not in carried else self.carry(body, carried[body["name"]])

    def symbol(self, name, start=0.0):
        self.names.append(name)
        self.start.append(start)
        self.q.append(ca.SX.sym(name))
        self.v.append(ca.SX.sym(name + "'"))
        return self.q[-1], self.v[-1]

    def float(self, body):
        """Three places and three angles about turning axes x, y, z."""
        was = space(body["position"])
        places = [self.symbol(f"{body['name']}.{c}", x) for c, x in zip("xyz", was)]
        axes, spin = ca.SX.eye(3), ca.SX.zeros(3)
        for k in range(3):
            angle, rate = self.symbol(f"{body['name']}.angle{k + 1}")
            spin += axes @ np.eye(3)[k] * rate
            axes = axes @ turn(np.eye(3)[k], angle)
        centre, velocity = (ca.vertcat(*column) for column in zip(*places))
        self.placed[body["name"]] = Placed(axes, centre, spin, velocity, was)

    def carry(self, body, joint):
        parent, at, was = self.placed[joint["between"][0]], space(joint["at"]), space(body["position"])
        axis, start = np.array(joint.get("axis", [0, 0, 1]), float), joint.get("start", 0.0)
        angle, rate = self.symbol(joint["coordinate"], start)
        axes = parent.axes @ turn(axis, angle - start)
        arm, reach = parent.axes @ (at - parent.was), axes @ (was - at)
        spin = parent.spin + parent.axes @ (axis / np.linalg.norm(axis)) * rate
        self.placed[body["name"]] = Placed(axes, parent.centre + arm + reach, spin,
                                           parent.velocity + ca.cross(parent.spin, arm) + ca.cross(spin, reach), was)

    def energies(self):
        gravity = space(self.model.get("world", {}).get("gravity", [0, 0, 0]))
        kinetic, potential = 0, 0
        for body in self.model["body"]:
            p, inertia = self.placed[body["name"]], body["inertia"]
            moments = inertia if isinstance(inertia, list) else [0.0, 0.0, inertia]
            own = p.axes.T @ p.spin
            kinetic += (body["mass"] * ca.dot(p.velocity, p.velocity)
                        + sum(m * w * w for m, w in zip(moments, ca.vertsplit(own)))) / 2
            potential -= body["mass"] * ca.dot(gravity, p.centre)
        return kinetic, potential

    def power(self, actuator):
        """Of one unit of an input."""
        if "on" in actuator:
            return self.v[self.names.index(actuator["on"])]
        one, two = (self.placed[name] for name in actuator["between"])
        torque = actuator["torque"]
        return ca.dot((one.axes if actuator.get("frame") == "body" else ca.SX.eye(3)) @ space(torque),
                      two.spin - one.spin)


def tree(model, known):
    made = Tree(model, known)
    q, v = ca.vertcat(*made.q), ca.vertcat(*made.v)
    inputs = [a["name"] for a in made.model["actuator"]]
    u = ca.SX.sym("u", len(inputs))
    power = ca.vertcat(*(made.power(a) for a in made.model["actuator"]))
    force = ca.jacobian(power, v).T @ u
    for joint in made.model["joint"]:
        k = made.names.index(joint["coordinate"])
        force[k] -= joint.get("damping", 0.0) * v[k]
    kinetic, potential = made.energies()
    known = {**known, **named(made.names, q, v), **dict(zip(inputs, ca.vertsplit(u)))}
    return Mechanics(made.names, q, v, inputs, u, kinetic, potential, force, ca.SX(0, 1),
                     [*made.start, *[0.0] * len(made.start)], known)

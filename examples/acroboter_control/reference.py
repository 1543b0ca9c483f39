"""Planar ACROBOTER under computed torque with servo constraints; x to the right, z up, the ceiling at z = 0.

Robot: carriage (x1, 0), connector (x2, z2), and the swinging unit, a rigid body with the suspension points
P3 = (x3, z3) and P4 = (x4, z4), q = (x1, x2, z2, x3, z3, x4, z4). A point of the unit at (ξ, ζ) from P3, along P3-P4
and across it, is the linear map
    r(ξ, ζ) = P3 + ξ/L (P4 - P3) + ζ/L (-(z4 - z3), x4 - x3),
from which the constant mass matrix M, gravity Q and the directions H(q) of the inputs u = (FL, F1, F2, F3, FT) are
made: the drive of the carriage, tensions between P1 and P2, P2 and P3, P2 and P4, and the thrust along P3-P4 at the
fan.

Controller: every h = 0.01 s it measures q, v and solves a step of implicit Euler of the equations of motion with the
wanted outputs γ for the wanted q1, y1 = (q1 - q0)/h, the multiplier λ of Φ = |P3 - P4|² - L² and the inputs, which it
holds until the next sample:
    M (y1 - y0)/h = Q + H(q1) u - Gᵀ λ - KP (q1 - q) - KD (y1 - v),   Φ(q1) = 0,   s(q1) = γ(t),
    s = (x1, z2 - (z3 + z4)/2, (x3 + x4)/2, (z3 + z4)/2, z3 - z4);
q0, y0 are wanted at the sample before, at first rest on the path. γ consists of straight ramps: x1 to 0.4 m from 3 to
4 s; the next three from (0.8, 0, -1.5) to (0.6, 0.2, -1.1) m from 2 to 4 s; no tilt.

The robot in reference.csv: Newton's and Euler's equations of carriage, connector and unit in x1, x2, z2, the unit's
centre of mass and its angle, by an explicit Runge-Kutta method of order 8 (DOP853 of SciPy). The robot in
reference_one_step.csv, as in the source: one step of the classical Runge-Kutta method per sample on
    M v' + Gᵀ λ = Q + H(q) u,   G v' = -G' v - 2·40 G v - 60² Φ   (Baumgarte's terms);
its error in x2 reaches 1.7e-4 m.

Data and gains: model.toml, after A. Zelei, G. Stépán, The ACROBOTER platform, part 2: servo-constraints in computed
torque control, in: IUTAM Symposium on Dynamics Modeling and Interaction Control in Virtual and Real Environments,
Springer (2011).
"""

from math import cos, sin

import numpy as np
from scipy.integrate import solve_ivp
from scipy.linalg import block_diag

# The files have 13 and 12 digits; what the robot's integration leaves in reference.csv, 2e-10 m, is stated there.
TOLERANCE = {"reference": 1e-9, "reference_one_step": 1e-10}

mu, mc, m, I, L, g = 20.0, 0.5, 9.3, 0.4, 0.4, 9.81  # I about the centre of mass
centre, fan = (0.2, -0.05), (0.2, 0.05)
h, samples, every = 0.01, 600, 5
KP = np.array([1000, 0.5, 10, 15, 20, 15, 20])
KD = np.array([150, 0, 10, 1, 3, 1, 3])
NAMES = ["x1", "x2", "z2", "x3", "z3", "x4", "z4"]


def point_map(ξ, ζ):
    """dr(ξ, ζ)/d(x3, z3, x4, z4)."""
    a, b = ξ / L, ζ / L
    return np.array([[1 - a, b, a, -b], [-b, 1 - a, b, a]])


turning = np.array([[1, 0, -1, 0], [0, 1, 0, -1]]) / L  # |turning (P3, P4)'| is the angular velocity
M = block_diag(mu, mc, mc, m * point_map(*centre).T @ point_map(*centre) + I * turning.T @ turning)
Q = np.array([0, 0, -mc * g, *(point_map(*centre).T @ [0, -m * g])])
S = np.array([
    [1, 0, 0, 0, 0, 0, 0],
    [0, 0, 1, 0, -0.5, 0, -0.5],
    [0, 0, 0, 0.5, 0, 0.5, 0],
    [0, 0, 0, 0, 0.5, 0, 0.5],
    [0, 0, 0, 0, 1, 0, -1],
])


def towards(start, end):
    return (end - start) / np.hypot(*(end - start))


def directions(q):
    """H: a tension pulls both ends of its cable towards each other."""
    P1, P2, P3, P4 = np.array([q[0], 0]), q[1:3], q[3:5], q[5:7]
    H = np.zeros((7, 5))
    H[0, 0] = 1
    H[0, 1], H[1:3, 1] = towards(P1, P2)[0], towards(P2, P1)
    H[1:3, 2], H[3:5, 2] = towards(P2, P3), towards(P3, P2)
    H[1:3, 3], H[5:7, 3] = towards(P2, P4), towards(P4, P2)
    H[3:7, 4] = point_map(*fan).T @ (P4 - P3) / L
    return H


def gradient(q):
    """G, linear in q."""
    x, z = 2 * (q[3] - q[5]), 2 * (q[4] - q[6])
    return np.array([0, 0, 0, x, z, -x, -z])


def violation(q):
    return (q[3] - q[5]) ** 2 + (q[4] - q[6]) ** 2 - L**2


def wanted_outputs(t):
    carriage, unit = np.clip([t - 3, (t - 2) / 2], 0, 1)
    return np.array([0.4 * carriage, 0.8 - 0.2 * unit, 0.2 * unit, -1.5 + 0.4 * unit, 0])


def controller(t, q0, y0, q, v, guess):
    """The wanted q1, λ and u in one vector, by Newton's method with differences."""

    def residual(unknowns):
        q1, λ, u = unknowns[:7], unknowns[7], unknowns[8:]
        y1 = (q1 - q0) / h
        balance = M @ (y1 - y0) / h - Q - directions(q1) @ u + gradient(q1) * λ + KP * (q1 - q) + KD * (y1 - v)
        return np.concatenate([balance, [violation(q1)], S @ q1 - wanted_outputs(t)])

    unknowns = guess.copy()
    step = np.ones(1)
    while abs(step).max() > 1e-8:
        value, small = residual(unknowns), 1e-7
        jacobian = np.array([(residual(unknowns + small * e) - value) / small for e in np.eye(13)]).T
        step = np.linalg.solve(jacobian, -value)
        unknowns += step
    return unknowns


def exact_robot(state, u):
    """A sample of the robot with the state (x1, x2, z2, centre of mass, angle, and their rates)."""

    def rates(_, state):
        q, turn = positions(state), rotation(state[5])
        P1, P2, P3, P4 = np.array([q[0], 0]), q[1:3], q[3:5], q[5:7]
        F1, F2, F3 = u[1] * towards(P2, P1), u[2] * towards(P3, P2), u[3] * towards(P4, P2)
        thrust = turn @ [u[4], 0]
        arms = [P3 - state[3:5], P4 - state[3:5], turn @ (np.array(fan) - centre)]
        moment = sum(arm[0] * force[1] - arm[1] * force[0] for arm, force in zip(arms, (F2, F3, thrust)))
        connector = (F1 - F2 - F3) / mc - [0, g]
        unit = (F2 + F3 + thrust) / m - [0, g]
        return [*state[6:], (u[0] - F1[0]) / mu, *connector, *unit, moment / I]

    return solve_ivp(rates, (0, h), state, "DOP853", rtol=1e-12, atol=1e-14).y[:, -1]


def rotation(β):
    return np.array([[cos(β), -sin(β)], [sin(β), cos(β)]])


def positions(state):
    """q from x1, x2, z2, the centre of mass and the angle."""
    C, turn = state[3:5], rotation(state[5])
    return np.concatenate([state[:3], C - turn @ centre, C + turn @ (np.array([L, 0]) - centre)])


def measure(state):
    """q and v."""
    q, spin = positions(state), state[11]
    P3, P4 = [state[9:11] + spin * np.array([-(P - state[3:5])[1], (P - state[3:5])[0]]) for P in (q[3:5], q[5:7])]
    return q, np.concatenate([state[6:9], P3, P4])


def one_step_robot(state, u):
    """A sample of the robot with the state (q, v)."""

    def rates(state):
        q, v = state[:7], state[7:]
        G = gradient(q)
        matrix = np.block([[M, G[:, None]], [G[None, :], np.zeros((1, 1))]])
        right = [*(Q + directions(q) @ u), -gradient(v) @ v - 2 * 40 * G @ v - 60**2 * violation(q)]
        return np.concatenate([v, np.linalg.solve(matrix, right)[:7]])

    k1 = rates(state)
    k2 = rates(state + h / 2 * k1)
    k3 = rates(state + h / 2 * k2)
    k4 = rates(state + h * k3)
    return state + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def closed_loop(state, measure, robot):
    """Time, q and the inputs held from then on, at every fifth sample."""
    q0, y0 = np.array([0, 0, -0.7, -0.2, -1.5, 0.2, -1.5]), np.zeros(7)
    unknowns = np.concatenate([q0, [0, 0, 96, 47, 47, 0]])
    for i in range(samples + 1):
        q, v = measure(state)
        unknowns = controller(i * h, q0, y0, q, v, unknowns)
        y0 = (unknowns[:7] - q0) / h
        q0 = unknowns[:7]
        if i % every == 0:
            yield {"t": i * h, **dict(zip(NAMES, q))}, dict(zip(["FL", "F1", "F2", "F3", "FT"], unknowns[8:]))
        state = robot(state, unknowns[8:])


def start():
    """Beside the path: the middle of P3 and P4 at (0.1, -1.55), tilted by 0.05 rad, at rest."""
    C = np.array([0.1, -1.55]) + rotation(0.05) @ (np.array(centre) - [L / 2, 0])
    return np.array([0.05, 0.03, -0.67, *C, 0.05] + 6 * [0.0])


def reference():
    return ({**places, **inputs} for places, inputs in closed_loop(start(), measure, exact_robot))


def reference_one_step():
    state = np.concatenate(measure(start()))
    return (places for places, _ in closed_loop(state, lambda state: (state[:7], state[7:]), one_step_robot))

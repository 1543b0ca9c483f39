"""Arm of two uniform links with a spring and a damper in the second joint: the bounded motion for a given path of its
tip.

With a the angle of the first link and b that of the second relative to it (m = 1 kg, L = 1 m each, k = 50 N m,
d = 0.25 N m s), the balances of moments of the second link about its joint and of the whole arm about the motor are
    (1/3 + cos(b)/2) a'' + b''/3 + sin(b)/2 a'² + k b + d b' = 0,
    M = (5/3 + cos b) a'' + (1/3 + cos(b)/2) b'' - sin(b) b' (a' + b'/2).
The tip angle y = a + b/2 turns from 0 to π/3 between 1 and 2.5 s with 126τ⁵ - 420τ⁶ + 540τ⁷ - 315τ⁸ + 70τ⁹. With
a = y - b/2 the first becomes
    (cos(b)/4 - 1/6) b'' = (1/3 + cos(b)/2) y'' + sin(b)/2 (y' - b'/2)² + k b + d b',
at rest b'' = 3 b' + 600 b with the roots 26.04 and -23.04. The bounded solution has no decaying part at the start,
b' = 26.04 b, and no growing part at the end, b' = -23.04 b: a problem with two ends, here at 0 and 3.5 s, where
exp(-26.04) = 5e-12 of the motion is left.

Method: multiple shooting. The motion begins anew every 0.05 s, in which errors grow by a factor of 4 only; Newton's
method joins the arcs.
"""

from math import cos, pi, sin, sqrt

import numpy as np
from scipy.integrate import solve_ivp

TOLERANCE = 1e-11  # repeated Newton steps differ by 7e-13, as arcs are integrated with a relative tolerance of 1e-13

k, d = 50.0, 0.25
growing, decaying = (3 + sqrt(2409)) / 2, (3 - sqrt(2409)) / 2
times = np.arange(71) / 20
turn = np.poly1d([70, -315, 540, -420, 126, 0, 0, 0, 0, 0]) * (pi / 3)
turn1, turn2 = turn.deriv() / 1.5, turn.deriv(2) / 1.5**2


def path(t):
    """y, y' and y''."""
    τ = min(max((t - 1) / 1.5, 0), 1)
    return turn(τ), turn1(τ), turn2(τ)


def rates(t, state):
    b, db = state
    _, dy, ddy = path(t)
    forces = (1 / 3 + cos(b) / 2) * ddy + sin(b) / 2 * (dy - db / 2) ** 2 + k * b + d * db
    return [db, forces / (cos(b) / 4 - 1 / 6)]


def arc(i, state):
    """The state at the end of the arc that begins so at times[i]."""
    return solve_ivp(rates, times[i : i + 2], state, "DOP853", rtol=1e-13, atol=1e-15).y[:, -1]


def newton_step(states):
    """Correction of all states (b, b') that closes the gaps between the arcs and meets the conditions at both ends."""
    n, small = len(states), 1e-6  # derivatives by differences
    matrix, gaps = np.zeros((2 * n, 2 * n)), np.zeros(2 * n)
    for i in range(n - 1):
        end = arc(i, states[i])
        gaps[2 * i : 2 * i + 2] = states[i + 1] - end
        for j, direction in enumerate(np.eye(2)):
            matrix[2 * i : 2 * i + 2, 2 * i + j] = (arc(i, states[i] + small * direction) - end) / small
        matrix[2 * i : 2 * i + 2, 2 * i + 2 : 2 * i + 4] = -np.eye(2)
    matrix[-2, :2], gaps[-2] = (-growing, 1), growing * states[0, 0] - states[0, 1]
    matrix[-1, -2:], gaps[-1] = (-decaying, 1), decaying * states[-1, 0] - states[-1, 1]
    return np.linalg.solve(matrix, gaps).reshape(n, 2)


def reference():
    states = np.zeros((len(times), 2))
    change = np.ones(1)
    while abs(change).max() > 1e-11:
        change = newton_step(states)
        states += change
    for t, (b, db) in zip(times, states):
        y, dy, ddy = path(t)
        ddb = rates(t, (b, db))[1]
        a, da, dda = y - b / 2, dy - db / 2, ddy - ddb / 2
        moment = (5 / 3 + cos(b)) * dda + (1 / 3 + cos(b) / 2) * ddb - sin(b) * db * (da + db / 2)
        yield {"t": t, "a": a, "b": b, "a'": da, "b'": db, "M": moment, "tip": y}

"""Double pendulum of two point masses on massless rods, in the angles a, b from the downward vertical.

Lagrange's equations, the second divided by m2 L2:
    (m1+m2) L1 a'' + m2 L2 cos(a-b) b'' + m2 L2 sin(a-b) b'² + (m1+m2) g sin a = 0,
    L1 cos(a-b) a'' + L2 b'' - L1 sin(a-b) a'² + g sin b = 0.

Data: m1 = 1, m2 = 0.5 kg, L1 = 1, L2 = 0.8 m, g = 9.81 m/s², from a = π/2, b = 2π/3 at rest.
Method: explicit Runge-Kutta method of order 8 (DOP853 of SciPy).
"""

from math import cos, pi, sin

import numpy as np
from scipy.integrate import solve_ivp

TOLERANCE = 1e-10  # the motion amplifies the integrator's 1e-13 in 5 s

m1, m2, L1, L2, g = 1.0, 0.5, 1.0, 0.8, 9.81


def rates(_, state):
    a, b, da, db = state
    masses = [[(m1 + m2) * L1, m2 * L2 * cos(a - b)], [L1 * cos(a - b), L2]]
    forces = [-m2 * L2 * sin(a - b) * db**2 - (m1 + m2) * g * sin(a), L1 * sin(a - b) * da**2 - g * sin(b)]
    return [da, db, *np.linalg.solve(masses, forces)]


def reference():
    times = np.arange(51) / 10
    solution = solve_ivp(rates, (0, 5), [pi / 2, 2 * pi / 3, 0, 0], "DOP853", times, rtol=1e-13, atol=1e-14)
    for t, *state in zip(times, *solution.y):
        yield dict(zip(["t", "a", "b", "a'", "b'"], [t, *state]))

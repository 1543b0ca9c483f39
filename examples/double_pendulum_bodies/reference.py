"""Two uniform bars in a row, in the angles a, b of the bars from the downward vertical.

Lagrange's equations for bars of mass 1 kg and length 1 m, whose moment of inertia about an end is 1/3 kg m²:
    4/3 a'' + 1/2 cos(a-b) b'' + 1/2 sin(a-b) b'² + 3/2 g sin a = 0,
    1/3 b'' + 1/2 cos(a-b) a'' - 1/2 sin(a-b) a'² + 1/2 g sin b = 0,
with g = 9.81 m/s², from the horizontal at rest. The joint angles are phi1 = a, phi2 = b - a; the tip is at
(sin a + sin b, -cos a - cos b).

Method: explicit Runge-Kutta method of order 8 (DOP853 of SciPy).
"""

from math import cos, pi, sin

import numpy as np
from scipy.integrate import solve_ivp

TOLERANCE = 1e-10  # the motion amplifies the integrator's 1e-13 in 3 s

g = 9.81


def rates(_, state):
    a, b, da, db = state
    masses = [[4 / 3, cos(a - b) / 2], [cos(a - b) / 2, 1 / 3]]
    forces = [-sin(a - b) * db**2 / 2 - 3 / 2 * g * sin(a), sin(a - b) * da**2 / 2 - g * sin(b) / 2]
    return [da, db, *np.linalg.solve(masses, forces)]


def reference():
    times = np.arange(31) / 10
    solution = solve_ivp(rates, (0, 3), [pi / 2, pi / 2, 0, 0], "DOP853", times, rtol=1e-13, atol=1e-14)
    for t, a, b, da, db in zip(times, *solution.y):
        yield {
            "t": t,
            "phi1": a,
            "phi2": b - a,
            "phi1'": da,
            "phi2'": db - da,
            "tip.x": sin(a) + sin(b),
            "tip.y": -cos(a) - cos(b),
        }

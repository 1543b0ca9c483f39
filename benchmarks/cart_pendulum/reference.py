"""Cart with an upright pendulum: the bounded motion for a given path s of the cart.

    (J + m l²) φ'' = m g l sin φ - m l cos φ s'',   F = (M + m) s'' + m l (cos φ φ'' - sin φ φ'²).
Multiple shooting from 8 s before the path to 8 s behind it.
"""

import numpy as np
from bounded import Number, bounded, nodes, smooth

TOLERANCE = 1e-13  # rounding in the last digits of sums

M, m, l, J, g = [Number(text) for text in ("1", "0.3", "0.5", "0.02", "9.81")]


def path(t):
    return 2 * smooth(9, t, Number(4), Number(2))[2]


def rates(t, y):
    return np.array([y[1], m * l * (g * np.sin(y[0]) - np.cos(y[0]) * path(t)) / (J + m * l**2)])


def reference():
    times = nodes(("-4", "4", 80), ("4", "6", 40), ("6", "14", 80))
    states = bounded(rates, times, [[0, 0], [0, 0]])
    for t, y in zip(times, states):
        if 0 <= t <= 10 and abs(t * 10 - np.rint(t * 10)) < 1e-9:
            turn = rates(t, y)[1]
            yield {"t": t, "F": (M + m) * path(t) + m * l * (np.cos(y[0]) * turn - np.sin(y[0]) * y[1] ** 2)}

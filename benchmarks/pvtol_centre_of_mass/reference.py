"""Vertical take-off aircraft whose centre of mass is prescribed: the bounded roll.

    e Q = m (x'' cos θ + (z'' + g) sin θ),   T = m ((z'' + g) cos θ - x'' sin θ),   J θ'' = Q.
Multiple shooting from 5 s before the path to 5 s behind it. [J. Hauser, S. Sastry, G. Meyer, Nonlinear control design
for slightly non-minimum phase systems: application to V/STOL aircraft, Automatica 28 (1992) 665; data our own]
"""

import numpy as np
from bounded import Number, bounded, nodes, smooth

TOLERANCE = 1e-13  # rounding in the last digits of sums

m, J, e, g = [Number(text) for text in ("1", "0.2", "0.5", "9.81")]


def moment(t, turn):
    ddc = smooth(9, t, Number(3), Number(4))[2]
    return m / e * (10 * ddc * np.cos(turn) + (5 * ddc + g) * np.sin(turn))


def rates(t, y):
    return np.array([y[1], moment(t, y[0]) / J])


def reference():
    times = nodes(("-2", "3", 100), ("3", "7", 80), ("7", "12", 100))
    for t, (turn, _) in zip(times, bounded(rates, times, [[0, 0], [0, 0]])):
        if 0 <= t <= 10 and abs(t * 10 - np.rint(t * 10)) < 1e-9:
            ddc = smooth(9, t, Number(3), Number(4))[2]
            yield {
                "t": t,
                "T": m * ((5 * ddc + g) * np.cos(turn) - 10 * ddc * np.sin(turn)),
                "Q": moment(t, turn),
            }

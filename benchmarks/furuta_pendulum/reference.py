"""Rotary pendulum, upright: the bounded motion for a given path α of the arm.

    (Jp + m l²) (β'' - sin β cos β α'²) + m L l cos β α'' = m g l sin β,
    M = (Ja + m L² + (Jp + m l²) sin² β) α'' + 2 (Jp + m l²) sin β cos β α' β' + m L l (cos β β'' - sin β β'²).
Multiple shooting from 7 s before the path to 7 s behind it.
"""

import numpy as np
from bounded import Number, bounded, nodes, smooth

TOLERANCE = 1e-13  # rounding in the last digits of sums

Ja, L, m, l, Jp, g = [Number(text) for text in ("0.01", "0.3", "0.2", "0.2", "0.003", "9.81")]
TURN = 8 * np.arctan(Number(1)) / 3
I = Jp + m * l**2


def path(t):
    return [TURN * part for part in smooth(9, t, Number(3), Number("1.5"))]


def rates(t, y):
    _, da, dda = path(t)
    sine, cosine = np.sin(y[0]), np.cos(y[0])
    return np.array([y[1], sine * cosine * da**2 + m * l * (g * sine - L * cosine * dda) / I])


def reference():
    times = nodes(("-4", "3", 140), ("3", "4.5", 60), ("4.5", "11.5", 140))
    states = bounded(rates, times, [[0, 0], [0, 0]])
    for t, (b, db) in zip(times, states):
        if 0 <= t <= Number("7.5") and abs(t * 20 - np.rint(t * 20)) < 1e-9:
            _, da, dda = path(t)
            ddb = rates(t, np.array([b, db]))[1]
            sine, cosine = np.sin(b), np.cos(b)
            arm = (Ja + m * L**2 + I * sine**2) * dda + 2 * I * sine * cosine * da * db
            yield {"t": t, "M": arm + m * L * l * (cosine * ddb - sine * db**2)}

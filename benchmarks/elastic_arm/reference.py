"""Elastic arm, the tip at a + b/2: the bounded motion.

The balances of moments of the second link about its joint and of the whole arm are those of examples/elastic_arm,
    (1/3 + cos(b)/2) a'' + b''/3 + sin(b)/2 a'² + k b + d b' = 0,
    M = (5/3 + cos b) a'' + (1/3 + cos(b)/2) b'' - sin(b) b' (a' + b'/2),
and with a = y - c b the first becomes b'' = …, unstable for c > 0.4. Multiple shooting from 1.5 s before the path to
1.5 s beyond what is recorded, where 1e-17 of the motion is left.
"""

import numpy as np
from bounded import Number, bounded, nodes, smooth

TOLERANCE = 1e-13  # rounding in the last digits of sums

k, d, TURN = Number(50), Number("0.25"), 4 * np.arctan(Number(1)) / 3


class Arm:
    def __init__(self, place, start):
        self.c, self.start = Number(place), Number(start)

    def path(self, t):
        return [TURN * part for part in smooth(9, t, self.start, Number("1.5"))]

    def accelerations(self, t, b, db):
        _, dy, ddy = self.path(t)
        lever, da = Number(1) / 3 + np.cos(b) / 2, dy - self.c * db
        ddb = -(lever * ddy + np.sin(b) / 2 * da**2 + k * b + d * db) / (Number(1) / 3 - self.c * lever)
        return ddy - self.c * ddb, ddb

    def rates(self, t, y):
        return np.array([y[1], self.accelerations(t, y[0], y[1])[1]])

    def moment(self, t, y):
        b, db = y
        da = self.path(t)[1] - self.c * db
        dda, ddb = self.accelerations(t, b, db)
        lever = Number(1) / 3 + np.cos(b) / 2
        return (Number(5) / 3 + np.cos(b)) * dda + lever * ddb - np.sin(b) * db * (da + db / 2)


def lines(arm, times, states, first, last, every):
    for t, y in list(zip(times, states))[first : last + 1 : every]:
        yield {"t": t, "M": arm.moment(t, y)}


def reference():
    arm = Arm("0.5", "1")
    times = nodes(("-0.5", "1", 30), ("1", "2.5", 30), ("2.5", "5", 50))
    return lines(arm, times, bounded(arm.rates, times, [[0, 0], [0, 0]]), 10, 80, 1)

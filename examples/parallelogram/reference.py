"""Beam on parallel cranks of 1 m: it does not turn and moves on a circle as a pendulum of that length.

Its place is x = sin α, y = -cos α; without mass of the cranks α'' = -g sin α, from α = 1 rad at rest, g = 9.81 m/s²:
that of ../pendulum.

Method: closed form in 30 digits.
"""

from mpmath import cos, mp, mpf, sin
from pendulum.reference import swing

TOLERANCE = 1e-15  # digits of the file

mp.dps = 30


def reference():
    for i in range(21):
        t = mpf(i) / 4
        α, dα = swing(mpf(1), t)
        yield {"t": t, "x": sin(α), "y": -cos(α), "th": 0, "x'": cos(α) * dα, "y'": sin(α) * dα}

"""Six bars of length 1 m between hooks at (0, 0) and (4, 0), by the polygon of their forces.

The horizontal pull H is the same in all pins. The vertical force V that holds the left end of a bar of weight w holds
the next bar with V - w, and the moments about the right end balance if the slope of the bar is tan a = -(V - w/2)/H. H
and the first V follow from where the last bar ends.

Data: masses 1, 1, 1, 1, 4, 1 kg, g = 9.81 m/s². Method: Newton's method of mpmath with 30 digits.
"""

from mpmath import atan, cos, findroot, mp, mpf, sin

mp.dps = 30
TOLERANCE = 1e-15  # the file has 17 digits

WEIGHTS = [mpf("9.81") * m for m in (1, 1, 1, 1, 4, 1)]


def angles(H, V):
    for weight in WEIGHTS:
        yield -atan((V - weight / 2) / H)
        V -= weight


def closure(H, V):
    bars = list(angles(H, V))
    return sum(cos(a) for a in bars) - 4, sum(sin(a) for a in bars)


def reference():
    H, V = findroot(closure, (15, 40))
    line, x, y = {"t": 0}, mpf(0), mpf(0)
    for number, a in enumerate(angles(H, V), 1):
        line |= {f"bar{number}.x": x + cos(a) / 2, f"bar{number}.y": y + sin(a) / 2}
        line |= {f"bar{number}.d1.x": cos(a), f"bar{number}.d1.y": sin(a)}
        x, y = x + cos(a), y + sin(a)
    yield line

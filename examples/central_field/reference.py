"""Kepler motion with unit gravitational parameter, r'' = -r/|r|³, from the pericentre (1, 0, 0) with velocity
(0, 1, 1/2).

From the speed v² = 5/4 at distance 1: energy v²/2 - 1 = -1/(2a), semi-major axis a = 4/3, eccentricity
e = 1 - 1/a = 1/4, mean motion n = a^(-3/2), period 2π/n = 9.6735. In the plane of the motion, with the pericentre on
the X axis,
    E - e sin E = n t,   X = a (cos E - e),   Y = a √(1-e²) sin E,
and Y points along the start velocity (0, 1, 1/2)/√1.25.

Method: Kepler's equation by Newton's method in 30 digits.
"""

from mpmath import cos, findroot, mp, mpf, sin, sqrt

TOLERANCE = 1e-15  # digits of the file

mp.dps = 30


def reference():
    a, e = mpf(4) / 3, mpf(1) / 4
    n = a ** mpf(-1.5)
    for k in range(41):
        t = mpf(k) / 2
        E = findroot(lambda E: E - e * sin(E) - n * t, n * t)
        X, Y = a * (cos(E) - e), a * sqrt(1 - e**2) * sin(E)
        dE = n / (1 - e * cos(E))
        dX, dY = -a * sin(E) * dE, a * sqrt(1 - e**2) * cos(E) * dE
        along_y, along_z = 1 / sqrt(mpf(1.25)), 1 / (2 * sqrt(mpf(1.25)))
        yield {
            "t": t,
            "x": X,
            "y": Y * along_y,
            "z": Y * along_z,
            "x'": dX,
            "y'": dY * along_y,
            "z'": dY * along_z,
        }

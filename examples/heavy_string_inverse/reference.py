"""Where the upper end of a heavy string must be so that the load at its lower end follows a path, for small swings.

With the height z over the load, ξ = z + m/ρ and r = 2 √(ξ/g) the small swings X of a hanging string obey

    X_tt = (g ξ X_ξ)_ξ = X_rr + X_r / r,    X = y(t) and X_r = √(m/(ρ g)) y''(t) at the load, r = 2 √(m/(ρ g)),

which is hyperbolic along the string as well: from the path y of the load it leads upwards, and the upper end depends on
y between t - τ and t + τ only, τ the time of a wave from end to end. [N. Petit, P. Rouchon, SIAM J. Control Optim. 40
(2001) 475] Differences with equal steps of r and t; steps h, h/2 and h/4 are extrapolated, h² and h⁴.
"""

import math

G, LENGTH, DENSITY, LOAD = 9.81, 2.0, 0.5, 0.5
START, DURATION, DISTANCE = 1.0, 2.0, 0.02
LEVEL = LOAD / DENSITY
BELOW, ABOVE = 2 * math.sqrt(LEVEL / G), 2 * math.sqrt((LEVEL + LENGTH) / G)
DELAY = ABOVE - BELOW  # 0.467 s
TOLERANCE = 1e-13  # the same numbers but for rounding


def path(t, derivative):
    """DISTANCE (126 x⁵ - 420 x⁶ + 540 x⁷ - 315 x⁸ + 70 x⁹), or a derivative of it."""
    x = (t - START) / DURATION
    if x <= 0:
        return 0.0
    if x >= 1:
        return DISTANCE if derivative == 0 else 0.0
    total = 0.0
    for power, factor in ((5, 126), (6, -420), (7, 540), (8, -315), (9, 70)):
        term = factor * x ** (power - derivative)
        for k in range(derivative):
            term *= power - k
        total += term
    return DISTANCE * total / DURATION**derivative


def upper_end(times, steps):
    """With so many steps along the string: a triangle of values below each instant."""
    h = DELAY / steps
    slope = math.sqrt(LEVEL / G)
    places = []
    for t in times:
        # Row k has the instants t + j h, |j| <= steps - k.
        below = [path(t + j * h, 0) for j in range(-steps, steps + 1)]
        # X_rr = X_tt - X_r / r at the load; X_rrr by another derivative.
        row = []
        for j in range(-steps + 1, steps):
            s = t + j * h
            x_r, y2 = slope * path(s, 2), path(s, 2)
            x_rr = y2 - x_r / BELOW
            x_rrr = slope * path(s, 4) - x_rr / BELOW + x_r / BELOW**2
            row.append(path(s, 0) + h * x_r + h * h / 2 * x_rr + h**3 / 6 * x_rrr)
        for k in range(1, steps):
            r = BELOW + k * h
            part = h / (2 * r)
            # (a - 2b + c)/h² in r and t: the middle cancels.
            above = [(row[i] + row[i + 2] - (1 - part) * below[i + 2]) / (1 + part) for i in range(len(row) - 2)]
            below, row = row, above
        places.append(row[0])
    return places


def reference():
    times = [k / 20 for k in range(81)]
    one, two, four = (upper_end(times, 40 * k) for k in (1, 2, 4))
    for t, a, b, c in zip(times, one, two, four):
        yield {"t": t, "x": (64 * c - 20 * b + a) / 45}

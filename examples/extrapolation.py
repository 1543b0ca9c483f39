"""Ordinary differential equations y' = f(t, y) by extrapolation of the midpoint rule, in any number of digits.

Gragg's method: with n equal parts (n even) of a step the midpoint rule errs by a series in 1/n². Its results for n = 2,
4, 6, ... are extrapolated to 1/n² = 0 by Neville's scheme, until two of them agree; a step for which they do not is
halved.
Source: E. Hairer, S. P. Nørsett, G. Wanner, Solving ordinary differential equations I, second edition, section II.9.
"""

from mpmath import mpf

COLUMNS = 14


def midpoint_rule(f, t, y, h, n):
    """y after a step h of n parts."""
    part = h / n
    before, now = y, [a + part * b for a, b in zip(y, f(t, y))]
    for i in range(1, n):
        before, now = now, [a + 2 * part * b for a, b in zip(before, f(t + i * part, now))]
    return now


def step(f, t, y, h, tolerance):
    """y after a step h; the tolerance is relative to the size of a component, or to 1 if that is larger."""
    row = []
    for j in range(1, COLUMNS + 1):
        last, row = row, [midpoint_rule(f, t, y, h, 2 * j)]
        for k, older in enumerate(last, start=1):
            weight = mpf(j) ** 2 / mpf(j - k) ** 2 - 1
            row.append([a + (a - b) / weight for a, b in zip(row[-1], older)])
        if j > 1 and all(abs(a - b) <= tolerance * max(1, abs(a)) for a, b in zip(row[-1], row[-2])):
            return row[-1]
    return step(f, t + h / 2, step(f, t, y, h / 2, tolerance), h / 2, tolerance)


def integrate(f, times, y, tolerance):
    """y at the given times, from that at the first one."""
    yield y
    for t, following in zip(times, times[1:]):
        y = step(f, t, y, following - t, tolerance)
        yield y

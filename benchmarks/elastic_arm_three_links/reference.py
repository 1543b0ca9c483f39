"""Arm of three links with two elastic joints, the tip at (p1 + p2 + p3)/3: the bounded motion.

In the angles of the links, with A the constants of their inertia and τ the moments of springs and dampers,
    Σj A_ij (cos(p_i - p_j) p_j'' + sin(p_i - p_j) p_j'²) = τ_i + M δ_i1.
State: p2, p3 and their rates; p1 = 3 y - p2 - p3. The two balances without M and the second derivative of the path are
three linear equations for the accelerations. Multiple shooting from 2 s before the path to 1.5 s beyond what is
recorded.
"""

import numpy as np
from bounded import Number, bounded, nodes, smooth

TOLERANCE = 1e-13  # rounding in the last digits of sums

m, L, k, d = Number(1), Number("0.5"), Number(50), Number("0.1")
A = m * L**2 * np.array([[Number(7) / 3, Number(3) / 2, Number(1) / 2],
                         [Number(3) / 2, Number(4) / 3, Number(1) / 2],
                         [Number(1) / 2, Number(1) / 2, Number(1) / 3]])
TURN = 4 * np.arctan(Number(1)) / 3


def state(t, y):
    path = smooth(9, t, Number(1), Number(1))
    (p2, p3, w2, w3), (g, dg, ddg) = y, [TURN * part for part in path]
    return np.array([3 * g - p2 - p3, p2, p3]), np.array([3 * dg - w2 - w3, w2, w3]), 3 * ddg


def balances(p, w):
    """Factors of the accelerations, and what stands on the right without M."""
    difference = p[:, None] - p[None, :]
    factors = np.cos(difference) * A.reshape(3, 3, *[1] * (p.ndim - 1))
    turning = np.sin(difference) * A.reshape(3, 3, *[1] * (p.ndim - 1))
    inner, outer = k * (p[1] - p[0]) + d * (w[1] - w[0]), k * (p[2] - p[1]) + d * (w[2] - w[1])
    right = np.array([inner, outer - inner, -outer]) - (turning * w[None, :] ** 2).sum(axis=1)
    return factors, right


def accelerations(t, y):
    """Of the three links, by Cramer's rule: p1'' = s - p2'' - p3'' in the balances of the second and third."""
    p, w, total = state(t, y)
    F, right = balances(p, w)
    a, b, e = F[1, 1] - F[1, 0], F[1, 2] - F[1, 0], right[1] - F[1, 0] * total
    c, f, h = F[2, 1] - F[2, 0], F[2, 2] - F[2, 0], right[2] - F[2, 0] * total
    determinant = a * f - b * c
    second, third = (e * f - b * h) / determinant, (a * h - e * c) / determinant
    return np.array([total - second - third, second, third])


def rates(t, y):
    second, third = accelerations(t, y)[1:]
    return np.array([y[2], y[3], second, third])


def reference():
    times = nodes(("-1", "1", 200), ("1", "2", 100), ("2", "4.5", 250))
    angle, rate, _ = smooth(9, times, Number(1), Number(1))
    stiff = TURN * np.array([angle, angle, rate, rate]).T
    states = bounded(rates, times, [[0, 0, 0, 0], [TURN, TURN, 0, 0]], stiff)
    for t, y in list(zip(times, states))[100:401:5]:
        p, w, _ = state(t, y)
        F, right = balances(p, w)
        yield {"t": t, "M": F[0] @ accelerations(t, y) - right[0]}

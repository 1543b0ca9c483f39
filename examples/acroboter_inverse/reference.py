"""Planar ACROBOTER: forces for a lift with a shift of its swinging unit, which stays level; x to the right, z up, the
ceiling at z = 0.

The carriage at (x1, 0), the connector at (x2, z2) and the level unit, its suspension points P3 and P4 at (x ∓ L/2, z),
are prescribed but for x2. R is the sum of the two cable forces on the unit, which pass through the connector at the
height h = z2 - z above the line P3-P4. Centre of mass and fan lie on the middle axis of the unit at the heights zC and
zT. Balances of the unit, its moments about the fan, and of the connector:
    Rz = m (z'' + g),   Rx = ((x2 - x) Rz + (zC - zT) m x'')/(h - zT),   FT = m x'' - Rx,
    F1/l1 = (mc (z2'' + g) + Rz)/(-z2),   mc x2'' = F1/l1 (x1 - x2) - Rx,
where l1 is the length of the cable to the carriage: a linear, undamped oscillator for x2, which starts at rest. Then
    FL = mu x1'' + F1/l1 (x1 - x2),   R = F2/l2 (P2 - P3) + F3/l3 (P2 - P4).
The multiplier of (x3 - x4)² + (z3 - z4)² - L² follows from the force on P3 along x. As a point of the unit at (xb, zb)
from P3 moves by 1 - xb/L along x and by -zb/L along z with x3, and the constraint acts with 2 L λ,
    m (x''/2 - zC/L (z'' + g)) = F2/l2 (x2 - x3) + FT/2 + 2 L λ.

Path: P(τ) = 35τ⁴ - 84τ⁵ + 70τ⁶ - 20τ⁷ over 3 to 4 s for x1 = 0.4 P, over 2 to 4 s for h = 0.8 - 0.2 P, x = 0.2 P,
z = -1.5 + 0.4 P.
Data: mu = 20, mc = 0.5, m = 9.3 kg, L = 0.4, zC = -0.05, zT = 0.05 m, g = 9.81 m/s²; A. Zelei, G. Stépán, The ACROBOTER
platform, part 2, in: IUTAM Symposium on Dynamics Modeling and Interaction Control in Virtual and Real Environments,
Springer (2011).
Method: Taylor series of mpmath in 20 digits, anew at 2, 3 and 4 s where the path has its knots.
"""

from mpmath import mp, mpf, odefun, sqrt

TOLERANCE = 1e-13  # 15 digits in the file

mp.dps = 20

mu, mc, m, L, zC, zT, g = [mpf(number) for number in ("20", "0.5", "9.3", "0.4", "-0.05", "0.05", "9.81")]


def ramp(t, start, end):
    """P and its second derivative."""
    τ = min(max((t - start) / (end - start), mpf(0)), mpf(1))
    value = 35 * τ**4 - 84 * τ**5 + 70 * τ**6 - 20 * τ**7
    return value, (420 * τ**2 - 1680 * τ**3 + 2100 * τ**4 - 840 * τ**5) / (end - start) ** 2


def path(t):
    """x1, h, x, z and the second derivatives of x1, z2, x, z."""
    (carriage, dd_carriage), (unit, dd_unit) = ramp(t, 3, 4), ramp(t, 2, 4)
    places = [carriage * 2 / 5, (4 - unit) / 5, unit / 5, (4 * unit - 15) / 10]
    return places, [dd_carriage * 2 / 5, dd_unit / 5, dd_unit / 5, dd_unit * 2 / 5]


def forces(t, x2):
    """Rx, Rz, F1/l1."""
    (_, h, x, z), (_, ddz2, ddx, ddz) = path(t)
    Rz = m * (ddz + g)
    return ((x2 - x) * Rz + (zC - zT) * m * ddx) / (h - zT), Rz, (mc * (ddz2 + g) + Rz) / -(z + h)


def rates(t, state):
    Rx, _, pull = forces(t, state[0])
    return [state[1], (pull * (path(t)[0][0] - state[0]) - Rx) / mc]


def line(t, x2, dx2):
    (x1, h, x, z), (ddx1, _, ddx, ddz) = path(t)
    Rx, Rz, pull = forces(t, x2)
    x3, x4, z2 = x - L / 2, x + L / 2, z + h
    pull3 = ((x2 - x3) * Rz / h - Rx) / L  # F3/l3, then F2/l2 from the sum of both
    pull2 = Rz / h - pull3
    FT = m * ddx - Rx
    rigid = (m * (ddx / 2 - zC / L * (ddz + g)) - pull2 * (x2 - x3) - FT / 2) / (2 * L)
    places = {"x1": x1, "x2": x2, "z2": z2, "x3": x3, "z3": z, "x4": x4, "z4": z, "x2'": dx2}
    inputs = {
        "FL": mu * ddx1 + pull * (x1 - x2),
        "F1": pull * sqrt((x1 - x2) ** 2 + z2**2),
        "F2": pull2 * sqrt((x2 - x3) ** 2 + h**2),
        "F3": pull3 * sqrt((x2 - x4) ** 2 + h**2),
        "FT": FT,
    }
    return {"t": t, **places, "lambda.rigid": rigid, **inputs}


def reference():
    state = [mpf(0), mpf(0)]
    for start, end in (0, 2), (2, 3), (3, 4), (4, 6):
        at = odefun(rates, start, state)
        for k in range(20 * start, 20 * end):
            yield line(mpf(k) / 20, *at(mpf(k) / 20))
        state = at(end)
    yield line(mpf(6), *state)

"""Pendulum released from the horizontal, in elliptic functions.

    θ'' = -g/L sin θ,   θ(0) = θ₀,   θ'(0) = 0   has the solution, with k = sin(θ₀/2) and ω = √(g/L),
    sin(θ/2) = k sn(K(k) + ωt, k),   θ' = 2kω cn(K(k) + ωt, k).
With θ from the downward vertical towards negative x, x = -L sin θ, y = -L cos θ.

Data: θ₀ = π/2, L = 1 m, g = 9.81 m/s². Source: problem A01 of the IFToMM library of computational benchmark problems.
Method: closed form in 30 digits.
"""

from mpmath import asin, cos, ellipfun, ellipk, mp, mpf, pi, sin, sqrt

TOLERANCE = 1e-15  # digits of the file

mp.dps = 30


def swing(start, t):
    """Angle and rate at the time t of a pendulum of length 1 m released at rest from the angle start."""
    k, ω = sin(start / 2), sqrt(mpf("9.81"))
    phase = ellipk(k**2) + ω * t
    return 2 * asin(k * ellipfun("sn", phase, k=k)), 2 * k * ω * ellipfun("cn", phase, k=k)


def reference():
    for t in [mpf(i) / 2 for i in range(20)] + [mpf("9.99"), mpf(10)]:
        θ, dθ = swing(pi / 2, t)
        yield {"t": t, "x": -sin(θ), "y": -cos(θ), "x'": -cos(θ) * dθ, "y'": sin(θ) * dθ}

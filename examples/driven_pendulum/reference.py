"""Pendulum whose pivot moves as (A sin ωt, 0), in its angle θ from the downward vertical.

In the frame of the pivot the bob feels the horizontal force m A ω² sin ωt, so that
    L θ'' = -g sin θ + A ω² sin(ωt) cos θ,
    tension = m (L θ'² + g cos θ + A ω² sin(ωt) sin θ).
It hangs at rest relative to the pivot at t = 0. The bar's multiplier is tension / L.

Method: explicit Runge-Kutta method of order 8 (DOP853 of SciPy).
"""

from math import cos, sin

import numpy as np
from scipy.integrate import solve_ivp

TOLERANCE = 1e-10  # of integration with a relative tolerance of 1e-13 over 5 s

m, L, g = 1.0, 0.5, 9.81
A, ω = 0.1, 6.0


def rates(t, state):
    θ, dθ = state
    return [dθ, (-g * sin(θ) + A * ω**2 * sin(ω * t) * cos(θ)) / L]


def reference():
    times = np.arange(51) / 10
    solution = solve_ivp(rates, (0, 5), [0, 0], "DOP853", times, rtol=1e-13, atol=1e-14)
    for t, θ, dθ in zip(times, *solution.y):
        tension = m * (L * dθ**2 + g * cos(θ) + A * ω**2 * sin(ω * t) * sin(θ))
        yield {
            "t": t,
            "x": A * sin(ω * t) + L * sin(θ),
            "y": -L * cos(θ),
            "x'": A * ω * cos(ω * t) + L * cos(θ) * dθ,
            "y'": L * sin(θ) * dθ,
            "lambda.bar": tension / L,
        }

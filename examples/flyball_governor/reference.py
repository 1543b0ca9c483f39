"""Stiff flyball governor in two coordinates: both arms droop by the angle α below the horizontal, the slider is at the
height s.

The turning of the shaft is cyclic, so its angular momentum J(α) ψ' = H is constant, with
    J = Jl + ms b²/6 + 2 (mr (b/2 + L/2 cos α)² + Jl sin² α + Jt cos² α + mb (b/2 + L cos α)²).
Each spring-damper joins the middle of an arm, L/2 cos α beside and L - L/2 sin α above the foot, to the side of the
slider:
    l² = x² + z²,   x = L/2 cos α,   z = L - L/2 sin α - s,   f = k (l - l0) + c l',
and Lagrange's equations are
    2 (mr L²/4 + Jt + mb L²) α'' = 1/2 dJ/dα ψ'² + (mr + 2 mb) g L cos α - 2 f dl/dα,
    ms s'' = -ms g - 2 f dl/ds.

Data: shaft and arms of length L = 1 m and side a = 0.01 m, slider a cube with side b = 0.1 m, all of 3000 kg/m³, balls
of 5 kg; k = 8e5 N/m, c = 4e4 N s/m, l0 = 0.5 m; from α = π/6, s = 0.5 m with ψ' = 2π.
Source: M. González, F. González, A. Luaces, J. Cuadrado, A collaborative benchmarking framework for multibody system
dynamics, Engineering with Computers 26 (2010) 1–9; problem A05 of the IFToMM library.
Method: explicit Runge-Kutta method of order 8 (DOP853 of SciPy); its steps are as short as stability asks.
"""

from math import cos, hypot, pi, sin

from scipy.integrate import solve_ivp

TOLERANCE = 2e-10  # ten digits in the file

L, a, b, ρ, mb, g = 1.0, 0.01, 0.1, 3000.0, 5.0, 9.81
mr, ms = ρ * L * a**2, ρ * b**3
Jt, Jl = mr * (L**2 + a**2) / 12, mr * a**2 / 6
k, c, l0 = 8e5, 4e4, 0.5


def turning(α):
    """J and dJ/dα."""
    arm, ball = b / 2 + L / 2 * cos(α), b / 2 + L * cos(α)
    J = Jl + ms * b**2 / 6 + 2 * (mr * arm**2 + Jl * sin(α) ** 2 + Jt * cos(α) ** 2 + mb * ball**2)
    return J, 2 * (-mr * arm * L * sin(α) + 2 * (Jl - Jt) * sin(α) * cos(α) - 2 * mb * ball * L * sin(α))


H = turning(pi / 6)[0] * 2 * pi


def rates(_, state):
    α, s, dα, ds = state
    J, dJ = turning(α)
    x, z = L / 2 * cos(α), L - L / 2 * sin(α) - s
    l = hypot(x, z)
    l_α, l_s = (-x * L / 2 * sin(α) - z * L / 2 * cos(α)) / l, -z / l
    f = k * (l - l0) + c * (l_α * dα + l_s * ds)
    moment = dJ / 2 * (H / J) ** 2 + (mr + 2 * mb) * g * L * cos(α) - 2 * f * l_α
    return [dα, ds, moment / (2 * (mr * L**2 / 4 + Jt + mb * L**2)), -g - 2 * f * l_s / ms]


def reference():
    times = [0.1, 0.5, 1, 2, 5, 10]
    solution = solve_ivp(rates, (0, 10), [pi / 6, 0.5, 0, 0], "DOP853", times, rtol=1e-11, atol=1e-12)
    return [{"t": t, "s": s} for t, s in zip(times, solution.y[1])]

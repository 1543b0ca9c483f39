"""Upright disc that rolls without slipping, driven and turning: the contact point runs on the involute of a circle.

The steering torque is zero, so the heading is ψ = t with ψ' = 1 rad/s. Rolling, of speed v = R θ', and the balance of
moments about the contact point give (I + m R²) θ'' = τ with I = m R²/2, so v = c t with c = 2τ/(3 m R). Then
x' = v cos ψ, y' = v sin ψ give
    x = c (t sin t + cos t - 1),   y = c (sin t - t cos t),   θ = c t²/(2R).

Data: m = 3 kg, R = 0.2 m, τ = 0.09 N m, so c = 0.1 m/s². Method: closed form in 30 digits.
"""

from mpmath import cos, mp, mpf, sin

TOLERANCE = 1e-15  # digits of the file

mp.dps = 30
m, R, τ = mpf(3), mpf("0.2"), mpf("0.09")


def reference():
    c = 2 * τ / (3 * m * R)
    for i in range(25):
        t = mpf(i) / 4
        yield {
            "t": t,
            "x": c * (t * sin(t) + cos(t) - 1),
            "y": c * (sin(t) - t * cos(t)),
            "theta": c * t**2 / (2 * R),
            "psi": t,
            "x'": c * t * cos(t),
            "y'": c * t * sin(t),
            "theta'": c * t / R,
            "psi'": 1,
        }

"""Scotch yoke whose yoke is prescribed, in closed form: x = r cos θ, and by the power of all forces

    M θ' = I θ' θ'' + m x' x'',   x' = -r sin θ θ':   M = I θ'' - m r sin θ x''.
Method: Taylor series about each instant, in 40 digits; θ = atan2(√(r² - x²), x).
"""

from mpmath import mp, mpf
from taylor import angle, root, smooth_step

TOLERANCE = 1e-14  # digits of the file

mp.dps = 40
r, m, I = mpf("0.2"), mpf(3), mpf("0.05")


def reference():
    for n in range(21):
        t = mpf(n) / 40
        x = r / 2 - r * smooth_step(9, t, mpf(1) / 2, 3)
        height = root(-1 * (x * x) + r * r)  # r sin θ
        yield {"t": t, "M": (I * angle(height, x).rate.rate - m * height * x.rate.rate).value}

"""Blade on an inclined plane that slides only along its edge: x down the slope, y across it, φ the heading from the x
axis.

Nothing turns it, so φ = ωt. Along the edge gravity accelerates, v' = a cos φ with a = g sin(slope), thus v = (a/ω)
sin ωt, and
    x' = v cos φ,   y' = v sin φ:   x = a/(2ω²) sin² ωt,   y = a/(2ω²) (ωt - ½ sin 2ωt),
a cycloid across the slope. Across the edge, towards (sin φ, -cos φ), the balance is m (-v ω) = m a sin φ - λ, so the
force that keeps the blade on its line is λ = 2 m a sin ωt.

Data: m = 2 kg, slope π/6, g = 9.81 m/s², ω = 2 rad/s, from rest.
Source: a classic; see A. M. Bloch, Nonholonomic Mechanics and Control, Springer (2003), chapter 1.
Method: closed form.
"""

from math import cos, pi, sin

TOLERANCE = 1e-14  # digits of the file and rounding

m, ω = 2.0, 2.0
a = 9.81 * sin(pi / 6)


def reference():
    for k in range(26):
        t = k / 5
        v = a / ω * sin(ω * t)
        yield {
            "t": t,
            "x": a / (2 * ω**2) * sin(ω * t) ** 2,
            "y": a / (2 * ω**2) * (ω * t - sin(2 * ω * t) / 2),
            "phi": ω * t,
            "x'": v * cos(ω * t),
            "y'": v * sin(ω * t),
            "phi'": ω,
            "lambda.edge": 2 * m * a * sin(ω * t),
        }

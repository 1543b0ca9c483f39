"""Conical top in steady precession: the centre of mass runs on a circle about the vertical through the tip.

With the axis inclined by ϑ, the precession ω and the spin chosen in model.toml so that ϑ'' = 0, the centre of mass at
distance l is at
    x = l sin ϑ sin ωt,   y = -l sin ϑ cos ωt,   z = l cos ϑ.
That this is the motion follows from the balance of moments about the tip, with the moments of inertia A = J1 + m l²
across the axis and J3:
    ϑ'' A = sin ϑ (A ω² cos ϑ - J3 ω (spin + ω cos ϑ) + m g l) = 0.

Data: a cone of height 0.1 m, so l = 0.075 m, ϑ = π/3, ω = 10 rad/s.
Source: R. Siebert, Mechanical integrators for the optimal control in multibody dynamics, dissertation, University of
Siegen (2012), section 5.5.
Method: closed form.
"""

from math import cos, pi, sin

TOLERANCE = 1e-14  # digits of the file

l, ϑ, ω = 0.075, pi / 3, 10.0


def reference():
    for k in range(21):
        t = k / 20
        yield {"t": t, "top.x": l * sin(ϑ) * sin(ω * t), "top.y": -l * sin(ϑ) * cos(ω * t), "top.z": l * cos(ϑ)}

"""In closed form, since the crank turns evenly: the yoke is at r cos ωt, the pin at r sin ωt in its slot, and it pushes
the yoke with -m r ω² cos ωt."""
from math import cos, sin

TOLERANCE = 1e-14  # rounding

R, M, OMEGA = 0.2, 3.0, 10.0


def reference():
    for k in range(21):
        t = k / 20
        yield {"t": t, "yoke.x": R * cos(OMEGA * t), "s": R * sin(OMEGA * t), "phi": OMEGA * t,
               "lambda.pin.side1": -M * R * OMEGA**2 * cos(OMEGA * t)}

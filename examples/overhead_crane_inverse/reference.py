"""Planar overhead crane: force and torque that carry a load along a straight line, in closed form.

Trolley (mass mt, place s), load (mass m, at (x, z), z upwards), cable of length l on a winch (inertia J, radius r) on
the trolley. With the tension λ l, balances of load, trolley and winch are
    m x'' = -λ (x - s),   m (z'' + g) = -λ z,   mt s'' = F + λ (x - s),   J/r² l'' = M/r + λ l,
and the cable closes the triangle, l² = (x - s)² + z². From the path of the load follow, one after the other,
    λ = -m (z'' + g)/z,   s = x - z x''/(z'' + g),   l,   F = mt s'' - λ (x - s),   M = J/r l'' - r λ l.

Data: mt = 10 kg, m = 100 kg, J = 0.1 kg m², r = 0.1 m, g = 9.81 m/s²; load from (0, -4) to (5, -1) in 3 s on the
polynomial of degree 9.
Source: Y. Yang, Numerical methods for the inverse dynamics simulation of underactuated mechanical systems, KIT 2017,
section 5.3.1.
Method: Taylor series about each instant, in 40 digits.
"""

from mpmath import mp, mpf
from taylor import rates, root, smooth_step, straight, values

TOLERANCE = 1e-15  # digits of the file

mp.dps = 40
mt, m, J, r, g = mpf(10), mpf(100), mpf("0.1"), mpf("0.1"), mpf("9.81")
LENGTH = 5  # of the series: F and M need four derivatives of the path


def crane(t):
    """x, z, s, l, λ, F and M about the instant t."""
    x, z = straight((0, -4), (5, -1), smooth_step(9, t, mpf(3), LENGTH))
    gravity = z.rate.rate + g
    λ = -m * gravity / z
    s = x - z * x.rate.rate / gravity
    l = root((x - s) * (x - s) + z * z)
    F = mt * s.rate.rate - λ * (x - s)
    M = J / r * l.rate.rate - r * λ * l
    return x, z, s, l, λ, F, M


def instants():
    return [mpf(3 * k) / 20 for k in range(21)]


def reference():
    for t in instants():
        x, z, s, l, λ, F, M = crane(t)
        yield {
            "t": t,
            **values(s=s, l=l, x=x, z=z),
            **rates(s=s, l=l, x=x, z=z),
            "lambda.cable": λ.value,
            **values(F=F, M=M, load_x=x, load_z=z),
        }

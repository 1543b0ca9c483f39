"""Rotary crane with two angles of sway as coordinates: the closed form of ../rotary_crane_inverse.

From the trolley the load is l sin θ₂ along the bridge, -l cos θ₂ sin θ₁ across and l cos θ₂ cos θ₁ below, so
    tan θ₁ = across/z,   tan θ₂ = along/√(across² + z²).

Method: Taylor series about each instant, in 40 digits.
"""

from mpmath import mp
from rotary_crane_inverse.reference import crane, instants
from taylor import angle, rates, root, values

TOLERANCE = 1e-15  # digits of the file

mp.dps = 40


def reference():
    for t in instants():
        (x, y, z), (ax, ay), phi, s, l, _, (Mb, Ft, Mw) = crane(t)
        along, across = (ax * x + ay * y) / s - s, (ax * y - ay * x) / s
        th1, th2 = angle(-across, -z), angle(along, root(across * across + z * z))
        yield {
            "t": t,
            **values(phi=phi, s=s, l=l, th1=th1, th2=th2),
            **rates(phi=phi, s=s, l=l, th1=th1, th2=th2),
            **values(Mb=Mb, Ft=Ft, Mw=Mw, load_x=x, load_y=y, load_z=z),
        }

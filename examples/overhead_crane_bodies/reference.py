"""Planar overhead crane from bodies: the closed form of ../overhead_crane_inverse.

Its z is y here; λ l is the tension of the cable.

Method: Taylor series about each instant, in 40 digits.
"""

from mpmath import mp
from overhead_crane_inverse.reference import crane, instants
from taylor import rates, values

TOLERANCE = 1e-15  # digits of the file

mp.dps = 40


def reference():
    for t in instants():
        x, y, s, l, λ, F, M = crane(t)
        yield {
            "t": t,
            **values(s=s, l=l),
            **rates(s=s, l=l),
            **values(F=F, M=M),
            "tension.hoist": (λ * l).value,
            "load.x": x.value,
            "load.y": y.value,
        }

"""Planar overhead crane with the angle of the cable as a coordinate: the closed form of ../overhead_crane_inverse.

The load is at x = s + l sin φ, z = -l cos φ, so tan φ = (x - s)/(-z).

Method: Taylor series about each instant, in 40 digits.
"""

from mpmath import mp
from overhead_crane_inverse.reference import crane, instants
from taylor import angle, rates, values

TOLERANCE = 1e-15  # digits of the file

mp.dps = 40


def reference():
    for t in instants():
        x, z, s, l, _, F, M = crane(t)
        phi = angle(x - s, -z)
        yield {"t": t, **values(s=s, l=l, phi=phi), **rates(s=s, l=l, phi=phi), **values(F=F, M=M, load_x=x, load_z=z)}

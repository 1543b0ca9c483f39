"""Rotary crane from bodies, in free motion: that of ../rotary_crane.

The drum's angle theta is the cable let out since the start, divided by its radius.

Method: extrapolation in 25 digits.
"""

from mpmath import mp
from rotary_crane.reference import motion, rw

TOLERANCE = 1e-15  # digits of the file

mp.dps = 25


def reference():
    for t, (φ, s, l, x, y, z, dφ, ds, dl, *_) in motion():
        yield {
            "t": t,
            "phi": φ,
            "s": s,
            "theta": (l - 5) / rw,
            "phi'": dφ,
            "s'": ds,
            "theta'": dl / rw,
            "load.x": x,
            "load.y": y,
            "load.z": z,
        }

"""Rotary crane of bodies: the closed form of examples/rotary_crane_inverse with other data.

Trolley and drum of 53 kg, bridge, trolley and drum of 16.67 + 2.08 + 0.26 kg m² about the vertical, drum of 0.02 kg m²
about its axis, load of 10 kg. The drum is round, so its spin adds no torque about the vertical.
"""

from mpmath import mpf
from rotary_crane_inverse import reference as crane

TOLERANCE = 1e-14  # digits of the file


def reference():
    kept = crane.m, crane.mt, crane.Jb, crane.Jw
    crane.m, crane.mt, crane.Jb, crane.Jw = mpf(10), mpf(53), mpf("19.01"), mpf("0.02")
    lines = [dict(zip(("Mb", "Ft", "Mw"), (u.value for u in crane.crane(t)[-1])), t=t) for t in crane.instants()]
    crane.m, crane.mt, crane.Jb, crane.Jw = kept
    for line in lines:
        yield {name: line[name] for name in ("t", "Mb", "Ft", "Mw")}

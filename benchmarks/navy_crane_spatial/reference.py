"""Slewing crane in space, closed form in 40 digits: inputs of examples/navy_crane_spatial."""

from navy_crane_spatial.reference import reference as motion

TOLERANCE = 1e-14  # digits of the file


def reference():
    for line in motion():
        yield {name: line[name] for name in ("t", "u1", "u2", "u3", "u4")}

"""The same with a massless pulley: inputs of examples/navy_crane_planar_massless."""

from navy_crane_planar_massless.reference import reference as motion

TOLERANCE = 1e-14  # digits of the file


def reference():
    for line in motion():
        yield {name: line[name] for name in ("t", "u1", "u2")}

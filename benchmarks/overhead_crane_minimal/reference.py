"""Overhead crane in minimal coordinates, closed form in 40 digits.

Inputs of examples/overhead_crane_inverse.
"""

from overhead_crane_inverse.reference import reference as motion

TOLERANCE = 1e-14  # digits of the file


def reference():
    for line in motion():
        yield {name: line[name] for name in ("t", "F", "M")}

"""Rotary crane with ten coordinates, closed form in 40 digits.

Inputs of examples/rotary_crane_inverse_redundant.
"""

from rotary_crane_inverse_redundant.reference import reference as motion

TOLERANCE = 1e-14  # digits of the file


def reference():
    for line in motion():
        yield {name: line[name] for name in ("t", "F1", "F2", "Mb")}

"""The mass on the level top of a car: as on a slope of no angle, where only the damper is left in its equation."""

from benchmarks.mass_on_car.reference import force
from mpmath import mpf

TOLERANCE = 1e-14  # digits of the file


def reference():
    return force(mpf(1))

"""Elastic arm, a point near its joint at a + 0.3 b: the motion from rest; its internal dynamics is stable."""

from benchmarks.elastic_arm.reference import Arm, lines
from bounded import from_start, nodes

TOLERANCE = 1e-13  # rounding in the last digits of sums


def reference():
    arm = Arm("0.3", "0")
    times = nodes(("0", "1.5", 30), ("1.5", "2.5", 20))
    return lines(arm, times, from_start(arm.rates, times, [0, 0]), 0, 50, 1)

"""Arm of three links, integrated in 20 digits: inputs of examples/ider_arm."""

from ider_arm.reference import reference as motion

TOLERANCE = 1e-14  # digits of the file


def reference():
    for line in motion():
        yield {name: line[name] for name in ("t", "M2", "M3")}

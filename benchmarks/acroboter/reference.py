"""ACROBOTER, integrated in 20 digits: inputs of examples/acroboter_inverse."""

from acroboter_inverse.reference import reference as motion

TOLERANCE = 1e-13  # 15 digits in the file


def reference():
    for line in motion():
        yield {name: line[name] for name in ("t", "FL", "F1", "F2", "F3", "FT")}

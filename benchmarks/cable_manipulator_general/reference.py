"""Cable suspension manipulator, from its balances: inputs of examples/cable_manipulator_general."""

from cable_manipulator_general.reference import reference as motion

TOLERANCE = 1e-14  # digits of the file


def reference():
    for line in motion():
        yield {name: line[name] for name in ("t", "ug0", "ug1", "ug2", "ug3", "uc1", "uc2", "uc3")}

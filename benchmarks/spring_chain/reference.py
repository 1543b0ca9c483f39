"""Six masses, exact fractions: inputs of examples/spring_chain_inverse."""

from spring_chain_inverse.reference import six as motion

TOLERANCE = 1e-14  # digits of the file


def reference():
    for line in motion():
        yield {name: line[name] for name in ("t", "F")}

"""Three cars, exact fractions: inputs of examples/n_car_chain."""

from n_car_chain.reference import three_cars as motion

TOLERANCE = 1e-14  # digits of the file


def reference():
    for line in motion():
        yield {name: line[name] for name in ("t", "F")}

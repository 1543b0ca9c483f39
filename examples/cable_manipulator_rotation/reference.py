"""Cable suspension manipulator whose platform turns by 60 degrees about the vertical: equations, data and method stand
in ../cable_manipulator_general/reference.py."""

from cable_manipulator_general.reference import TOLERANCE, Motion, matrix, mp, pi, start

mp.dps = 30


def reference():
    return Motion(start, matrix([0, 0, 1]), pi / 3).table()

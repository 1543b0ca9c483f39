"""Cable suspension manipulator whose platform moves on a straight line without turning: equations, data and method
stand in ../cable_manipulator_general/reference.py."""

from cable_manipulator_general.reference import TOLERANCE, Motion, end, matrix, mp, mpf

mp.dps = 30


def reference():
    return Motion(end, matrix([0, 0, 1]), mpf(0)).table()

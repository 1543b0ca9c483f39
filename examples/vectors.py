"""Vectors as lists of numbers of any kind: floats, numbers of mpmath, fractions, series."""


def plus(*vectors):
    return [sum(components) for components in zip(*vectors)]


def minus(a, b):
    return [p - q for p, q in zip(a, b)]


def times(factor, a):
    return [factor * p for p in a]


def dot(a, b):
    return sum(p * q for p, q in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]

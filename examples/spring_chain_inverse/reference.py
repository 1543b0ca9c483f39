"""Chains of masses and springs: the force on the first mass that moves the last one as prescribed, in exact fractions.

    m_1 x_1'' = F + k (x_2 - x_1),   m_i x_i'' = k (x_{i-1} - 2 x_i + x_{i+1}),   m_n x_n'' = k (x_{n-1} - x_n).
From x_n = y(t) the last balance gives x_{n-1} = x_n + m_n x_n''/k, the one before x_{n-2}, and the first F. With n
masses that takes 2n derivatives of y: a polynomial of degree 4n+1, whose first 2n derivatives vanish at both ends. The
mixed coordinates p of the dense models are a reflection of x, p = x - 2 a (a·x)/(a·a) with a = (1, 2, ..., n).

Data: m = 1, 1.5, 2 ... kg, k = 100 N/m, y from 0 to 1 m in 2 s. The chains are our own.
Method: Taylor series about each instant with fractions; nothing is rounded.
"""

from fractions import Fraction

from taylor import rates, smooth_step, values

TOLERANCE = 1e-15  # digits of the files

k = 100


def chain(n, mixed=False):
    """The table for n masses; with the mixed coordinates if asked for."""
    masses = [Fraction(i + 2, 2) for i in range(n)]
    for step in range(21):
        t = Fraction(step, 10)
        x = [smooth_step(4 * n + 1, t, Fraction(2), 2 * n + 1)]  # from the last mass to the first
        force = 0  # of the spring behind a mass
        for m in reversed(masses):
            force = m * x[-1].rate.rate + force
            x.append(x[-1] + force / k)
        x = x[-2::-1]  # in order, without what would be ahead of the first mass: there F takes the place of a spring
        coordinates = {f"x{i + 1}": a for i, a in enumerate(x)}
        line = {"t": t, **values(**coordinates), **rates(**coordinates), "F": force.value, "last": x[-1].value}
        if mixed:
            reflection = sum((i + 1) * a.value for i, a in enumerate(x)) / sum(Fraction(i + 1) ** 2 for i in range(n))
            line |= {f"p{i + 1}": a.value - 2 * (i + 1) * reflection for i, a in enumerate(x)}
        yield line


def reference():
    return chain(3, mixed=True)


def two():
    return chain(2)


def four():
    return chain(4)


def five():
    return chain(5, mixed=True)


def six():
    return chain(6)

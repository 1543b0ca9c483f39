"""Functions of time as truncated Taylor series about one instant: derivatives without difference quotients.

A Series holds f(t), f'(t), f''(t)/2!, ...; sums, products, quotients and roots follow from comparing powers. Its
numbers are fractions or those of mpmath. A sum or product is as long as the shorter of the two, a derivative is one
shorter.

Paths between two points are start + c(t) (end - start) with c from 0 to 1:
    of degree 2k+1:        c' ∝ τᵏ (1-τ)ᵏ, τ = t/duration; k derivatives vanish at both ends;
    three phases in 20 s:  c = (7 t⁵/5⁴ - 14 t⁶/5⁵ + 10 t⁷/5⁶ - 2.5 t⁸/5⁷)/15 up to 5 s, (t - 2.5)/15 up to 15 s,
                           1 - c(20 - t) afterwards.
The second is that of Y. Yang, Numerical methods for the inverse dynamics simulation of underactuated mechanical
systems, KIT 2017, with the coefficients that make it continuous at 5 s with four derivatives; those printed do not.
"""

from fractions import Fraction
from math import comb

from mpmath import atan2, findroot, lu_solve, matrix, mpf, sqrt
from vectors import dot


class Series:
    def __init__(self, terms):
        self.terms = list(terms)

    @property
    def value(self):
        return self.terms[0]

    @property
    def rate(self):
        """The time derivative."""
        return Series(n * a for n, a in enumerate(self.terms) if n > 0)

    def __add__(self, other):
        if not isinstance(other, Series):
            return Series([self.terms[0] + other] + self.terms[1:])
        return Series(a + b for a, b in zip(self.terms, other.terms))

    def __mul__(self, other):
        if not isinstance(other, Series):
            return Series(a * other for a in self.terms)
        length = min(len(self.terms), len(other.terms))
        return Series(sum(self.terms[i] * other.terms[n - i] for i in range(n + 1)) for n in range(length))

    def __truediv__(self, other):
        if not isinstance(other, Series):
            return Series(a / other for a in self.terms)
        quotient = []
        for n in range(min(len(self.terms), len(other.terms))):
            known = sum(quotient[i] * other.terms[n - i] for i in range(n))
            quotient.append((self.terms[n] - known) / other.terms[0])
        return Series(quotient)

    def __neg__(self):
        return self * -1

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other

    __radd__ = __add__
    __rmul__ = __mul__


def root(square):
    """The square root of a series."""
    terms = [sqrt(square.value)]
    for n in range(1, len(square.terms)):
        known = sum(terms[i] * terms[n - i] for i in range(1, n))
        terms.append((square.terms[n] - known) / (2 * terms[0]))
    return Series(terms)


def angle(y, x):
    """atan2(y, x) of two series, from its rate (x y' - y x')/(x² + y²)."""
    rate = (x * y.rate - y * x.rate) / (x * x + y * y)
    return Series([atan2(y.value, x.value)] + [a / (n + 1) for n, a in enumerate(rate.terms)])


def solve(equations, guess, length):
    """Series x with equations(x) = 0: values by Newton's method, then power after power from linear equations."""
    values = findroot(lambda *x: [e.value for e in equations(*[Series([a]) for a in x])], guess)
    terms = [[a] for a in values]
    unknowns = range(len(terms))
    for _ in range(1, length):

        def highest(trial):
            return matrix([e.terms[-1] for e in equations(*[Series(a + [b]) for a, b in zip(terms, trial)])])

        known = highest([0 for _ in unknowns])
        columns = [highest([mpf(i == j) for i in unknowns]) - known for j in unknowns]
        found = lu_solve(matrix([[columns[j][i] for j in unknowns] for i in unknowns]), -known)
        for a, b in zip(terms, found):
            a.append(b)
    return [Series(a) for a in terms]


def polynomial(coefficients, t, length):
    """Σ coefficients[i] tⁱ about the instant t."""

    def term(n):
        return sum((a * comb(i, n) * t ** (i - n) for i, a in enumerate(coefficients) if i >= n), 0 * t)

    return Series(term(n) for n in range(length))


def smooth_step(degree, t, duration, length):
    """c of the given degree about the instant t from 0 to duration; exact if both are fractions."""
    k = (degree - 1) // 2
    integral = [Fraction(0)] * (k + 1) + [Fraction((-1) ** j * comb(k, j), k + j + 1) for j in range(k + 1)]
    c = [a / sum(integral) for a in integral]
    number = type(t)
    return polynomial([number(a.numerator) / (a.denominator * duration**i) for i, a in enumerate(c)], t, length)


def three_phases(t, length):
    """c of the three phases about the instant t from 0 to 20 s."""
    if t > 15:
        mirrored = three_phases(20 - t, length).terms
        return 1 - Series((-1) ** n * a for n, a in enumerate(mirrored))
    if t > 5:
        return Series([(t - mpf(5) / 2) / 15, mpf(1) / 15] + [mpf(0)] * (length - 2))
    factors = [mpf(7) / 5**4, -mpf(14) / 5**5, mpf(10) / 5**6, -mpf(5) / 2 / 5**7]
    return polynomial([mpf(0)] * 5 + [a / 15 for a in factors], t, length)


def straight(start, end, c):
    """The coordinates of a point on the straight line from start to end."""
    return [a + c * (b - a) for a, b in zip(start, end)]


def size(a):
    """The length of a vector of series."""
    return root(dot(a, a))


def values(**quantities):
    """Columns of a table: the value of each series."""
    return {name: series.value for name, series in quantities.items()}


def rates(**quantities):
    """Columns of a table: the rate of each series, with the name of its quantity and a prime."""
    return {f"{name}'": series.rate.value for name, series in quantities.items()}

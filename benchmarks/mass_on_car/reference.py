"""A mass on the slope of a car, in closed form: polynomials while the path moves, exponentials besides.

With c = cos(angle) and the path y = x + c s of the mass,
    m2 (1 - c²) s'' + d s' + k s = -m2 c y'',   F = (m1 + m2) y'' - (m1 + m2) c s'' + m2 c s''.
For a polynomial y'' one polynomial solves the first equation, power by power from the highest; the rest is
Re(A exp(a t)) with the roots a, so that the mass is at rest at the start. In the manner of R. Seifried, W. Blajer,
Analysis of servo-constraint problems for underactuated multibody systems, Mech. Sci. 4 (2013) 113; data our own.
"""

from mpmath import cos, exp, lu_solve, matrix, mp, mpf, pi, polyroots

TOLERANCE = 1e-14  # digits of the file

mp.dps = 40
m1, m2, k, d = mpf(1), mpf(2), mpf(5), mpf(1)
DURATION, STEP = mpf(2), mpf(1) / 10
ANGLE = pi / 6


def derived(p):
    """Of a polynomial, powers rising."""
    return [i * a for i, a in enumerate(p)][1:] or [mpf(0)]


def at(p, t):
    return sum(a * t**i for i, a in enumerate(p))


def path():
    """126 τ⁵ - 420 τ⁶ + 540 τ⁷ - 315 τ⁸ + 70 τ⁹ in powers of t."""
    return [a / DURATION**i for i, a in enumerate([0, 0, 0, 0, 0, mpf(126), -420, 540, -315, 70])]


def polynomial_part(inertia, right):
    """The polynomial s with inertia s'' + d s' + k s = right."""
    s = [mpf(0)] * (len(right) + 2)
    for i in reversed(range(len(right))):
        s[i] = (right[i] - d * (i + 1) * s[i + 1] - inertia * (i + 1) * (i + 2) * s[i + 2]) / k
    return s


def motion(c):
    """t, y'', s'' at all instants."""
    inertia = m2 * (1 - c * c)
    ddy = derived(derived(path()))
    s = polynomial_part(inertia, [-m2 * c * a for a in ddy])
    roots = polyroots([inertia, d, k]) if inertia else [-k / d]

    def free(state):
        """Factors of exp(a t) that begin with this place and velocity."""
        rows = matrix([[a**i for a in roots] for i in range(len(roots))])
        return lu_solve(rows, matrix(state[: len(roots)]))

    def part(factors, t, order):
        return sum(f * a**order * exp(a * t) for f, a in zip(factors, roots)).real

    ds = derived(s)
    begin = free([-at(s, mpf(0)), -at(ds, mpf(0))])
    end = free([at(p, DURATION) + part(begin, DURATION, i) for i, p in enumerate((s, ds))])
    for n in range(41):
        t = n * STEP
        if t <= DURATION:
            yield t, at(ddy, t), at(derived(ds), t) + part(begin, t, 2)
        else:
            yield t, mpf(0), part(end, t - DURATION, 2)


def force(c):
    for t, ddy, dds in motion(c):
        yield {"t": t, "F": (m1 + m2) * (ddy - c * dds) + m2 * c * dds}


def reference():
    return force(cos(ANGLE))

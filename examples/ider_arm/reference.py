"""Three-link arm in a horizontal plane whose tip moves along a straight line at constant speed, by two choices of
moments.

In the angles f1, f2, f3 of the links from the x axis (relative ones: th1 = f1, th2 = f2 - f1, th3 = f3 - f2), with
links of length 1 m, masses m = 30, 18, 18 kg and inertias I = 10, 8.64, 8.64 kg m² about their centres, Lagrange's
equations are
    Σj cij (cos(fi - fj) fj'' + sin(fi - fj) fj'²) = Qi,
    c11 = I1 + m1/4 + m2 + m3,  c22 = I2 + m2/4 + m3,  c33 = I3 + m3/4,  c12 = m2/2 + m3,  c13 = c23 = m3/2.
The tip at (Σ cos fi, Σ sin fi) keeps its velocity (-1, 0) m/s: its acceleration vanishes, which determines two moments
or forces:
    motors in the second and third joint (reference.csv):          Q = (-M2, M2 - M3, M3);
    moments of a force at the tip in all joints (conventional.csv): Qi = -sin(fi) Fx + cos(fi) Fy.
Start: th = (60, -10, -90) degrees, th2' = 0.

Source: S. K. Ider, Modeling of control forces for kinematical constraints in the dynamics of multibody systems, Middle
East Technical University, Ankara.
Method: Taylor series of mpmath in 20 digits. Along reference.csv the angular momentum about the first joint is
constant.
"""

from mpmath import cos, lu_solve, matrix, mp, mpf, odefun, pi, sin

TOLERANCE = 1e-14  # digits of the files

mp.dps = 20

m1, m2, m3 = 30, 18, 18
I1, I2, I3 = mpf(10), mpf("8.64"), mpf("8.64")
c = matrix([
    [I1 + mpf(m1) / 4 + m2 + m3, mpf(m2) / 2 + m3, mpf(m3) / 2],
    [mpf(m2) / 2 + m3, I2 + mpf(m2) / 4 + m3, mpf(m3) / 2],
    [mpf(m3) / 2, mpf(m3) / 2, I3 + mpf(m3) / 4],
])


def motors(_):
    """Columns of Q per unit of M2 and of M3."""
    return [(-1, 1, 0), (0, -1, 1)]


def tip_force(f):
    """Columns of Q per unit of Fx and of Fy."""
    return [[-sin(fi) for fi in f], [cos(fi) for fi in f]]


def solve(directions, state):
    """Accelerations of the three links, and the two moments or forces."""
    f, df = state[:3], state[3:]
    system, right = matrix(5, 5), matrix(5, 1)
    for i in range(3):
        for j in range(3):
            system[i, j] = c[i, j] * cos(f[i] - f[j])
            right[i] -= c[i, j] * sin(f[i] - f[j]) * df[j] ** 2
        system[i, 3], system[i, 4] = [-column[i] for column in directions(f)]
        system[3, i], system[4, i] = -sin(f[i]), cos(f[i])
        right[3] += cos(f[i]) * df[i] ** 2
        right[4] += sin(f[i]) * df[i] ** 2
    return list(lu_solve(system, right))


def motion(directions, names):
    f = [pi / 3, 5 * pi / 18, -2 * pi / 9]
    # The first two links turn alike: (-sin f1 - sin f2) w - sin(f3) w3 = -1, (cos f1 + cos f2) w + cos(f3) w3 = 0.
    system = matrix([[-sin(f[0]) - sin(f[1]), -sin(f[2])], [cos(f[0]) + cos(f[1]), cos(f[2])]])
    w, w3 = lu_solve(system, matrix([-1, 0]))
    at = odefun(lambda t, state: state[3:] + solve(directions, state)[:3], 0, f + [w, w, w3])
    for k in range(21):
        f1, f2, f3, df1, df2, df3 = state = at(mpf(k) / 20)
        angles = {"th1": f1, "th2": f2 - f1, "th3": f3 - f2, "th1'": df1, "th2'": df2 - df1, "th3'": df3 - df2}
        yield {"t": mpf(k) / 20, **angles, **dict(zip(names, solve(directions, state)[3:]))}


def reference():
    return motion(motors, ["M2", "M3"])


def conventional():
    return motion(tip_force, ["Fx", "Fy"])

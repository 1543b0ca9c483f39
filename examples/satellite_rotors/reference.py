"""Satellite with three rotors, floating freely: motors in closed form, friction by integration, and discrete motions.

The rotors are symmetric about their axles, along the axes of the satellite, so the inertia JC of the whole about its
centre of mass is constant in the frame of the satellite, where ω is its rate and α' are those of the rotors, of inertia
Ja, relative to it. Without outer forces the centre of mass moves steadily and the angular momentum about it is
constant; along its axle a rotor feels only the bearing:
    JC ω' + Ja α'' + ω × (JC ω + Ja α') = 0,   Ja (ω' + α'') = -τ,   so   (JC - Ja) ω' = τ - ω × (JC ω + Ja α').
Motors: τ = u constant from rest, JC ω + Ja α' = 0 always. Then ω = t ν with (JC - Ja) ν = u, and all angles grow with
t²/2: the satellite turns about a fixed axis, R = exp(ν t²/2), and α = -JC ν t²/(2 Ja).
Friction: τ = k α', together with d_i' = (Σ ω_j d_j) × d_i for the axes of the satellite.
The satellite's centre is at the centre of mass less R ρ, with ρ between them in its frame; at the start it is at the
origin, at rest.

Data: table 4.1 of R. Siebert, Mechanical integrators for the optimal control in multibody dynamics, University of
Siegen (2012): u = 200 N m each; k = 100 N m s, ω = (0.2, 0.3, 0.4), α' = (1, 2, 3) rad/s at the start.
Method: closed form in 30 digits; extrapolation in 30 digits; Newton's method for each step of the scheme in
energy_momentum.py.
"""

from extrapolation import integrate
from mpmath import cos, diag, lu_solve, matrix, mp, mpf, sin, sqrt
from satellite_rotors.energy_momentum import state_after
from vectors import cross, dot, minus, plus, times

TOLERANCE = {
    "reference": 1e-15,  # digits of the file
    "friction": 1e-15,
    "steps_5": 1e-12,  # rounding of Newton's method in two programs
    "steps_10": 1e-12,
    "steps_20": 1e-12,
}
SCALES = {f"angular_momentum.{axis}": 1000 for axis in "xyz"}  # that of each part; the whole vanishes with motors

mp.dps = 30
MASS, ROTOR = mpf("1005.3096"), mpf("424.1150")
E = mpf("89.3609"), mpf("201.0619"), mpf("357.4434")  # ∫ x² dm of the satellite along its axes
ALONG, ACROSS = mpf("8.8357"), mpf("106.0288")  # the same of a rotor, along and across its axle
ARMS = mpf("0.9167"), mpf("1.25"), mpf("1.5833")  # of the rotors from the satellite's centre

TOTAL = MASS + 3 * ROTOR
Ja = 2 * ACROSS
ρ = [ROTOR * a / TOTAL for a in ARMS]
AXES = (1, 0, 0), (0, 1, 0), (0, 0, 1)


def inertia_of_the_whole():
    """JC: of all parts about the satellite's centre, less that of the total mass in the centre of mass."""
    J = matrix(3, 3)
    for i in range(3):
        rotors = sum(Ja if j == i else ALONG + ACROSS + ROTOR * ARMS[j] ** 2 for j in range(3))
        J[i, i] = sum(E) - E[i] + rotors - TOTAL * dot(ρ, ρ)
        for j in range(3):
            J[i, j] += TOTAL * ρ[i] * ρ[j]
    return J


JC = inertia_of_the_whole()
Jb = JC - Ja * diag([1, 1, 1])


def line(t, directors, ω, α, dα, centre, velocity):
    """The table's line at the time t; place and velocity of the centre of mass."""
    momentum = plus(list(JC * matrix(ω)), times(Ja, dα))
    relative = dot(ω, momentum) + Ja * dot(dα, plus(ω, dα))
    to_world = lambda a: plus(*[times(p, d) for p, d in zip(a, directors)])
    whole = plus(to_world(momentum), times(TOTAL, cross(centre, velocity)))
    columns = {"t": t, "energy.kinetic": (relative + TOTAL * dot(velocity, velocity)) / 2}
    names = "angular_momentum", "satellite.d1", "satellite.d2", "satellite.d3", "satellite"
    for name, vector in zip(names, [whole, *directors, minus(centre, to_world(ρ))]):
        columns |= {f"{name}.{axis}": a for axis, a in zip("xyz", vector)}
    columns |= {f"alpha{i + 1}": a for i, a in enumerate(α)}
    return columns | {f"alpha{i + 1}'": a for i, a in enumerate(dα)}


def turned(vector, axis, angle):
    """The formula of Rodrigues, for a unit vector along the axis."""
    across = cross(axis, vector)
    return plus(vector, times(sin(angle), across), times(1 - cos(angle), cross(axis, across)))


def reference():
    t = mpf(5)
    ν = list(lu_solve(Jb, matrix([200, 200, 200])))
    rate = sqrt(dot(ν, ν))
    directors = [turned(a, times(1 / rate, ν), rate * t**2 / 2) for a in AXES]
    α = times(-(t**2) / (2 * Ja), list(JC * matrix(ν)))
    yield line(t, directors, times(t, ν), α, times(2 / t, α), ρ, (0, 0, 0))


def with_friction(_, state):
    *d, ω, α, dα = [state[i : i + 3] for i in range(0, 18, 3)]
    torque = times(100, dα)
    gyro = cross(ω, plus(list(JC * matrix(ω)), times(Ja, dα)))
    dω = list(lu_solve(Jb, matrix(minus(torque, gyro))))
    in_world = plus(*[times(a, b) for a, b in zip(ω, d)])
    ddα = minus(times(-1 / Ja, torque), dω)
    return [a for vector in (*[cross(in_world, b) for b in d], dω, dα, ddα) for a in vector]


def friction():
    t, ω = mpf(5), [mpf("0.2"), mpf("0.3"), mpf("0.4")]
    start = [mpf(a) for axis in AXES for a in axis] + ω + [mpf(a) for a in (0, 0, 0, 1, 2, 3)]
    _, end = integrate(with_friction, [mpf(0), t], start, tolerance=mpf("1e-22"))
    *directors, rate, α, dα = [end[i : i + 3] for i in range(0, 18, 3)]
    velocity = cross(ω, ρ)
    yield line(t, directors, rate, α, dα, plus(ρ, times(t, velocity)), velocity)


def steps(number):
    masses = [float(MASS)] + [float(ROTOR)] * 3
    moments = [[float(a) for a in E]] + [[float(ALONG if i == j else ACROSS) for i in range(3)] for j in range(3)]
    yield state_after(5.0, number, masses, moments, [float(a) for a in ARMS], 200.0)


def steps_5():
    return steps(5)


def steps_10():
    return steps(10)


def steps_20():
    return steps(20)

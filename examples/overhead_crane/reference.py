"""Overhead crane under given force and torque, in the coordinates s (trolley), l (cable) and φ (angle of the cable).

Load at x = s + l sin φ, z = -l cos φ. Lagrange's equations, that of φ divided by m l:
    (mt + m) s'' + m sin φ l'' + m l cos φ φ'' = m l φ'² sin φ - 2 m φ' l' cos φ + F,
    m sin φ s'' + (m + J/r²) l'' = m l φ'² + m g cos φ + M/r,
    cos φ s'' + l φ'' = -g sin φ - 2 φ' l'.
The balance of the winch gives the tension J/r² l'' - M/r; the multiplier of the cable is tension by length.

Data: mt = 10 kg, m = 100 kg, J = 0.1 kg m², r = 0.1 m, g = 9.81 m/s²; F = 300 sin(2πt/3), M = -m g r - 10 sin(2πt/3);
from s = 0, l = 4 m, hanging at rest. Method: extrapolation in 25 digits.
"""

from extrapolation import integrate
from mpmath import cos, mp, mpf, pi, sin

TOLERANCE = 1e-15  # digits of the file

mp.dps = 25
mt, m, J, r, g = mpf(10), mpf(100), mpf("0.1"), mpf("0.1"), mpf("9.81")


def force(t):
    return 300 * sin(2 * pi * t / 3)


def torque(t):
    return -m * g * r - 10 * sin(2 * pi * t / 3)


def rates(t, state):
    _, l, φ, ds, dl, dφ = state
    sine, cosine, winch = sin(φ), cos(φ), J / r**2
    # The third equation gives l φ'', the second l'': put into the first they leave one for s''.
    sway = -g * sine - 2 * dφ * dl
    hoist = m * l * dφ**2 + m * g * cosine + torque(t) / r
    drive = m * l * dφ**2 * sine - 2 * m * dφ * dl * cosine + force(t)
    mass = mt + m - (m * sine) ** 2 / (m + winch) - m * cosine**2
    dds = (drive - m * sine * hoist / (m + winch) - m * cosine * sway) / mass
    return [ds, dl, dφ, dds, (hoist - m * sine * dds) / (m + winch), (sway - cosine * dds) / l]


def reference():
    times = [mpf(i) / 20 for i in range(61)]
    start = [mpf(a) for a in (0, 4, 0, 0, 0, 0)]
    for t, state in zip(times, integrate(rates, times, start, tolerance=mpf("1e-20"))):
        s, l, φ, ds, dl, dφ = state
        tension = J / r**2 * rates(t, state)[4] - torque(t) / r
        yield {
            "t": t,
            "s": s,
            "l": l,
            "phi": φ,
            "s'": ds,
            "l'": dl,
            "phi'": dφ,
            "load_x": s + l * sin(φ),
            "load_z": -l * cos(φ),
            "lambda.cable": tension / l,
        }

"""Rotary crane in free motion: the load in Cartesian coordinates, with the tension that keeps the cable's length.

The bridge (angle φ) carries a trolley at the distance s, so at A = s e with e = (cos φ, sin φ, 0); across it is
n = (-sin φ, cos φ, 0). The load hangs on a cable of length l from a winch on the trolley. With D from trolley to load,
|D| = l, and the tension λ l,
    (Jb + mt s²) φ'' + 2 mt s s' φ' = λ s D·n,   mt (s'' - s φ'²) = λ D·e,
    Jw/rw² l'' = λ l,   m load'' = -λ D - m g ez.
D·D = l² differentiated twice, D·D'' + D'·D' = l l'' + l'² with D'' = load'' - A'', is one linear equation for λ:
    A'' = (s'' - s φ'²) e + (s φ'' + 2 s' φ') n = 2 Jb s' φ'/(Jb + mt s²) n + λ (D·e/mt e + s² D·n/(Jb + mt s²) n).
Angles of sway, in the frame of the bridge: D = l (sin θ₂ e - cos θ₂ sin θ₁ n - cos θ₂ cos θ₁ ez).

Data: Jb = 19.01 kg m², mt = 53 kg, m = 10 kg, Jw = 0.02 kg m², rw = 0.1 m, g = 9.81 m/s²; from φ = 0,
s = 1.5 m, l = 5 m, the whole turning at 1 rad/s. Method: extrapolation in 25 digits.
"""

from extrapolation import integrate
from mpmath import atan2, cos, mp, mpf, sin, sqrt
from vectors import dot

TOLERANCE = 1e-15  # digits of the file

mp.dps = 25
Jb, mt, m, Jw, rw, g = mpf("19.01"), mpf(53), mpf(10), mpf("0.02"), mpf("0.1"), mpf("9.81")


def from_trolley(state):
    """D and D' along e, n and upwards; D' is the derivative in the world."""
    φ, s, _, x, y, z, dφ, ds, _, dx, dy, dz = state
    cosine, sine = cos(φ), sin(φ)
    D = x * cosine + y * sine - s, y * cosine - x * sine, z
    dD = dx * cosine + dy * sine - ds, dy * cosine - dx * sine - s * dφ, dz
    return D, dD


def rates(_, state):
    φ, s, l, *_ = state
    dφ, ds, dl, *velocity = state[6:]
    D, dD = from_trolley(state)
    turning = Jb + mt * s**2
    coriolis = 2 * Jb * ds * dφ / turning
    pull = D[0] / mt, s**2 * D[1] / turning  # of the trolley by λ
    known = dot(dD, dD) - g * D[2] - coriolis * D[1] - dl**2
    λ = known / (l**2 / m + pull[0] * D[0] + pull[1] * D[1] + l**2 * rw**2 / Jw)
    load = [-λ / m * D[0], -λ / m * D[1], -λ / m * D[2] - g]
    return [
        dφ,
        ds,
        dl,
        *velocity,
        (λ * s * D[1] - 2 * mt * s * ds * dφ) / turning,
        s * dφ**2 + λ * D[0] / mt,
        λ * l * rw**2 / Jw,
        load[0] * cos(φ) - load[1] * sin(φ),
        load[0] * sin(φ) + load[1] * cos(φ),
        load[2],
    ]


def sway(state):
    """θ₁, θ₂ and their rates, from D and its derivative in the frame of the bridge."""
    (a, b, z), (da, db, dz) = from_trolley(state)
    turn = state[6]
    da, db = da + turn * b, db - turn * a
    below = sqrt(b**2 + z**2)
    return (
        atan2(-b, -z),
        atan2(a, below),
        (z * db - b * dz) / below**2,
        (below * da - a * (b * db + z * dz) / below) / (a**2 + below**2),
    )


def motion():
    """Times and states φ, s, l, x, y, z and their rates."""
    times = [mpf(i) / 20 for i in range(21)]
    start = [mpf(a) for a in ("0", "1.5", "5", "1.5", "0", "-5", "1", "0", "0", "0", "1.5", "0")]
    return zip(times, integrate(rates, times, start, tolerance=mpf("1e-20")))


def reference():
    for t, state in motion():
        φ, s, l, x, y, z, dφ, ds, dl, *_ = state
        θ1, θ2, dθ1, dθ2 = sway(state)
        yield {
            "t": t,
            "phi": φ,
            "s": s,
            "l": l,
            "th1": θ1,
            "th2": θ2,
            "phi'": dφ,
            "s'": ds,
            "l'": dl,
            "th1'": dθ1,
            "th2'": dθ2,
            "load_x": x,
            "load_y": y,
            "load_z": z,
        }

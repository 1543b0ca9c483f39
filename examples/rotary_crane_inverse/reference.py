"""Rotary crane: inputs of bridge, trolley and winch that carry a load along a straight line, in closed form.

The bridge (inertia Jb, angle φ about the vertical) bears a trolley (mass mt) at the distance s, so at
A = s (cos φ, sin φ); from it hangs the load (mass m, at (x, y, z), z upwards) on a cable of length l from a winch
(inertia Jw, radius rw). With the tension λ l,
    m (x'', y'') = -λ ((x, y) - A),   m (z'' + g) = -λ z,   l² = |(x, y) - A|² + z²,
    (Jb + mt s²) φ'' + 2 mt s s' φ' = Mb + λ A × (x, y),   mt (s'' - s φ'²) = Ft + λ (x cos φ + y sin φ - s),
    Jw/rw² l'' = Mw/rw + λ l.
From the path of the load follow λ = -m (z'' + g)/z, A = (x, y) - z (x'', y'')/(z'' + g), then s = |A|, φ, l, and the
inputs.

Data: m = 100 kg, mt = 10 kg, Jb = 480 kg m², Jw = 0.1 kg m², rw = 0.1 m, g = 9.81 m/s²; load from
(5, 0, -5) to (-2, 2, -2) in three phases.
Source: Y. Yang, Numerical methods for the inverse dynamics simulation of underactuated mechanical systems, KIT 2017,
section 5.3.2.
Method: Taylor series about each instant, in 40 digits.
"""

from mpmath import mp, mpf
from taylor import angle, rates, root, straight, three_phases, values

TOLERANCE = 1e-15  # digits of the file

mp.dps = 40
m, mt, Jb, Jw, rw, g = mpf(100), mpf(10), mpf(480), mpf("0.1"), mpf("0.1"), mpf("9.81")
LENGTH = 5  # of the series: the inputs need four derivatives of the path


def crane(t):
    """Load, trolley A, φ, s, l, λ and the inputs Mb, Ft, Mw about the instant t."""
    x, y, z = straight((5, 0, -5), (-2, 2, -2), three_phases(t, LENGTH))
    gravity = z.rate.rate + g
    λ = -m * gravity / z
    ax, ay = x - z * x.rate.rate / gravity, y - z * y.rate.rate / gravity
    s, φ = root(ax * ax + ay * ay), angle(ay, ax)
    l = root((x - ax) * (x - ax) + (y - ay) * (y - ay) + z * z)
    Mb = (Jb + mt * s * s) * φ.rate.rate + 2 * mt * s * s.rate * φ.rate - λ * (ax * y - ay * x)
    Ft = mt * (s.rate.rate - s * φ.rate * φ.rate) - λ * ((ax * x + ay * y) / s - s)
    Mw = Jw / rw * l.rate.rate - rw * λ * l
    return (x, y, z), (ax, ay), φ, s, l, λ, (Mb, Ft, Mw)


def instants():
    return [mpf(k) for k in range(21)]


def reference():
    for t in instants():
        (x, y, z), _, phi, s, l, λ, (Mb, Ft, Mw) = crane(t)
        yield {
            "t": t,
            **values(phi=phi, s=s, l=l, x=x, y=y, z=z),
            **rates(phi=phi, s=s, l=l, x=x, y=y, z=z),
            "lambda.cable": λ.value,
            **values(Mb=Mb, Ft=Ft, Mw=Mw, load_x=x, load_y=y, load_z=z),
        }

"""Rotary crane with ten coordinates: cables along the boom, for the motion of ../rotary_crane_inverse.

With the unit vectors e along and n across the boom, the hoisting winch is at P = -r e, the travelling winch at α P, the
trolley at A = s e, and the lengths of the cables are L1 = s + α r (travelling winch to trolley), L0 = s + r (hoisting
winch to trolley), L2 = L0 + l. Lagrange's equations with all constraints acting as -Gᵀλ; multipliers of travelling
cable λ₁, hoisting cable λ₂, boom λ₃, rail λ₄ (constraint P × A = 0) and load cable λ₅, which is that of the crane with
six coordinates:
    L0:  0 = λ₂ L0 - λ₅ l,   L1:  -Jw/rw² l'' = F1 + λ₁ L1,   L2:  Jw/rw² l'' = F2 + λ₅ l,
    trolley along e:  mt (s'' - s φ'²) = -λ₁ L1 - λ₂ L0 + λ₅ D·e,   across:  mt (s φ'' + 2 s' φ') = λ₄ r + λ₅ D·n,
    winch along e:    Jb/r φ'² = λ₁ α L1 + λ₂ L0 + λ₃ r,            across:  -Jb/r φ'' = λ₄ s - Mb/r,
with D from trolley to load.

Data: r = 4 m, α = 1/2, the rest as in ../rotary_crane_inverse. Source: section 5.4.4 of the dissertation named there,
which does not give the radii of the winches: forces F1, F2 stand for their torques; it prints some multipliers with the
opposite sign.
Method: Taylor series about each instant, in 40 digits.
"""

from mpmath import mp, mpf
from rotary_crane_inverse.reference import Jb, Jw, crane, instants, mt, rw
from taylor import values

TOLERANCE = 1e-15  # digits of the file

mp.dps = 40
r, α = mpf(4), mpf(1) / 2


def reference():
    for t in instants():
        (x, y, z), (ax, ay), φ, s, l, λ5, _ = crane(t)
        along, across = (ax * x + ay * y) / s - s, (ax * y - ay * x) / s
        L1, L0 = s + α * r, s + r
        λ2 = λ5 * l / L0
        λ1 = (λ5 * along - λ2 * L0 - mt * (s.rate.rate - s * φ.rate * φ.rate)) / L1
        λ4 = (mt * (s * φ.rate.rate + 2 * s.rate * φ.rate) - λ5 * across) / r
        λ3 = (Jb / r * φ.rate * φ.rate - α * λ1 * L1 - λ2 * L0) / r
        yield {
            "t": t,
            **values(x2=-r * ax / s, y2=-r * ay / s, x0=ax, y0=ay, L1=L1, L2=L0 + l, L0=L0, x=x, y=y, z=z),
            "lambda.travel_cable": λ1.value,
            "lambda.hoist_cable": λ2.value,
            "lambda.boom": λ3.value,
            "lambda.rail": λ4.value,
            "lambda.load_cable": λ5.value,
            "F1": (-Jw / rw**2 * l.rate.rate - λ1 * L1).value,
            "F2": (Jw / rw**2 * l.rate.rate - λ5 * l).value,
            "Mb": (Jb * φ.rate.rate + r * λ4 * s).value,
            **values(load_x=x, load_y=y, load_z=z),
        }

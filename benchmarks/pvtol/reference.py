"""Vertical take-off aircraft whose centre of oscillation p is prescribed, in closed form.

    m x'' = -T sin θ + e Q cos θ,   m (z'' + g) = T cos θ + e Q sin θ,   J θ'' = Q,
    p = (x - δ sin θ, z + δ cos θ),   δ = J e/m:   (p_x'', p_z'' + g) = (T/m - δ θ'²) (-sin θ, cos θ).
So θ follows from p'', T from its length, Q from θ''. [P. Martin, S. Devasia, B. Paden, A different look at output
tracking: control of a VTOL aircraft, Automatica 32 (1996) 101]
Method: Taylor series about each instant, in 40 digits.
"""

from mpmath import mp, mpf
from taylor import angle, root, smooth_step, straight

TOLERANCE = 1e-14  # digits of the file

mp.dps = 40
m, J, e, g = mpf(1), mpf("0.2"), mpf("0.5"), mpf("9.81")


def reference():
    for n in range(41):
        t = mpf(n) / 10
        px, pz = straight((0, J * e / m), (10, 5 + J * e / m), smooth_step(9, t, mpf(4), 5))
        ax, az = px.rate.rate, pz.rate.rate + g
        turn = angle(-ax, az)
        thrust = m * (root(ax * ax + az * az).value + J * e / m * turn.rate.value**2)
        yield {"t": t, "T": thrust, "Q": J * turn.rate.rate.value}

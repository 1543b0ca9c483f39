"""Quadrotor in its plane with a load on a cable, in closed form.

With r the path of the load and e the direction of the cable from it,
    m (r'' + g) = -S e … so e = (r'' + g)/|r'' + g|,   quadrotor at r + L e,
    T (-sin θ, cos θ) = M ((r + L e)'' + g) + m (r'' + g),   Q = J θ''.
[K. Sreenath, N. Michael, V. Kumar, Trajectory generation and control of a quadrotor with a cable-suspended load,
ICRA 2013; data our own]
Method: Taylor series about each instant, in 40 digits.
"""

from mpmath import mp, mpf
from taylor import angle, root, smooth_step, straight

TOLERANCE = 1e-14  # digits of the file

mp.dps = 40
M, J, m, L, g = mpf(1), mpf("0.02"), mpf("0.4"), mpf("0.8"), mpf("9.81")


def reference():
    for n in range(31):
        t = mpf(n) / 10
        x, z = straight((0, 0), (4, 2), smooth_step(13, t, mpf(3), 7))
        ax, az = x.rate.rate, z.rate.rate + g
        size = root(ax * ax + az * az)
        qx, qz = x + L * (ax / size), z + L * (az / size)
        fx, fz = M * qx.rate.rate + m * ax, M * (qz.rate.rate + g) + m * az
        turn = angle(-fx, fz)
        yield {"t": t, "T": root(fx * fx + fz * fz).value, "Q": J * turn.rate.rate.value}

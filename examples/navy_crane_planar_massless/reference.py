"""Planar crane with a massless pulley: torques of two winches that carry a load along a straight line.

Cable 2 (length L2) runs from winch P at the origin over the pulley at (x0, z0) to the load (mass m, at (x, z)); cable 1
(length L1) runs from winch A to the pulley. The part of cable 2 up to the pulley is L0 long. Its tension T is the same
in both parts, so
    load:     m (x'', z'' + g) points from load to pulley and has the size T;
    pulley:   T₁ a + T (p + d) = 0 with the unit vectors a, p, d from the pulley to A, to P and to the load.
The pulley thus lies on the line through the load along (x'', z'' + g) where cable 1 halves the angle of cable 2,
(p - d)·a = 0. In this form the two equations for its place stay regular where cable 2 is straight and T₁ = 0, as at the
start. Then T₁ = -T (p + d)·a, and
    J/r² L1'' = u1/r + T₁,   J/r² L2'' = u2/r + T.   Multipliers are tensions by lengths.

Data: m = 100 kg, J = 0.1 kg m² and r = 0.1 m of each winch, g = 9.81 m/s²; A at 10 m from P, π/3 from the vertical
downwards; load from (0, -15) to (-5, -12) in 3 s on the polynomial of degree 9.
Source: Y. Yang, Numerical methods for the inverse dynamics simulation of underactuated mechanical systems, KIT 2017,
section 6.1.1.
Method: Taylor series about each instant, in 40 digits, the pulley by Newton's method.
"""

from mpmath import mp, mpf, sqrt
from taylor import rates, size, smooth_step, solve, straight, values
from vectors import dot, minus

TOLERANCE = 1e-15  # digits of the file

mp.dps = 40
m, J, r, g = mpf(100), mpf("0.1"), mpf("0.1"), mpf("9.81")
A = -5 * sqrt(3), -mpf(5)
LENGTH = 5  # of the series: the torques need four derivatives of the path


def reference():
    guess = [mpf(0), mpf(-5)]  # the pulley at the start: cable 1 at right angles to cable 2
    for k in range(21):
        t = mpf(3 * k) / 20
        load = straight((0, -15), (-5, -12), smooth_step(9, t, mpf(3), LENGTH))
        pull = [load[0].rate.rate, load[1].rate.rate + g]

        def conditions(*pulley):
            to_a, to_p, to_load = minus(A, pulley), minus((0, 0), pulley), minus(load, pulley)
            return (
                to_load[0] * pull[1] - to_load[1] * pull[0],
                dot(to_p, to_a) / size(to_p) - dot(to_load, to_a) / size(to_load),
            )

        pulley = solve(conditions, guess, LENGTH - 2)
        guess = [a.value for a in pulley]
        to_a, to_p, to_load = minus(A, pulley), minus((0, 0), pulley), minus(load, pulley)
        L1, L0, lower = size(to_a), size(to_p), size(to_load)
        L2 = L0 + lower
        T = m * size(pull)
        T1 = -T * (dot(to_p, to_a) / L0 + dot(to_load, to_a) / lower) / L1
        (x0, z0), (x, z) = pulley, load
        yield {
            "t": t,
            **values(L1=L1, L2=L2, L0=L0, x0=x0, z0=z0, x=x, z=z),
            **rates(L1=L1, L2=L2, L0=L0, x0=x0, z0=z0),
            "lambda.cable1": (T1 / L1).value,
            "lambda.cable2_upper": (T / L0).value,
            "lambda.cable2_lower": (T / lower).value,
            "u1": (J / r * L1.rate.rate - r * T1).value,
            "u2": (J / r * L2.rate.rate - r * T).value,
            **values(load_x=x, load_z=z),
        }

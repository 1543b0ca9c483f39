"""Planar crane with a heavy pulley: torques of three winches that move load and pulley as prescribed, in closed form.

Winches S at the origin, P and A on a boom hold the pulley (mass m0, at (x0, z0)) by cables of lengths L3, L0 and L1;
that of P runs over the pulley to the load (mass m, at (x, z)) and is L2 long. Each winch has inertia J and radius r.
With tensions λ times length, balances are
    load:     m (x'', z'' + g) = -λ₄ (x - x0, z - z0),   so x0 = x + (z0 - z) x''/(z'' + g),   as z0 is prescribed;
    cable P:  λ₂ L0 = λ₄ (L2 - L0), the same tension on both sides of the pulley;
    pulley:   m0 (x0'', z0'' + g) = -λ₁ (pulley - A) - λ₂ (pulley - P) - λ₃ pulley + λ₄ (load - pulley),
              two equations for λ₁ and λ₃;
    winches:  J/r² L1'' = u1/r + λ₁ L1,   J/r² L2'' = u2/r + λ₄ (L2 - L0),   J/r² L3'' = u3/r + λ₃ L3.

Data: m = 100 kg, m0 = 150 kg, J = 0.1 kg m², r = 0.1 m, g = 9.81 m/s²; P and A at 5 and 15 m from S, π/3 from the
vertical downwards; (x, z, z0) from (-2.5√3, -22.5, -12.5) to (-1, -17.5, -10.5) in 3 s on the polynomial of degree 9.
Source: Y. Yang, Numerical methods for the inverse dynamics simulation of underactuated mechanical systems, KIT 2017,
section 6.1.2.
Method: Taylor series about each instant, in 40 digits.
"""

from mpmath import mp, mpf, sqrt
from taylor import rates, size, smooth_step, straight, values

TOLERANCE = 1e-15  # digits of the file

mp.dps = 40
m, m0, J, r, g = mpf(100), mpf(150), mpf("0.1"), mpf("0.1"), mpf("9.81")
P = -5 * sqrt(3) / 2, -mpf(5) / 2
A = -15 * sqrt(3) / 2, -mpf(15) / 2
START, END = (-5 * sqrt(3) / 2, mpf("-22.5"), mpf("-12.5")), (-1, mpf("-17.5"), mpf("-10.5"))
LENGTH = 5  # of the series: the torques need four derivatives of the path


def reference():
    for k in range(21):
        t = mpf(3 * k) / 20
        x, z, z0 = straight(START, END, smooth_step(9, t, mpf(3), LENGTH))
        gravity = z.rate.rate + g
        x0 = x + (z0 - z) * x.rate.rate / gravity
        L1, L3, L0 = size((x0 - A[0], z0 - A[1])), size((x0, z0)), size((x0 - P[0], z0 - P[1]))
        lower = size((x - x0, z - z0))
        L2 = L0 + lower
        λ4 = m * gravity / (z0 - z)
        λ2 = λ4 * lower / L0
        # What cables 1 and 3 have to bear: λ₁ (pulley - A) + λ₃ pulley = (fx, fz), solved by cross products.
        fx = λ4 * (x - x0) - λ2 * (x0 - P[0]) - m0 * x0.rate.rate
        fz = λ4 * (z - z0) - λ2 * (z0 - P[1]) - m0 * (z0.rate.rate + g)
        area = x0 * A[1] - z0 * A[0]
        λ1 = (fx * z0 - fz * x0) / area
        λ3 = (fz * (x0 - A[0]) - fx * (z0 - A[1])) / area
        yield {
            "t": t,
            **values(L1=L1, L2=L2, L3=L3, L0=L0, x0=x0, x=x, z=z, z0=z0),
            **rates(L1=L1, L2=L2, L3=L3, L0=L0, x0=x0),
            "lambda.cable1": λ1.value,
            "lambda.cable2_upper": λ2.value,
            "lambda.cable3": λ3.value,
            "lambda.cable2_lower": λ4.value,
            "u1": (J / r * L1.rate.rate - r * λ1 * L1).value,
            "u2": (J / r * L2.rate.rate - r * λ4 * lower).value,
            "u3": (J / r * L3.rate.rate - r * λ3 * L3).value,
            **values(load_x=x, load_z=z, pulley_z=z0),
        }

"""Slewing crane with a heavy pulley: torques that move load and pulley as prescribed, in closed form.

The boom's tip P = (x3, y3, z3) is at the distance r from the vertical axis; cables of lengths L1, L2, L0 hold the
pulley (mass m0, at p = (x0, y0, z0)) from A = β₁ P, S = β₂ P and P, and that from P runs on to the load (mass m, at
l = (x, y, z)) and is L3 long. With tensions λ times length, balances are
    load:     m (l'' + g ez) = -λ₄ (l - p), so (x0, y0) = (x, y) + (z0 - z) (x'', y'')/(z'' + g), as z0 is prescribed;
    cable P:  λ₃ L0 = λ₄ (L3 - L0), the same tension on both sides of the pulley;
    pulley:   f = m0 (p'' + g ez) - λ₄ (l - p) = -λ₁ (p - A) - λ₂ (p - S) - λ₃ (p - P).
The right side lies in the plane of p and P, hence (f × p)·P = 0: with x3² + y3² = r² the boom's angle, on the side of
the pulley. Then
    λ₁, λ₂ from the pulley,   u1 from J/r₁² L1'' = u1/r₁ + λ₁ L1, likewise u2 and u3,
and the torque of the boom as in ../navy_crane_spatial_massless.

Data: m0 = 5 kg, β₂ = 3/2, the rest as in ../navy_crane_spatial_massless; (x, y, z, z0) from (5√3, 0, -15, 2.5) to
(-2, 4√3, -13, 1.5) in 20 s on the polynomial of degree 19: the torque of the boom needs six derivatives of the path.
Source: Y. Yang, Numerical methods for the inverse dynamics simulation of underactuated mechanical systems, KIT 2017,
section 6.2.2, apart from the profile. Method: Taylor series about each instant, in 40 digits.
"""

from mpmath import mp, mpf, sqrt
from navy_crane_spatial_massless.reference import J, boom, g, m, r, r1, z3, β1
from taylor import rates, root, size, smooth_step, straight, values
from vectors import cross, dot, minus, plus, times

TOLERANCE = 1e-15  # digits of the file

mp.dps = 40
m0, β2 = mpf(5), mpf(3) / 2
START, END = (5 * sqrt(3), 0, -15, mpf("2.5")), (-2, 4 * sqrt(3), -13, mpf("1.5"))
LENGTH = 7


def tip_of_boom(normal, pulley):
    """(x3, y3) at the distance r from the axis with normal·(x3, y3, z3) = 0, on the side of the pulley."""
    nx, ny, nz = normal
    square, level = nx * nx + ny * ny, nz * z3
    half = root(square * r**2 - level * level)
    tips = [((-level * nx - sign * half * ny) / square, (-level * ny + sign * half * nx) / square) for sign in (-1, 1)]
    return max(tips, key=lambda tip: dot(tip, pulley[:2]).value)


def cables_to_boom(f, pulley, tip, λ3):
    """λ₁, λ₂ from f + λ₃ (p - P) = -(λ₁ + λ₂) p + (λ₁ β₁ + λ₂ β₂) P, by components along p × P."""
    h = plus(f, times(λ3, minus(pulley, tip)))
    normal = cross(pulley, tip)
    total = -dot(cross(h, tip), normal) / dot(normal, normal)
    weighted = dot(cross(pulley, h), normal) / dot(normal, normal)
    return (β2 * total - weighted) / (β2 - β1), (weighted - β1 * total) / (β2 - β1)


def reference():
    for k in range(21):
        t = mpf(k)
        x, y, z, z0 = straight(START, END, smooth_step(19, t, mpf(20), LENGTH))
        gravity = z.rate.rate + g
        x0, y0 = [a + (z0 - z) * a.rate.rate / gravity for a in (x, y)]
        pulley, hanging = (x0, y0, z0), (x - x0, y - y0, z - z0)
        λ4 = m * gravity / (z0 - z)
        f = plus([m0 * a.rate.rate for a in pulley], (0, 0, m0 * g), times(-λ4, hanging))
        x3, y3 = tip_of_boom(cross(f, pulley), pulley)
        to_a, to_s, to_p = [minus((β * x3, β * y3, β * z3), pulley) for β in (β1, β2, 1)]
        L1, L2, L0, lower = [size(a) for a in (to_a, to_s, to_p, hanging)]
        L3 = L0 + lower
        λ3 = λ4 * lower / L0
        λ1, λ2 = cables_to_boom(f, pulley, (x3, y3, z3), λ3)
        force = plus(times(-β1 * λ1, to_a[:2]), times(-β2 * λ2, to_s[:2]), times(-λ3, to_p[:2]))
        λ_boom, u4 = boom((x3, y3), force)
        yield {
            "t": t,
            **values(L1=L1, L2=L2, L3=L3, L0=L0, x0=x0, y0=y0, x3=x3, y3=y3, x=x, y=y, z=z, z0=z0),
            **rates(L1=L1, L2=L2, L3=L3, L0=L0, x0=x0, y0=y0, x3=x3, y3=y3, x=x, y=y, z=z, z0=z0),
            "lambda.boom": λ_boom.value,
            "lambda.cable1": λ1.value,
            "lambda.cable2": λ2.value,
            "lambda.cable3_upper": λ3.value,
            "lambda.cable3_lower": λ4.value,
            "u1": (J / r1 * L1.rate.rate - r1 * λ1 * L1).value,
            "u2": (J / r1 * L2.rate.rate - r1 * λ2 * L2).value,
            "u3": (J / r1 * L3.rate.rate - r1 * λ4 * lower).value,
            **values(u4=u4, load_x=x, load_y=y, load_z=z, pulley_z=z0),
        }

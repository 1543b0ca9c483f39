"""Slewing crane with a massless pulley: torques of two winches and of the boom that carry a load along a straight line.

The boom turns about the vertical; its tip P = (x3, y3, z3) is at the distance r from the axis, and A = β₁ P. Cable 3
(length L3, L0 up to the pulley) runs from P over the pulley to the load (mass m), cable 1 (length L1) from A to the
pulley. The tension T of cable 3 is the same in both parts:
    load:     m (load'' + g ez) points from load to pulley and has the size T, so pulley = load + σ (load'' + g ez);
    pulley:   T₁ a + T (p + d) = 0 with the unit vectors a, p, d from the pulley to A, to P and to the load.
So A, P, pulley and load lie in a plane and cable 1 halves the angle of cable 3, (p - d)·a = 0. These two conditions and
x3² + y3² = r² are regular equations for σ, x3, y3, also where cable 3 is straight and T₁ = 0, as at the start. Then
T₁ = -T (p + d)·a, and with λ tensions by lengths
    winches:  J/r₁² L1'' = u1/r₁ + T₁,   J/r₁² L3'' = u3/r₁ + T   (all alike),
    boom:     M (x3'', y3'') = F - λ_boom (x3, y3) + u4/r² (-y3, x3), with a mass M at P,
              F the horizontal part of λ₁ β₁ (pulley - A) + λ₃ (pulley - P).

Data: m = 100 kg, M = 6.4 kg, J = 0.1 kg m² and r₁ = 0.1 m of each winch, r = 5√3 m, z3 = 5 m, β₁ = 1/2, g = 9.81 m/s²;
load from (5√3, 0, -15) to (-2, 4√3, -13) in three phases.
Source: Y. Yang, Numerical methods for the inverse dynamics simulation of underactuated mechanical systems, KIT 2017,
section 6.2.1.
Method: Taylor series about each instant, in 40 digits, the three unknowns by Newton's method.
"""

from mpmath import mp, mpf, sqrt
from taylor import rates, size, solve, straight, three_phases, values
from vectors import cross, dot, minus, plus, times

TOLERANCE = 1e-15  # digits of the file

mp.dps = 40
m, M, J, r1, g = mpf(100), mpf("6.4"), mpf("0.1"), mpf("0.1"), mpf("9.81")
r, z3, β1 = 5 * sqrt(3), mpf(5), mpf(1) / 2
LENGTH = 5  # of the series: the torques need four derivatives of the path


def boom(tip, force):
    """Multiplier and torque of the boom that is pulled by a force."""
    rest = minus(force, [M * a.rate.rate for a in tip])
    return dot(rest, tip) / r**2, -dot(rest, (-tip[1], tip[0]))


def reference():
    guess = [mpf("17.5") / g, r, mpf(0)]  # σ, x3, y3 at the start: cable 1 at right angles to cable 3
    for k in range(21):
        t = mpf(k)
        load = straight((5 * sqrt(3), 0, -15), (-2, 4 * sqrt(3), -13), three_phases(t, LENGTH))
        pull = plus([a.rate.rate for a in load], (0, 0, g))

        def arms(σ, x3, y3):
            """The pulley and vectors from it to A, P and the load."""
            pulley = plus(load, times(σ, pull))
            return pulley, minus((β1 * x3, β1 * y3, β1 * z3), pulley), minus((x3, y3, z3), pulley), minus(load, pulley)

        def conditions(σ, x3, y3):
            _, to_a, to_p, to_load = arms(σ, x3, y3)
            return (
                x3 * x3 + y3 * y3 - r**2,
                dot(to_a, cross(to_p, to_load)),
                dot(to_p, to_a) / size(to_p) - dot(to_load, to_a) / size(to_load),
            )

        σ, x3, y3 = solve(conditions, guess, LENGTH - 2)
        guess = [σ.value, x3.value, y3.value]
        (x0, y0, z0), to_a, to_p, to_load = arms(σ, x3, y3)
        L1, L0, lower = size(to_a), size(to_p), size(to_load)
        L3 = L0 + lower
        T = m * size(pull)
        λ1 = -T * (dot(to_p, to_a) / L0 + dot(to_load, to_a) / lower) / (L1 * L1)
        λ3 = T / L0
        λ_boom, u4 = boom((x3, y3), plus(times(-β1 * λ1, to_a[:2]), times(-λ3, to_p[:2])))
        x, y, z = load
        yield {
            "t": t,
            **values(L1=L1, L3=L3, L0=L0, x0=x0, y0=y0, z0=z0, x3=x3, y3=y3, x=x, y=y, z=z),
            **rates(L1=L1, L3=L3, L0=L0, x0=x0, y0=y0, z0=z0, x3=x3, y3=y3),
            "lambda.cable1": λ1.value,
            "lambda.cable3_upper": λ3.value,
            "lambda.boom": λ_boom.value,
            "lambda.cable3_lower": (T / lower).value,
            "u1": (J / r1 * L1.rate.rate - r1 * λ1 * L1).value,
            "u3": (J / r1 * L3.rate.rate - r1 * T).value,
            **values(u4=u4, load_x=x, load_y=y, load_z=z),
        }

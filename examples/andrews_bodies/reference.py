"""Andrews' squeezing mechanism as a system with one degree of freedom, the angle β of the crank.

Points are complex numbers. The crank carries F = rr exp(iβ). From F the places of the other hinges follow by
intersecting circles:
    E between F and the fixed point B (rod d, lever ss),
    G and H between E and the fixed point A (rods e, zf, rockers zt, u).
A link from P along the unit vector w has its centre of mass at P + c w with a constant complex c. All places r and
angles φ of the links are functions of β; with their derivatives r₁, r₂, φ₁, φ₂ by β the principle of virtual power is
    Σ (m |r₁|² + I φ₁²) β'' + Σ (m r₁·r₂ + I φ₁ φ₂) β'² = torque - dV/dβ,   V = c0/2 (|D - C| - l0)²
with the spring from the fixed point C to the corner D of the lever. There is no gravity.

Data, start and source: F. Mazzia, C. Magherini, Test Set for Initial Value Problem Solvers, release 2.4, University of
Bari (2008).
Method: explicit Runge-Kutta method of order 8 (DOP853 of SciPy); T + V - torque (β - β0) must stay what it is.
"""

from cmath import exp

import numpy as np
from scipy.integrate import solve_ivp

TOLERANCE = 1e-11  # of integration with a relative tolerance of 1e-13 over two and a half turns

m = [0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498]
I = [2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5]
A, B, C = -0.06934 - 0.00227j, -0.03635 + 0.03273j, 0.014 + 0.072j
rr, d, ss, e, zt, zf, u = 0.007, 0.028, 0.035, 0.02, 0.04, 0.02, 0.04
# Centres of mass: of the crank along OF, from F along FE, from B along BE, from E along EG, from A along AG, from E
# along EH, from A along AH.
c = [0.00092, 0.0115, 0.01874 + 0.01043j, 0.01421, 0.02308 + 0.00916j, 0.01421, 0.01228 - 0.00449j]
corner = 0.018 + 0.02j  # D, from B along BE
c0, l0 = 4530.0, 0.07785
torque = 0.033
β0 = -0.0617138900142764496


def dot(a, b):
    return (a.conjugate() * b).real


def turning(z, rate, rate2):
    """The complex number z, fixed to a link with these derivatives of its angle, and its own two derivatives."""
    return np.array([z, 1j * rate * z, (1j * rate2 - rate**2) * z])


def dyad(P, fixed, length, fixed_length, side):
    """Two links from P, with its two derivatives, to the fixed point.

    Returns where they meet, and of each its unit vector and the two derivatives of its angle.
    """
    gap = fixed - P[0]
    along = (length**2 - fixed_length**2 + abs(gap) ** 2) / (2 * abs(gap))
    w = gap / abs(gap) * (along + side * 1j * np.sqrt(length**2 - along**2)) / length
    v = (P[0] + length * w - fixed) / fixed_length
    # P₁ + i length w φ₁ = i fixed_length v ψ₁: a complex equation for two real unknowns; so for the second derivatives.
    columns = np.array([1j * length * w, -1j * fixed_length * v])
    matrix = np.array([columns.real, columns.imag])

    def unknowns(right):
        return np.linalg.solve(matrix, [right.real, right.imag])

    φ1, ψ1 = unknowns(-P[1])
    φ2, ψ2 = unknowns(-P[2] + length * w * φ1**2 - fixed_length * v * ψ1**2)
    moving, grounded = (w, φ1, φ2), (v, ψ1, ψ2)
    return P + length * turning(*moving), moving, grounded


def mechanism(β):
    """E and D with their derivatives, and of each link (centre of mass with its derivatives, φ₁, φ₂)."""
    crank = (exp(1j * β), 1.0, 0.0)
    F = rr * turning(*crank)
    E, FE, BE = dyad(F, B, d, ss, +1)
    _, EG, AG = dyad(E, A, e, zt, -1)
    _, EH, AH = dyad(E, A, zf, u, +1)
    O, fixed_A, fixed_B = [point * np.array([1, 0, 0]) for point in (0, A, B)]
    carriers, turns = [O, F, fixed_B, E, fixed_A, E, fixed_A], [crank, FE, BE, EG, AG, EH, AH]
    links = [(P + ci * turning(*link), link[1], link[2]) for P, ci, link in zip(carriers, c, turns)]
    return E, fixed_B + corner * turning(*BE), links


def inertia(links):
    return sum(m[i] * abs(r[1]) ** 2 + I[i] * φ1**2 for i, (r, φ1, _) in enumerate(links))


def spring(D):
    return c0 / 2 * (abs(D[0] - C) - l0) ** 2


def rates(_, state):
    β, dβ = state
    _, D, links = mechanism(β)
    change = sum(m[i] * dot(r[1], r[2]) + I[i] * φ1 * φ2 for i, (r, φ1, φ2) in enumerate(links))
    slope = c0 * (abs(D[0] - C) - l0) * dot(D[0] - C, D[1]) / abs(D[0] - C)
    return [dβ, (torque - slope - change * dβ**2) / inertia(links)]


def motion():
    """Times, and β and β' at them."""
    times = np.arange(61) * 0.0005
    solution = solve_ivp(rates, (0, 0.03), [β0, 0], "DOP853", times, rtol=1e-13, atol=1e-14)
    return zip(times, *solution.y)


def reference():
    for t, β, dβ in motion():
        E, D, links = mechanism(β)
        kinetic = inertia(links) * dβ**2 / 2
        assert abs(kinetic + spring(D) - torque * (β - β0) - spring(mechanism(β0)[1])) < 1e-11
        yield {
            "t": t,
            "beta": β,
            "beta'": dβ,
            "E.x": E[0].real,
            "E.y": E[0].imag,
            "energy.kinetic": kinetic,
            "energy.potential": spring(D),
        }

"""Bricard's mechanism, five rods and the ground in a ring of six hinges, with one degree of freedom.

All links are alike and every hinge is perpendicular to both its links and to the hinges next to it. The ring stays
symmetric under a turn by 120° about a diagonal of the cube: the angles between successive links are in turn θ, φ, θ, φ,
θ, φ, and the ring is closed if
    cos θ + cos φ + cos θ cos φ = 0   (checked below).
Along this curve, with a parameter s in which it is regular everywhere,
    dθ/ds = sin φ (1 + cos θ),   dφ/ds = -sin θ (1 + cos φ).
At a hinge with axis u the direction d of the link turns into cos η d + sin η u × d; the next axis is ± this
direction × u. With the places r of the rods' centres and their turning ω per unit of s, derivatives r₁, r₂ = dr₁/ds,
α = dω/ds, the principle of virtual power is
    Σ (m r₁·r₁ + ω·J ω) s'' + Σ (m r₁·r₂ + ω·J α) s'² = Σ m g·r₁.

Data: rods of 1 m and 1 kg with a square section of 0.1 m along the edges of a cube, from rest, g = 9.81 m/s² along -y.
Source: M. González, F. González, A. Luaces, J. Cuadrado, A collaborative benchmarking framework for multibody system
dynamics, Engineering with Computers 26 (2010) 1–9; problem A04 of the IFToMM library.
Method: explicit Runge-Kutta method of order 8 (DOP853 of SciPy).
"""

from math import cos, pi, sin

import numpy as np
from scipy.integrate import solve_ivp

TOLERANCE = 1e-9  # nine digits in the file

L, a, m = 1.0, 0.1, 1.0
Js, Jt = m * a**2 / 6, m * (L**2 + a**2) / 12  # along a rod and across
gravity = np.array([0, -9.81, 0])


def ring(θ, φ):
    """Of each link from rod 1 to the ground: direction, angular velocity, acceleration; start with two derivatives."""
    θ1, φ1 = sin(φ) * (1 + cos(θ)), -sin(θ) * (1 + cos(φ))
    θ2 = -sin(φ) * sin(θ) * θ1 + cos(φ) * (1 + cos(θ)) * φ1
    φ2 = -cos(θ) * (1 + cos(φ)) * θ1 + sin(θ) * sin(φ) * φ1
    d, u = np.array([0.0, 0, -1]), np.array([0.0, 1, 0])  # of the ground, at the hinge P0
    ω = α = r = r1 = r2 = np.zeros(3)
    links = []
    for i in range(6):
        η, η1, η2 = [(θ, θ1, θ2), (φ, φ1, φ2)][i % 2]
        α = α + u * η2 + np.cross(ω, u) * η1
        ω = ω + u * η1
        d = cos(η) * d + sin(η) * np.cross(u, d)
        u = (-1) ** i * np.cross(d, u)
        links.append((d, ω, α, r, r1, r2))
        r, r1, r2 = r + L * d, r1 + L * np.cross(ω, d), r2 + L * (np.cross(α, d) + np.cross(ω, np.cross(ω, d)))
    return links


def rates(_, state):
    θ, φ, speed = state
    inertia = change = force = 0.0
    for d, ω, α, _, r1, r2 in ring(θ, φ)[:5]:
        c1 = r1 + L / 2 * np.cross(ω, d)
        c2 = r2 + L / 2 * (np.cross(α, d) + np.cross(ω, np.cross(ω, d)))
        Jω = Jt * ω + (Js - Jt) * d * (d @ ω)
        inertia += m * c1 @ c1 + Jω @ ω
        change += m * c1 @ c2 + Jω @ α
        force += m * gravity @ c1
    return [speed * sin(φ) * (1 + cos(θ)), -speed * sin(θ) * (1 + cos(φ)), (force - change * speed**2) / inertia]


def reference():
    times = [0.2, 0.5, 1.0, 2.0]
    solution = solve_ivp(rates, (0, 2), [-pi / 2, -pi / 2, 0], "DOP853", times, rtol=1e-12, atol=1e-13)
    for t, θ, φ in zip(times, *solution.y[:2]):
        links = ring(θ, φ)
        direction, start = links[5][0], links[5][3]
        assert np.allclose([direction, start], [(0, 0, -1), (0, 0, L)], atol=1e-11)  # the last link is the ground again
        corner = links[3][3]  # the start of rod 4
        yield dict(zip(["t", "corner.x", "corner.y", "corner.z"], [t, *corner]))

"""The satellite with motors by the energy-momentum scheme in directors: a discrete motion, not the exact one.

Each body is described by the place of its centre and by three directors, q = (φ, d₁, d₂, d₃), with the mass matrix
diag(m, E₁, E₂, E₃) and constraints Φ at most quadratic: directors are orthonormal, rotor i sits at the arm aᵢ dᵢ of the
satellite, and its other two directors stay at right angles to the axle dᵢ. A step of length h from (q₀, v₀) to (q₁, v₁)
solves, with averages q, v and G = ∂Φ/∂q,
    q₁ - q₀ = h v,   M (v₁ - v₀) = h (f - G(q)ᵀ λ),   Φ(q₁) = 0.
A torque τ on a body acts on its directors as f_j = ½ τ × dʲ. Averaged directors are not orthonormal; dʲ are their
contravariant partners, dʲ·d_k = δ_jk, without which momentum is lost. The same holds for the axle along which the
motors act: τ = u dⁱ of the satellite.

Source: R. Siebert, Mechanical integrators for the optimal control in multibody dynamics, University of Siegen (2012),
chapters 3 and 4.
Method: Newton's method in double precision, derivatives by complex steps.
"""

import numpy as np

BODIES = 4  # the satellite and its rotors
SIZE = 12 * BODIES


def constraints(q, arms):
    bodies = q.reshape(BODIES, 4, 3)
    satellite = bodies[0]
    values = []
    for _, d1, d2, d3 in bodies:
        values += [(d1 @ d1 - 1) / 2, (d2 @ d2 - 1) / 2, (d3 @ d3 - 1) / 2, d1 @ d2, d1 @ d3, d2 @ d3]
    for i, rotor in enumerate(bodies[1:]):
        values += list(rotor[0] - satellite[0] - arms[i] * satellite[1 + i])
        values += [satellite[1 + i] @ rotor[1 + j] for j in range(3) if j != i]
    return np.array(values)


def derivatives(arms):
    """G at q = 0 and its constant derivative; differences over any distance are exact, since Φ is quadratic."""

    def gradient(q):
        return np.array([(constraints(q + e, arms) - constraints(q - e, arms)) / 2 for e in np.eye(SIZE)]).T

    at_zero = gradient(np.zeros(SIZE))
    return at_zero, np.array([gradient(e) - at_zero for e in np.eye(SIZE)]).transpose(1, 2, 0)


def forces(q, torque):
    """The motors turn the satellite forwards and the rotors backwards."""
    bodies = q.reshape(BODIES, 4, 3)
    partners = [np.linalg.inv(body[1:]).T for body in bodies]
    f = np.zeros(bodies.shape, q.dtype)
    for i in range(3):
        axle = torque * partners[0][i]
        for j in range(3):
            f[0, 1 + j] += np.cross(axle, partners[0][j]) / 2
            f[1 + i, 1 + j] -= np.cross(axle, partners[1 + i][j]) / 2
    return f.ravel()


def step(q0, v0, h, mass, arms, torque, G0, H):
    """One step by Newton's method; G(q) = G0 + H q."""
    q1, λ = q0, np.zeros(len(G0))
    tiny = 1e-30
    for _ in range(20):
        q = (q0 + q1) / 2
        G = G0 + H @ q
        balance = mass * (2 / h * (q1 - q0) - 2 * v0) - h * (forces(q, torque) - G.T @ λ)
        stiffness = np.array([forces(q + e, torque).imag for e in np.eye(SIZE) * (1j * tiny)]).T / tiny
        by_q = np.diag(2 / h * mass) - h / 2 * (stiffness - np.einsum("kij,k->ij", H, λ))
        jacobian = np.block([[by_q, h * G.T], [G0 + H @ q1, np.zeros((len(G0), len(G0)))]])
        correction = np.linalg.solve(jacobian, -np.concatenate([balance, constraints(q1, arms)]))
        q1, λ = q1 + correction[:SIZE], λ + correction[SIZE:]
        if np.abs(correction[:SIZE]).max() < 1e-10:  # the next would be rounding, since convergence is quadratic
            return q1, 2 / h * (q1 - q0) - v0
    raise ArithmeticError("Newton's method does not converge")


def state_after(duration, steps, masses, moments, arms, torque):
    """The line of the table after the given number of steps from rest; moments are the E of each body."""
    places = [np.zeros(3)] + [arm * axis for arm, axis in zip(arms, np.eye(3))]
    q = np.concatenate([np.vstack([place, np.eye(3)]).ravel() for place in places])
    v = np.zeros(SIZE)
    mass = np.repeat(np.concatenate([[m, *E] for m, E in zip(masses, moments)]), 3)
    G0, H = derivatives(arms)
    for _ in range(steps):
        q, v = step(q, v, duration / steps, mass, arms, torque, G0, H)
    place, velocity, weight = q.reshape(-1, 3), v.reshape(-1, 3), mass.reshape(-1, 3)
    line = {"t": duration, "energy.kinetic": v @ (mass * v) / 2}
    momentum = np.cross(place, weight * velocity).sum(axis=0)
    names = "angular_momentum", "satellite.d1", "satellite.d2", "satellite.d3", "satellite"
    for name, vector in zip(names, [momentum, *place[1:4], place[0]]):
        line |= {f"{name}.{axis}": a for axis, a in zip("xyz", vector)}
    return line | {f"satellite.{axis}'": a for axis, a in zip("xyz", velocity[0])}

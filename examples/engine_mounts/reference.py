"""The block as Newton and Euler write it, with a quaternion, and the mounts by their forces and moments.

With R the rotation of the block, r_i its columns and Δ = x + R p - p the displacement of a mount at p, its potential
is ¼ Σ k_i [Δ_i² + (r_i·Δ)²] + ½ κ Σ (1 - R_ii).
"""
import numpy as np
from scipy.integrate import solve_ivp

TOLERANCE = 1e-9  # of the integration, over some forty radians of oscillation

M, J = 150.0, np.array([6.0, 12.0, 10.0])
PLACES = [np.array([x, y, 0.0]) for x in (0.3, -0.3) for y in (0.25, -0.25)]
K, KAPPA, C, D = np.array([1.5e5, 1.5e5, 3e5]), 60.0, 400.0, 0.5
CORNER = np.array([0.3, 0.25, 0.2])


def rotation(q):
    w, u = q[0], q[1:]
    skew = np.array([[0, -u[2], u[1]], [u[2], 0, -u[0]], [-u[1], u[0], 0]])
    return np.eye(3) + 2 * w * skew + 2 * skew @ skew


def cross(a, b):
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def mount(place, x, R, v, omega):
    """Force on the block and moment about its centre of mass, without that of κ."""
    arm = R @ place
    gap, rate = x + arm - place, v + cross(omega, arm)
    seen_from_ground = K * gap + C * rate
    seen_from_block = R @ (K * (R.T @ gap) + C * (R.T @ (rate - cross(omega, gap))))
    force = -0.5 * (seen_from_ground + seen_from_block)
    return force, cross(arm, force) - 0.5 * cross(seen_from_block, gap) - D * omega


def derivative(_, y):
    x, q, v, omega = y[:3], y[3:7], y[7:10], y[10:]  # omega in body axes
    R = rotation(q / np.linalg.norm(q))
    loads = [mount(p, x, R, v, R @ omega) for p in PLACES]
    back = -0.5 * KAPPA * np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    force, moment = sum(f for f, _ in loads), R.T @ sum(n + back for _, n in loads)
    turning = 0.5 * np.concatenate([[-q[1:] @ omega], q[0] * omega + cross(q[1:], omega)])
    return np.concatenate([v, turning, force / M, (moment - cross(omega, J * omega)) / J])


def reference():
    start = np.concatenate([np.zeros(3), [1.0, 0, 0, 0], [0.3, -0.2, 0.5], [5.0, 3.0, -4.0]])
    times = np.linspace(0.0, 0.4, 41)
    path = solve_ivp(derivative, (0.0, 0.4), start, "DOP853", times, rtol=1e-12, atol=1e-14)
    for t, y in zip(times, path.y.T):
        corner = y[:3] + rotation(y[3:7] / np.linalg.norm(y[3:7])) @ CORNER
        yield {"t": round(t, 12), "block.x": y[0], "block.y": y[1], "block.z": y[2],
               "corner.x": corner[0], "corner.y": corner[1], "corner.z": corner[2]}

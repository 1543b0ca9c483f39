"""Cable suspension manipulator: positions on the rails, cable forces and inputs for a given motion of the platform; z
points down.

A bridge at y = pg0 carries three parallel rails at y = pg0, pg0 + l2, pg0 - l2; on them trolleys at x = pg1, pg2, pg3
hold the cables to the corners of a triangular platform with centre r, rotation R and the corners Xi in its own axes.
The cables are ci = r + R Xi - trolley i, of length pci; tension = λi pci. Balances of the platform, and the prescribed
distance b = √3 l2 between the trolleys,
    m r'' = m g ez - Σ λi ci,   J α + ω × J ω = -Σ R Xi × λi ci,   J = R diag(Jx, Jy, Jz) Rᵀ,   pg1 - (pg2 + pg3)/2 = b,
are seven equations for pg0 … pg3 and λ1 … λ3 at every time. Then the balances of bridge, trolleys and winches give the
inputs:
    ug0 = m0 pg0'' - Σ λi ci·ey,   ugi = mi pgi'' - λi ci·ex,   uci = rw (Ji/rw² pci'' - λi pci).
The platform turns about a fixed axis n by ψ(t), so ω = n ψ', α = n ψ''. Its angles: R = Rx(phi1) Ry(phi2) Rz(phi3).

Motion: from r = (1 + √3/5, 1.2, 3) and R = 1 to r = (3 + √3/5, 5, 1) and the angles π/6, π/4, π/3 in 20 s; r and ψ
follow one profile,
    c(t) = (7 t⁵/5⁴ - 14 t⁶/5⁵ + 10 t⁷/5⁶ - 2.5 t⁸/5⁷)/15 up to 5 s, (t - 2.5)/15 up to 15 s, 1 - c(20 - t) afterwards.
Data: Y. Yang, Numerical methods for the inverse dynamics simulation of underactuated mechanical systems, KIT 2017,
section 6.3, the printed profile and the inertia of the tilted platform corrected; the side l1 = 1.2 follows from the
start, the inertias serve for both platform and winches.
Method: Newton's method in 30 digits; derivatives of the solution by central differences of order four with a step of
1e-6 s, on the polynomial of the phase that a time belongs to.
"""

from mpmath import acos, asin, atan2, cos, diag, eye, findroot, matrix, mp, mpf, norm, pi, sin, sqrt

TOLERANCE = 1e-15  # 17 digits in the file

mp.dps = 30

m0, m, mt, l1, l2, rw, g = [mpf(number) for number in ("380", "12.5", "35", "1.2", "0.6", "0.1", "9.81")]
inertias = [mpf("0.75"), mpf("0.75"), mpf("1.5")]  # of the platform about its axes; of the winches
a = l1 / sqrt(3)
corners = [matrix([a, 0, 0]), matrix([-a / 2, l1 / 2, 0]), matrix([-a / 2, -l1 / 2, 0])]
rails = [0, l2, -l2]
start = matrix([1 + sqrt(3) / 5, mpf("1.2"), 3])
end = matrix([3 + sqrt(3) / 5, 5, 1])
small = mpf(10) ** -6


def cross(u, v):
    return matrix([u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]])


def rotation(n, ψ):
    N = matrix([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
    return eye(3) + sin(ψ) * N + (1 - cos(ψ)) * N * N


def axis_and_angle(R):
    antisymmetric = matrix([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return antisymmetric / norm(antisymmetric), acos((R[0, 0] + R[1, 1] + R[2, 2] - 1) / 2)


def profile(t, phase):
    """c, c' and c'' on the polynomial of phase 0 (faster), 1 (uniform) or 2 (slower)."""
    if phase == 1:
        return (t - mpf(5) / 2) / 15, mpf(1) / 15, mpf(0)
    if phase == 2:
        c, dc, ddc = profile(20 - t, 0)
        return 1 - c, dc, -ddc
    coefficients = [mpf(7), mpf(-14), mpf(10), mpf(-5) / 2]  # of t⁵/5⁴ …
    terms = [(coefficient / mpf(5) ** (k - 1) / 15, k) for k, coefficient in enumerate(coefficients, 5)]
    return (
        sum(factor * t**k for factor, k in terms),
        sum(factor * k * t ** (k - 1) for factor, k in terms),
        sum(factor * k * (k - 1) * t ** (k - 2) for factor, k in terms),
    )


class Motion:
    """The platform goes from the start to r_end and turns by the angle about the axis n."""

    def __init__(self, r_end, n, angle):
        self.way, self.n, self.angle = r_end - start, n, angle

    def platform(self, t, phase):
        """r and R; m (g ez - r''); J α + ω × J ω."""
        c, dc, ddc = profile(t, phase)
        R = rotation(self.n, self.angle * c)
        J = R * diag(inertias) * R.T
        Jn = J * self.n
        inertia = Jn * (self.angle * ddc) + cross(self.n, Jn) * (self.angle * dc) ** 2
        return start + self.way * c, R, m * (matrix([0, 0, g]) - self.way * ddc), inertia

    def cables(self, r, R, pg):
        return [r + R * corners[i] - matrix([pg[i + 1], pg[0] + rails[i], 0]) for i in range(3)]

    def solve(self, t, phase, guess):
        """pg0 … pg3, λ1 … λ3, and the cables."""
        r, R, force, moment = self.platform(t, phase)

        def residual(*unknowns):
            pg, λ = unknowns[:4], unknowns[4:]
            c = self.cables(r, R, pg)
            pull = λ[0] * c[0] + λ[1] * c[1] + λ[2] * c[2]
            twist = sum((cross(R * corners[i], λ[i] * c[i]) for i in range(3)), matrix(3, 1))
            return [*(force - pull), *(moment + twist), pg[1] - (pg[2] + pg[3]) / 2 - sqrt(3) * l2]

        solution = list(findroot(residual, guess, tol=mpf(10) ** -50))
        return solution, self.cables(r, R, solution[:4])

    def line(self, t, guess, with_axes):
        """One line of the table, and the solution from which the search for the next may begin."""
        phase = 0 if t < 5 else 1 if t < 15 else 2
        near = []  # pg and pc at t - 2 small … t + 2 small
        for k in -2, -1, 1, 2, 0:
            guess, c = self.solve(t + k * small, phase, guess)
            near.append(matrix(guess[:4] + [norm(ci) for ci in c]))
        rate = (near[0] - 8 * near[1] + 8 * near[2] - near[3]) / (12 * small)
        rate2 = (-near[0] + 16 * near[1] - 30 * near[4] + 16 * near[2] - near[3]) / (12 * small**2)
        p, λ = near[4], guess[4:]
        r, R, _, _ = self.platform(t, phase)
        names = ["pg0", "pg1", "pg2", "pg3", "pc1", "pc2", "pc3"]
        row = {"t": t, **dict(zip(names, p)), "rx": r[0], "ry": r[1], "rz": r[2]}
        row |= {"phi1": atan2(-R[1, 2], R[2, 2]), "phi2": asin(R[0, 2]), "phi3": atan2(-R[0, 1], R[0, 0])}
        if with_axes:
            row |= {f"d{j + 1}{'xyz'[i]}": R[i, j] for j in range(3) for i in range(3)}
        row |= {name + "'": value for name, value in zip(names, rate)}
        row |= {f"lambda.cable{i + 1}": λ[i] for i in range(3)}
        row |= {"ug0": m0 * rate2[0] - sum(λ[i] * c[i][1] for i in range(3))}
        row |= {f"ug{i + 1}": mt * rate2[i + 1] - λ[i] * c[i][0] for i in range(3)}
        row |= {f"uc{i + 1}": rw * (inertias[i] / rw**2 * rate2[i + 4] - λ[i] * p[i + 4]) for i in range(3)}
        row |= {"platform_x": r[0], "platform_y": r[1], "platform_z": r[2]}
        return row, guess

    def table(self, with_axes=False):
        rest = m * g / (3 * start[2])
        guess = [mpf("1.2"), 1 + 3 * sqrt(3) / 5, mpf(1), mpf(1), rest, rest, rest]
        for t in range(21):
            row, guess = self.line(mpf(t), guess, with_axes)
            yield row


def reference():
    x, y, z = (matrix(eye(3)[:, i]) for i in range(3))
    turned = rotation(x, pi / 6) * rotation(y, pi / 4) * rotation(z, pi / 3)
    return Motion(end, *axis_and_angle(turned)).table(with_axes=True)

"""Least effort of the crane with a stiff boom, by the conditions of optimality.

Trolley and boom are one mass M that moves by x, the cable is two uniform rods of 2 m at angles θ₁, θ₂, the load a
point. With z = (q, q') and q'' from the equations of motion, z' = f(z) + g(z) F, the force F = -p·g and the costates p,
of which p' = -∂/∂z (p·f - ½ (p·g)²), make ½∫F² dt stationary. Runge and Kutta's method; p(0) by Newton's method on the
end.
"""

import math

DISTANCE, HORIZON, G, L, ROD, LOAD = 1.0, 2.5, 9.81, 2.0, 2.4, 50.0
M = 20.0 + 3.0 * 7850 * math.pi * (0.03**2 - 0.025**2)
C = [[M + ROD / 3, ROD / 6, 0], [ROD / 6, 2 * ROD / 3, ROD / 6], [0, ROD / 6, ROD / 3 + LOAD]]
D = [[sum(C[a][b] for a in range(k, 3) for b in range(j, 3)) for j in range(3)] for k in range(3)]
W = [G * (1.5 * ROD + LOAD), G * (0.5 * ROD + LOAD)]


def csin(x):
    return complex(math.sin(x.real) * math.cosh(x.imag), math.cos(x.real) * math.sinh(x.imag))


def ccos(x):
    return complex(math.cos(x.real) * math.cosh(x.imag), -math.sin(x.real) * math.sinh(x.imag))


def solve(a, columns):
    """Gauss; the columns are lists of right sides."""
    n = len(a)
    rows = [list(a[i]) + [c[i] for c in columns] for i in range(n)]
    for i in range(n):
        pivot = max(range(i, n), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for r in range(n):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i])]
    return [[rows[i][n + c] / rows[i][i] for i in range(n)] for c in range(len(columns))]


def accelerations(z):
    """Without force, and per unit of force."""
    _, one, two, _, w1, w2 = z
    s, c, w = [csin(one), csin(two)], [ccos(one), ccos(two)], [w1, w2]
    mass = [[D[0][0]] + [D[0][k + 1] * L * c[k] for k in range(2)]]
    right = [sum(D[0][k + 1] * L * s[k] * w[k] ** 2 for k in range(2))]
    for k in range(2):
        mass.append([D[0][k + 1] * L * c[k]] +
                    [D[k + 1][j + 1] * L * L * (c[k] * c[j] + s[k] * s[j]) for j in range(2)])
        right.append(-W[k] * L * s[k] -
                     sum(D[k + 1][j + 1] * L * L * (s[k] * c[j] - c[k] * s[j]) * w[j] ** 2 for j in range(2)))
    return solve(mass, [right, [1.0, 0.0, 0.0]])


def hamiltonian(z, p):
    free, per_force = accelerations(z)
    force = -sum(p[3 + i] * per_force[i] for i in range(3))
    return sum(p[i] * z[3 + i] + p[3 + i] * free[i] for i in range(3)) - 0.5 * force**2


def rates(state):
    z, p = state[:6], state[6:12]
    tiny = 1e-30
    free, per_force = accelerations([complex(x) for x in z])
    force = -sum(p[3 + i] * per_force[i].real for i in range(3))
    slopes = []
    for i in range(6):
        moved = [complex(x, tiny if j == i else 0.0) for j, x in enumerate(z)]
        slopes.append(-hamiltonian(moved, p).imag / tiny)
    return z[3:6] + [free[i].real + per_force[i].real * force for i in range(3)] + slopes + [0.5 * force**2]


def end(p, steps):
    state, h = [0.0] * 6 + list(p) + [0.0], HORIZON / steps
    for _ in range(steps):
        k1 = rates(state)
        k2 = rates([x + h / 2 * k for x, k in zip(state, k1)])
        k3 = rates([x + h / 2 * k for x, k in zip(state, k2)])
        k4 = rates([x + h * k for x, k in zip(state, k3)])
        state = [x + h / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip(state, k1, k2, k3, k4)]
    return state


def least_cost(steps):
    p = [0.0] * 6
    for part in (0.25, 0.5, 0.75, 1.0):
        for _ in range(20):
            now = end(p, steps)
            miss = [x - w for x, w in zip(now[:6], [part * DISTANCE, 0, 0, 0, 0, 0])]
            columns = []
            for i in range(6):
                size = 1e-4 * (1.0 + abs(p[i]))
                columns.append([(x - y) / size
                                for x, y in zip(end([x + size * (j == i) for j, x in enumerate(p)], steps), now)][:6])
            change = solve([[columns[j][i] for j in range(6)] for i in range(6)], [miss])[0]
            p = [x - c for x, c in zip(p, change)]
            if max(map(abs, miss)) < 1e-9:
                break
    return end(p, steps)[12]


if __name__ == "__main__":
    coarse, fine = least_cost(100), least_cost(200)
    print("cost", fine + (fine - coarse) / 15)  # the steps leave h⁴

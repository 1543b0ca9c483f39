"""Chain of twenty masses and springs between two walls, as the sum of its normal modes.

    m x_i'' = k (x_{i-1} - 2 x_i + x_{i+1}),   x_0 = x_21 = 0,
has the modes sin(iπj/21) with the frequencies ω_j = 2 √(k/m) sin(πj/42), j = 1 ... 20. From rest, with mass 5 displaced
by 1 m,
    x_i(t) = 2/21 Σ_j sin(5πj/21) sin(iπj/21) cos(ω_j t).

Data: m = 1 kg, k = 1 N/m. Method: closed form in 40 digits.
"""

from mpmath import cos, mp, mpf, pi, sin

TOLERANCE = 1e-16  # digits of the file; the far masses hardly move at first

mp.dps = 40
N = 20


def reference():
    masses = range(1, N + 1)
    for t in range(0, 41, 2):
        x, v = {}, {}
        for i in masses:
            x[i] = v[i] = mpf(0)
            for j in masses:
                ω = 2 * sin(pi * j / (2 * N + 2))
                share = mpf(2) / (N + 1) * sin(5 * pi * j / (N + 1)) * sin(i * pi * j / (N + 1))
                x[i] += share * cos(ω * t)
                v[i] -= share * ω * sin(ω * t)
        yield {"t": t, **{f"x{i}": x[i] for i in masses}, **{f"x{i}'": v[i] for i in masses}}

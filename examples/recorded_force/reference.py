"""Mass on a spring under a recorded force, whose samples are joined by straight lines: exact, one line after the other.

    m x'' + k x = F = F₀ + F' τ:   x = F/k + C cos ωτ + D sin ωτ,   ω = √(k/m),   τ from the start of the line,
with C = x₀ - F₀/k and D = (x₀' - F'/k)/ω from the state at its start.

Data: m = 2 kg, k = 50 N/m, at rest at first; the samples are those of force.csv. Method: closed form in 30 digits.
"""

from mpmath import cos, mp, mpf, sin, sqrt

TOLERANCE = 1e-15  # digits of the file

mp.dps = 30
m, k = mpf(2), mpf(50)
SAMPLES = [(0, 0), (mpf("0.5"), 10), (mpf("1.5"), 10), (2, -5), (3, 0), (4, 0)]


def response(t):
    """x, x' and F at the time t."""
    ω = sqrt(k / m)
    x = v = mpf(0)
    for (start, force), (end, next_force) in zip(SAMPLES, SAMPLES[1:]):
        slope = (next_force - force) / mpf(end - start)
        C, D = x - force / k, (v - slope / k) / ω
        τ = min(t, end) - start
        x = (force + slope * τ) / k + C * cos(ω * τ) + D * sin(ω * τ)
        v = slope / k - C * ω * sin(ω * τ) + D * ω * cos(ω * τ)
        if t <= end:
            return x, v, force + slope * τ


def reference():
    for i in range(41):
        t = mpf(i) / 10
        x, v, F = response(t)
        yield {"t": t, "x": x, "x'": v, "F": F}

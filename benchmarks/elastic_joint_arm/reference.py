"""Arm of two links with a spring behind each motor, in closed form.

With the moments n of the links, from their balance, the rotors are at r = q + n/k and their torques J r'' + n:
    n1 = a q1'' + b (q1'' + q2'') + c (cos q2 (2 q1'' + q2'') - sin q2 (2 q1' q2' + q2'²)) + g (…),
    n2 = b (q1'' + q2'') + c (cos q2 q1'' + sin q2 q1'²) + g m2 c2 cos(q1 + q2),
    a = I1 + m1 c1² + m2 L1²,   b = I2 + m2 c2²,   c = m2 L1 c2.
Simplified rotors after M. W. Spong, Modeling and control of elastic joint robots, J. Dyn. Syst. Meas. Control 109
(1987) 310; data our own. Method: Taylor series about each instant, in 40 digits.
"""

from mpmath import cos, mp, mpf, pi, sin
from taylor import Series, smooth_step, straight

TOLERANCE = 1e-14  # digits of the file

mp.dps = 40
m1, m2, L1, c1, c2 = mpf(4), mpf(3), mpf("0.5"), mpf("0.25"), mpf("0.2")
I1, I2, J, k, g = mpf("0.1"), mpf("0.05"), mpf("0.3"), mpf(800), mpf("9.81")


def cosine_and_sine(angle):
    c, s = [cos(angle.value)], [sin(angle.value)]
    for n in range(1, len(angle.terms)):
        rate = [i * a for i, a in enumerate(angle.terms)]
        c.append(-sum(rate[i] * s[n - i] for i in range(1, n + 1)) / n)
        s.append(sum(rate[i] * c[n - i] for i in range(1, n + 1)) / n)
    return Series(c), Series(s)


def reference():
    a, b, c = I1 + m1 * c1**2 + m2 * L1**2, I2 + m2 * c2**2, m2 * L1 * c2
    for n in range(31):
        t = mpf(n) / 20
        q1, q2 = straight((-pi / 2, 0), (pi / 4, pi / 3), smooth_step(9, t, mpf(3) / 2, 5))
        w1, w2, dw1, dw2 = q1.rate, q2.rate, q1.rate.rate, q2.rate.rate
        (cos2, sin2), (cos1, _), (cos12, _) = (cosine_and_sine(q) for q in (q2, q1, q1 + q2))
        weight2 = g * m2 * c2 * cos12
        n2 = b * (dw1 + dw2) + c * (cos2 * dw1 + sin2 * w1 * w1) + weight2
        coupling = cos2 * (2 * dw1 + dw2) - sin2 * (2 * w1 * w2 + w2 * w2)
        n1 = a * dw1 + b * (dw1 + dw2) + c * coupling + g * (m1 * c1 + m2 * L1) * cos1 + weight2
        yield {"t": t, **{f"M{i}": (J * (q + m * (1 / k)).rate.rate + m).value
                          for i, (q, m) in enumerate(((q1, n1), (q2, n2)), 1)}}

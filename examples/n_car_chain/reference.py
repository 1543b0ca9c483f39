"""Cars joined by springs: the force on the rear car that moves the front one as prescribed, in exact fractions.

With springs of length d at rest, car 1 in front and the force on car n,
    m_1 x_1'' = -S_1,   m_i x_i'' = S_{i-1} - S_i,   m_n x_n'' = S_{n-1} + F,   S_i = k (x_i - x_{i+1} - d).
From x_1 = y(t) follow S_1 = -m_1 x_1'', x_2 = x_1 - d - S_1/k and so on to F = m_n x_n'' - S_{n-1}.

Data: two cars of 1 and 2 kg, y of degree 9, or three of 1, 1 and 2 kg, y of degree 13; k = 1 N/m, d = 0.5 m; y from 0.5
to 2.5 m between 2.5 and 3.5 s. Source: R. Altmann, J. Heiland, on servo constraints in chains of cars, with profiles of
higher degree.
Method: Taylor series about each instant with fractions; nothing is rounded.
"""

from fractions import Fraction

from taylor import rates, smooth_step, values

TOLERANCE = 1e-15  # digits of the files

k, d = 1, Fraction(1, 2)
START, END = Fraction(5, 2), Fraction(7, 2)  # of the motion
INSTANTS = sorted({Fraction(i, 5) for i in range(31)} | {Fraction(i, 10) for i in range(26, 35)})


def cars(masses, degree):
    for t in INSTANTS:
        instant = min(max(t, START), END) - START  # at rest before and afterwards, as at the ends of the motion
        x = [Fraction(1, 2) + 2 * smooth_step(degree, instant, END - START, 2 * len(masses) + 1)]
        spring = -masses[0] * x[0].rate.rate
        for m in masses[1:]:
            x.append(x[-1] - d - spring / k)
            ahead, spring = spring, spring - m * x[-1].rate.rate
        F = masses[-1] * x[-1].rate.rate - ahead
        coordinates = {f"x{i + 1}": a for i, a in enumerate(x)}
        yield {"t": t, **values(**coordinates), **rates(**coordinates), "F": F.value, "front": x[0].value}


def reference():
    return cars((1, 2), 9)


def three_cars():
    return cars((1, 1, 2), 13)

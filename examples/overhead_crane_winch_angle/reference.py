"""Planar overhead crane with the winch's angle and z downwards: the closed form of ../overhead_crane_inverse.

The angle β with r β = l, the upward z of the closed form with the opposite sign, and half its λ: there the constraint
has a factor 1/2, here it is (x - s)² + z² - (r β)². Source: section 4.4.1 of the dissertation named there.

Method: Taylor series about each instant, in 40 digits.
"""

from mpmath import mp
from overhead_crane_inverse.reference import crane, instants, r
from taylor import rates, values

TOLERANCE = 1e-15  # digits of the file

mp.dps = 40


def reference():
    for t in instants():
        x, upwards, s, l, λ, F, M = crane(t)
        z, beta = -upwards, l / r
        yield {
            "t": t,
            **values(s=s, beta=beta, x=x, z=z),
            **rates(s=s, beta=beta, x=x, z=z),
            "lambda.cable": λ.value / 2,
            **values(F=F, M=M, load_x=x, load_z=z),
        }

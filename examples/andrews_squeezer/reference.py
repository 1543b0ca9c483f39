"""Motion of the crank of Andrews' squeezing mechanism, from the equation of motion with one degree of freedom in
../andrews_bodies/reference.py; reference.csv holds the published end state instead."""

from andrews_bodies.reference import TOLERANCE, motion


def crank():
    return ({"t": t, "beta": β, "beta'": dβ} for t, β, dβ in motion())

#!/usr/bin/env python3
"""Writes the model of an industrial arm with six hinges and a motor in each, to be moved with least effort, as TOML.

usage: arm.py [--formulation NAME] [--intervals N] [--guess NAME]

A column turns about z, two links swing about y, and a wrist of three short links turns about x, y and x.
"""
import argparse

# Length in m, mass in kg, direction at the start, axis of the hinge at its beginning, angle at the end of the motion.
LINKS = [(0.4, 8.0, (0, 0, 1), (0, 0, 1), 0.8),
         (0.4, 6.0, (1, 0, 0), (0, 1, 0), 0.4),
         (0.4, 4.0, (1, 0, 0), (0, 1, 0), -0.6),
         (0.2, 2.0, (1, 0, 0), (1, 0, 0), 0.5),
         (0.2, 1.0, (1, 0, 0), (0, 1, 0), 0.7),
         (0.2, 0.5, (1, 0, 0), (1, 0, 0), -0.4)]
RADIUS = 0.1
FRICTION = 0.5  # of every hinge, N m s: without it the wrist would be flung about, which needs finer meshes


def row(values):
    return "[" + ", ".join(f"{value:.12g}" for value in values) + "]"


def link(k, at, length, mass, direction):
    along, across = mass * RADIUS**2 / 2, mass * (length**2 / 12 + RADIUS**2 / 4)
    centre = [x + 0.5 * length * d for x, d in zip(at, direction)]
    return ["", "[[body]]", f'name = "link{k}"', f"mass = {mass}",
            f"inertia = {row(along if d else across for d in direction)}", f"position = {row(centre)}"]


def hinge(k, at, axis):
    before = f"link{k - 1}" if k > 1 else "ground"
    return ["", "[[joint]]", f'name = "joint{k}"', 'type = "revolute"', f'between = ["{before}", "link{k}"]',
            f"at = {row(at)}", f"axis = {row(axis)}", f'coordinate = "a{k}"',
            f"damping = {FRICTION}", "",
            "[[actuator]]", f'name = "u{k}"', f'on = "a{k}"']


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--formulation", choices=["director", "minimal", "lie"])
    parser.add_argument("--intervals", type=int, default=40)
    parser.add_argument("--guess", default="auto")
    args = parser.parse_args()

    bodies, joints, at = [], [], (0.0, 0.0, 0.0)
    for k, (length, mass, direction, axis, _) in enumerate(LINKS, 1):
        bodies += link(k, at, length, mass, direction)
        joints += hinge(k, at, axis)
        at = [x + length * d for x, d in zip(at, direction)]
    final = ", ".join(f"a{k} = {end}" for k, (*_, end) in enumerate(LINKS, 1))
    lines = ['name = "arm"', "", "[world]", "gravity = [0, 0, -9.81]", *bodies, *joints, "", "[optimize]",
             "horizon = 1.0", f"intervals = {args.intervals}", f"final = {{ {final} }}", "rest = true",
             f'guess = "{args.guess}"']
    if args.formulation:
        lines.append(f'formulation = "{args.formulation}"')
    print("\n".join(lines))


main()

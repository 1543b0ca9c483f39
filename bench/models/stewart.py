#!/usr/bin/env python3
"""Writes the model of a Stewart platform as TOML: six legs of two bodies on universal, prismatic and spherical joints,
whose forces shall carry the platform along a line without turning it.

usage: stewart.py
"""
import math

BASE, TOP, HEIGHT = 1.0, 0.6, 1.2                 # m, radii and height
ANGLES = [(0, -40), (20, 60), (120, 80), (140, 180), (240, 200), (260, 300)]  # degrees, of the feet and heads of legs


def vector(x):
    return "[" + ", ".join(repr(float(c)) for c in x) + "]"


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def unit(a):
    length = math.sqrt(sum(c * c for c in a))
    return [c / length for c in a]


def on_circle(radius, angle, z):
    return [radius * math.cos(math.radians(angle)), radius * math.sin(math.radians(angle)), z]


def body(name, mass, inertia, position, more=()):
    return ["[[body]]", f'name = "{name}"', f"mass = {mass}", f"inertia = {vector(inertia)}",
            f"position = {vector(position)}", *more, ""]


def joint(name, kind, between, *more):
    ends = f'between = ["{between[0]}", "{between[1]}"]'
    return ["[[joint]]", f'name = "{name}"', f'type = "{kind}"', ends, *more, ""]


def leg(k, foot_angle, head_angle):
    foot, head = on_circle(BASE, foot_angle, 0.0), on_circle(TOP, head_angle, HEIGHT)
    way = [b - a for a, b in zip(foot, head)]
    e3 = unit(way)
    e1 = unit(cross([0.0, 0.0, 1.0], e3))
    e2 = cross(e3, e1)
    turned = ["rotation = { matrix = " + vector([e[i] for i in range(3) for e in (e1, e2, e3)]) + " }"]
    at = lambda part: [a + part * w for a, w in zip(foot, way)]
    inertia = [0.02, 0.02, 0.001]
    return [*body(f"low{k}", 1.5, inertia, at(0.3), turned), *body(f"up{k}", 1.5, inertia, at(0.7), turned),
            *joint(f"u{k}", "universal", ("ground", f"low{k}"), f"at = {vector(foot)}", f"axis = {vector(e1)}",
                   f"second_axis = {vector(e2)}"),
            *joint(f"p{k}", "prismatic", (f"low{k}", f"up{k}"), f"axis = {vector(e3)}", f'coordinate = "l{k}"',
                   f"start = {math.sqrt(sum(w * w for w in way))!r}"),
            *joint(f"s{k}", "spherical", (f"up{k}", "platform"), f"at = {vector(head)}"),
            "[[actuator]]", f'name = "F{k}"', f'on = "l{k}"', ""]


def trajectory(output, start, end):
    names = ", ".join(f'"{output}.{axis}"' for axis in "xyz")
    return ["[[trajectory]]", f"outputs = [{names}]", f"from = {vector(start)}", f"to = {vector(end)}",
            "duration = 2", 'profile = "poly9"', ""]


def main():
    lines = ['name = "stewart"', "", "[world]", "gravity = [0, 0, -9.81]", ""]
    lines += body("platform", 20.0, [2.0, 2.0, 3.5], [0.0, 0.0, HEIGHT])
    for k, angles in enumerate(ANGLES):
        lines += leg(k, *angles)
    lines += ["[[output]]", 'name = "pos"', 'point = "platform"', "",
              "[[output]]", 'name = "ori"', 'orientation = "platform"', ""]
    lines += trajectory("pos", [0.0, 0.0, HEIGHT], [0.2, -0.1, HEIGHT + 0.2])
    lines += trajectory("ori", [0.0] * 3, [0.0] * 3)
    lines += ["[invert]", "until = 2", "step = 0.01"]
    print("\n".join(lines))


main()

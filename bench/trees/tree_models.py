#!/usr/bin/env python3
"""Trees of bodies as model files: chains, branching trees, an arm with seven freedoms, a humanoid with thirty.

    tree_models.py chain 40 > chain40.toml        branching likewise; arm, humanoid without a number

All dimensions are round numbers of nobody's robot; rods hang or stand in gravity and begin with some speed.
"""
import sys

HEAD = 'name = "{name}"\n\n[world]\ngravity = [0, 0, -9.81]\n'
TAIL = '\n[simulate]\nuntil = {until}\nstep = {step}\nmethod = "{method}"\nformulation = "minimal"\n'


def body(name, mass, inertia, position):
    return (f'\n[[body]]\nname = "{name}"\nmass = {mass}\ninertia = {list(inertia)}\n'
            f'position = {[round(x, 6) for x in position]}\n')


def joint(name, parent, child, at, axis):
    return (f'\n[[joint]]\nname = "{name}"\ntype = "revolute"\nbetween = ["{parent}", "{child}"]\n'
            f'at = {[round(x, 6) for x in at]}\naxis = {axis}\ncoordinate = "q_{name}"\n')


def rod(mass, length, across=0.03):
    """Moments of a rod along z, and of its thickness."""
    wide = mass * across**2 / 12.0
    long = mass * length**2 / 12.0 + wide
    return (round(long, 9), round(long, 9), round(2.0 * wide, 9))


def chain(n):
    """Rods of 0.5 m that hang below each other; their joints turn about y and x in turn."""
    text, length = "", 0.5
    for k in range(n):
        top = -length * k
        text += body(f"b{k}", 1.0, rod(1.0, length), (0.0, 0.0, top - length / 2))
        text += joint(f"j{k}", "ground" if k == 0 else f"b{k - 1}", f"b{k}", (0.0, 0.0, top),
                      [0, 1, 0] if k % 2 == 0 else [1, 0, 0])
    starts = [f"\"q_j{k}'\" = {1.5 if k % 2 == 0 else 0.8}" for k in range(min(n, 4))]
    return text + "\n[initial]\n" + "\n".join(starts) + "\n"


def branching(n):
    """Rods of 0.5 m, each of which carries two others at its lower end, aside of each other."""
    text, length = "", 0.5
    tops = [(0.0, 0.0, 0.0)]
    for k in range(n):
        x, y, z = tops[k]
        text += body(f"b{k}", 1.0, rod(1.0, length), (x, y, z - length / 2))
        text += joint(f"j{k}", "ground" if k == 0 else f"b{(k - 1) // 2}", f"b{k}", (x, y, z),
                      [0, 1, 0] if k.bit_length() % 2 == 0 else [1, 0, 0])
        tops += [(x, y + aside, z - length) for aside in (-0.1, 0.1)]
    starts = [f"\"q_j{k}'\" = {1.5 if k % 2 == 0 else 0.8}" for k in range(min(n, 4))]
    return text + "\n[initial]\n" + "\n".join(starts) + "\n"


def arm():
    """Seven turns about z, y, z, … on a pedestal."""
    text, height = "", 0.0
    for k in range(7):
        length, mass = 0.3 - 0.02 * k, 4.0 - 0.5 * k
        parent = "ground" if k == 0 else f"b{k - 1}"
        text += body(f"b{k}", mass, rod(mass, length, 0.08), (0.02 * (k % 3), 0.01 * k, height + length / 2))
        text += joint(f"j{k}", parent, f"b{k}", (0.0, 0.0, height), [0, 0, 1] if k % 2 == 0 else [0, 1, 0])
        height += length
    return text + "\n[initial]\n" + "\n".join(f"\"q_j{k}'\" = {0.2 + 0.1 * k:.1f}" for k in range(7)) + "\n"


def humanoid():
    """A free pelvis, two legs of six freedoms, two arms of four, a trunk and a neck of two each."""
    text = body("pelvis", 10.0, (0.1, 0.08, 0.09), (0.0, 0.0, 1.0))
    count = 0
    starts = []

    def limb(parent, place, links):
        nonlocal text, count
        x, y, z = place
        for k, (name, mass, length, axis) in enumerate(links):
            down = length / 2
            text += body(name, mass, rod(mass, max(abs(length), 0.08), 0.05), (x, y, z - down))
            text += joint(f"{name}_j", parent, name, (x, y, z), axis)
            starts.append(f"\"q_{name}_j'\" = {0.1 + 0.02 * count:.2f}")
            count += 1
            z -= length
            parent = name
        return parent

    X, Y, Z = [1, 0, 0], [0, 1, 0], [0, 0, 1]
    for side, s in (("left", 1.0), ("right", -1.0)):
        limb("pelvis", (0.0, 0.1 * s, 1.0), [
            (f"{side}_hip1", 0.8, 0.0, Z), (f"{side}_hip2", 0.8, 0.0, X), (f"{side}_thigh", 6.0, 0.42, Y),
            (f"{side}_shank", 3.5, 0.42, Y), (f"{side}_ankle", 0.4, 0.0, Y), (f"{side}_foot", 1.0, 0.08, X)])
    limb("pelvis", (0.0, 0.0, 1.1), [("waist", 2.0, 0.0, Z), ("trunk", 20.0, -0.45, Y)])
    limb("trunk", (0.0, 0.0, 1.55), [("neck", 0.6, 0.0, Z), ("head", 4.0, -0.25, Y)])
    for side, s in (("left", 1.0), ("right", -1.0)):
        limb("trunk", (0.0, 0.2 * s, 1.5), [
            (f"{side}_shoulder1", 0.5, 0.0, Y), (f"{side}_shoulder2", 0.5, 0.0, X), (f"{side}_upper", 2.0, 0.3, Z),
            (f"{side}_lower", 1.5, 0.35, Y)])
    return text + "\n[initial]\n" + "\n".join(starts) + "\n"


def model(kind, number=None, method="rk4", step=0.005, until=1.0):
    parts = {"chain": lambda: chain(int(number)), "branching": lambda: branching(int(number)), "arm": arm,
             "humanoid": humanoid}
    name = kind if number is None else f"{kind}{number}"
    return HEAD.format(name=name) + parts[kind]() + TAIL.format(until=until, step=step, method=method)


if __name__ == "__main__":
    print(model(*sys.argv[1:]), end="")

#!/usr/bin/python3
"""Prints the model of an arm of so many beam elements: beam.py ELEMENTS [elastic] > model.toml

Nodes have a position (x, y) and a director (c, s), the axis of their cross-section. With d the mean of two directors
and r the way between their nodes, an element of length L is stretched by d·r/L - 1, sheared by d×r/L, and its
curvature is c₁s₂ - s₁c₂ over L. Stretch and shear are zero, or with `elastic` have stiffness 20000 and 8000 N; then
sections and the tip have inertia of rotation, too.
"""

import sys


def model(elements, elastic):
    length = 1.0 / elements
    node = lambda name, i: "0" if i == 0 and name in "xy" else f"{name}{i}"
    rate = lambda name, i: "0" if i == 0 and name in "xy" else f"{name}{i}'"
    pair = lambda name, i: (f"({rate(name, i)}^2 + {rate(name, i)}*{rate(name, i + 1)} + {rate(name, i + 1)}^2)"
                            .replace("0^2 + 0*", "0*"))
    kinetic, potential = ["J/2*(c0'^2 + s0'^2)"], []
    constraints = [(f"unit {i}", f"(c{i}^2 + s{i}^2 - 1)/2") for i in range(elements + 1)]
    for i in range(elements):
        kinetic += [f"rho*L/6*{pair(name, i)}" for name in "xy"]
        potential.append(f"EI/(2*L)*(c{i}*s{i + 1} - s{i}*c{i + 1})^2")
        c, s = f"(c{i} + c{i + 1})/2", f"(s{i} + s{i + 1})/2"
        dx, dy = (f"({node(name, i + 1)} - {node(name, i)})" for name in "xy")
        stretch, shear = f"({c}*{dx} + {s}*{dy})/L - 1", f"({c}*{dy} - {s}*{dx})/L"
        if elastic:
            potential += [f"EA*L/2*({stretch})^2", f"GA*L/2*({shear})^2"]
            kinetic += [f"rhoI*L/6*{pair(name, i)}" for name in "cs"]
        else:
            constraints += [(f"stretch {i}", stretch), (f"shear {i}", shear)]
    kinetic.append(f"m/2*(x{elements}'^2 + y{elements}'^2)")
    if elastic:
        kinetic.append(f"Jt/2*(c{elements}'^2 + s{elements}'^2)")
    names = [node(n, i) for i in range(elements + 1) for n in "csxy" if node(n, i) != "0"]
    start = {"c": lambda i: 1.0, "s": lambda i: 0.0, "x": lambda i: i * length, "y": lambda i: 0.0}
    lines = [f"# An arm of {elements} beam elements whose tip turns by a right angle in half a second; by beam.py.",
             f'name = "elastic_beam_inverse"\n\n[parameters]\nL = {length}     # m, of an element',
             "EI = 10.0     # N m², bending\nrho = 0.5     # kg/m\nJ = 0.05      # kg m², hub\nm = 0.2       # kg, tip"]
    if elastic:
        lines.append("EA = 20000.0  # N, stretch\nGA = 8000.0   # N, shear\nrhoI = 2e-4   # kg m\nJt = 1e-4     # kg m²"
                     ", tip")
    lines.append("\n[system]\ncoordinates = [" + ", ".join(f'"{n}"' for n in names) + "]")
    for key, terms in (("kinetic", kinetic), ("potential", potential)):
        lines.append(f'{key} = """\n  ' + "\n  + ".join(terms) + '"""')
    for name, formula in constraints:
        lines.append(f'\n[[system.constraint]]\nname = "{name}"\nexpr = "{formula}"')
    lines.append('\n[[system.input]]\nname = "u"\nforce = { c0 = "-s0", s0 = "c0" }')
    lines.append(f'\n[[system.output]]\nname = "tip"\nexpr = "atan2(y{elements}, x{elements})"')
    lines.append('\n[[trajectory]]\noutputs = "tip"\nfrom = 0.0\nto = 1.5707963267948966\nstart = 0.3\nduration = 0.5')
    lines.append('profile = "poly9"\n\n[initial]')
    lines += [f"{n} = {start[n[0]](int(n[1:]))}" for n in names]
    lines.append("\n[invert]\nuntil = 1.1\nstep = 0.0025\n\n[simulate]\nuntil = 1.1\nstep = 0.0025")
    places, axes = ([f'"{n}"' for n in names if n[0] in kind] for kind in ("xy", "cs"))
    lines.append(f'\n[units]\nm = [{", ".join(places)}]\n"1" = [{", ".join(axes)}]\nrad = ["tip"]\n"N m" = ["u"]')
    return "\n".join(lines)


if __name__ == "__main__":
    print(model(int(sys.argv[1]), "elastic" in sys.argv[2:]))

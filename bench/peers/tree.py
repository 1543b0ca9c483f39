"""A tree of bodies on hinges, read from a model file of Invar, in the terms of other programs.

All bodies begin unturned, so that axes and moments of inertia are those of the world. A body that no joint carries is
free and comes first. Lengths are taken relative to the joint that carries a body.
"""
import dataclasses
import tomllib


@dataclasses.dataclass
class Link:
    name: str
    parent: int  # -1: the ground
    place: list  # of its joint, from that of the parent (a free body: of its centre of mass)
    axis: list | None  # None: free
    centre: list  # of mass, from its joint
    mass: float
    moments: list
    speed: float  # of its joint at the start


def difference(a, b):
    return [x - y for x, y in zip(a, b)]


def read_tree(text):
    model = tomllib.loads(text)
    bodies = {b["name"]: b for b in model["body"]}
    carried = {j["between"][1]: j for j in model["joint"]}
    order = [name for name in bodies if name not in carried]
    for parent in order + ["ground"]:  # grows on the way
        order.extend(name for name, j in carried.items() if j["between"][0] == parent and name not in order)
    pending = [name for name in carried if name not in order]
    while pending:
        for name in list(pending):
            if carried[name]["between"][0] in order:
                order.append(name)
                pending.remove(name)
    at = {"ground": [0.0, 0.0, 0.0]}
    links = []
    for name in order:
        body, joint = bodies[name], carried.get(name)
        at[name] = joint["at"] if joint else body["position"]
        parent = joint["between"][0] if joint else "ground"
        speed = model.get("initial", {}).get(joint["coordinate"] + "'", 0.0) if joint else 0.0
        links.append(Link(name, -1 if parent == "ground" else order.index(parent), difference(at[name], at[parent]),
                          joint["axis"] if joint else None, difference(body["position"], at[name]), body["mass"],
                          body["inertia"], speed))
    return links, model["world"]["gravity"]


def numbers(values):
    return " ".join(f"{x:.17g}" for x in values)


def mjcf(links, gravity, step):
    """MuJoCo's model file, without contacts or anything else that the other programs do not have."""
    def body(k):
        link = links[k]
        joint = "<freejoint/>" if link.axis is None else f'<joint type="hinge" axis="{numbers(link.axis)}"/>'
        inside = "".join(body(i) for i, other in enumerate(links) if other.parent == k)
        return (f'<body name="{link.name}" pos="{numbers(link.place)}">{joint}<inertial pos="{numbers(link.centre)}" '
                f'mass="{link.mass:.17g}" diaginertia="{numbers(link.moments)}"/>{inside}</body>')
    roots = "".join(body(i) for i, link in enumerate(links) if link.parent < 0)
    return (f'<mujoco><compiler autolimits="false"/><option timestep="{step:.17g}" integrator="RK4" '
            f'gravity="{numbers(gravity)}"><flag contact="disable" constraint="disable"/></option>'
            f"<worldbody>{roots}</worldbody></mujoco>")


def plain(links, gravity):
    """Numbers by lines, for the program that steps with Pinocchio."""
    rows = [f"{len(links)} {numbers(gravity)}"]
    for link in links:
        axis = [0.0, 0.0, 0.0] if link.axis is None else link.axis
        rows.append(f"{link.parent} {numbers(link.place)} {numbers(axis)} {numbers(link.centre)} {link.mass:.17g} "
                    f"{numbers(link.moments)} {link.speed:.17g}")
    return "\n".join(rows) + "\n"

"""The motions on which programs for bodies are compared, with references that none of the compared runs made.

Trees: where far finer steps lead in joint coordinates, by another program where implicit methods are compared.
Loops: the equations of their one freedom, or the reference that stands beside the example.
"""
import csv
import dataclasses
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "bench" / "trees"))
import tree_models  # noqa: E402


@dataclasses.dataclass
class Problem:
    title: str
    text: str  # the model file
    duration: float  # of the motion whose end is compared
    watch: list  # points: a body and a place in it
    columns: list  # of these points in the results of Invar
    truth: list  # what they should be
    components: tuple = (0, 1, 2)  # of the points
    exudyn_text: str | None = None  # where its model must differ
    exact: float = 1e-12  # how well the reference is known
    once: bool = False  # whether only the duration itself tells the work, and not a longer motion


def tree(reference, step, kind, number=None, duration=1.0):
    """The reference is a program with its step, far below those that are compared."""
    text = tree_models.model(kind, number)
    names = re.findall(r'\[\[body\]\]\nname = "(\w+)"', text)
    carried = re.findall(r'between = \["\w+", "(\w+)"\]', text)
    floating = [name for name in names if name not in carried]
    if floating:  # it begins at rest, which Invar takes at its word only where every coordinate is given
        starts = re.findall(r'coordinate = "(\w+)"', text) + [f"{name}.{part}" for name in floating for part in (
            "move.x", "move.y", "move.z", "e1", "e2", "e3")]
        text = text.replace("[initial]\n", "[initial]\n" + "".join(f'"{name}" = 0.0\n' for name in starts)
                            + "".join(f'"{name}.e0" = 1.0\n' for name in floating))
    problem = Problem(kind if number is None else f"{kind} of {number}", text, duration,
                      [(name, [0, 0, 0]) for name in names], [f"{name}.{c}" for name in names for c in "xyz"], [])
    problem.truth = reference.end(problem, step)
    return problem


def four_bars(linkages, duration):
    """((N+1)/3 + N) θ'' = g/L ((N+1)/2 + N) sin θ, from upright, by the classical Runge–Kutta method."""
    text = (ROOT / "examples/four_bars" / ("model.toml" if linkages == 2 else "forty.toml")).read_text()
    factor = 9.81 * ((linkages + 1) / 2 + linkages) / ((linkages + 1) / 3 + linkages)
    angle, rate, steps = 0.0, 1.0, 40000
    h = duration / steps
    for _ in range(steps):
        k1, l1 = rate, factor * math.sin(angle)
        k2, l2 = rate + h / 2 * l1, factor * math.sin(angle + h / 2 * k1)
        k3, l3 = rate + h / 2 * l2, factor * math.sin(angle + h / 2 * k2)
        k4, l4 = rate + h * l3, factor * math.sin(angle + h * k3)
        angle += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        rate += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
    return Problem(f"four bars, {linkages} in a row", text, duration, [("crank0", [0, 0.5])], ["B0.x", "B0.y"],
                   [math.sin(angle), math.cos(angle)], (0, 1))


def row_of(example, duration):
    lines = (ROOT / "examples" / example / "reference.csv").read_text().splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    return next(row for row in rows if abs(float(row["t"]) - duration) < 1e-9)


def bricard(duration=2.0):
    """Exudyn stops at the constraint that follows from the others: it gets the last hinge without it."""
    text = (ROOT / "examples/bricard/model.toml").read_text()
    names = [f"corner.{c}" for c in "xyz"]
    row = row_of("bricard", duration)
    return Problem("Bricard", text, duration, [("rod3", [0, 0, 0.5])], names, [float(row[n]) for n in names],
                   exudyn_text=text.replace('name = "P5"', 'name = "P5"\nreleased = true'), exact=1e-9)


def governor(duration=1.0):
    text = (ROOT / "examples/flyball_governor/model.toml").read_text()
    return Problem("flyball governor", text, duration, [("slider", [0, 0, 0])], ["slider.z"],
                   [float(row_of("flyball_governor", duration)["s"])], (2,))


def squeezer():
    text = (ROOT / "examples/andrews_squeezer/model.toml").read_text()
    last = (ROOT / "examples/andrews_squeezer/crank.csv").read_text().splitlines()[-1].split(",")
    return Problem("Andrews' squeezer", text, float(last[0]), [], ["beta"], [float(last[1])], once=True)

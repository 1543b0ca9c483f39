"""Optimal control beside CasADi: the whole process of `invar optimize` over CasADi's building and solving."""
import json
import math
import pathlib
import re
import subprocess
import sys
import tempfile

from measure import complain, processor_seconds
from page import Plot, Promise, Section

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EXAMPLES = ["pendulum_turn", "central_transfer", "cart_pole_swing_up", "acrobot_swing_up", "crane_shortest_time",
            "overhead_crane_optimal", "overhead_crane_optimal/reduced", "arm_swing", "arm_swing_directors",
            "satellite_reorientation"]
MESHES = [100, 200, 400, 800]  # of the cart and pole
SAME = 1e-3  # relative difference of costs up to which two optima count as the same: limits between nodes move them


def models():
    for name in EXAMPLES:
        path = ROOT / "examples" / (name + ".toml" if "/" in name else name + "/model.toml")
        yield name, path.read_text()
    arm = subprocess.run([sys.executable, ROOT / "bench/models/arm.py"], capture_output=True, text=True, check=True)
    yield "arm with six freedoms", arm.stdout


def with_guess(text, guess):
    """A named guess is used alone, in place of several."""
    return re.sub(r'^\[optimize\]$', f'[optimize]\nguess = "{guess}"', re.sub(r"(?m)^guess = .*\n", "", text),
                  flags=re.M)


def named_guess(text):
    found = re.search(r'(?m)^guess = "(\w+)"', text)
    return found[1] if found and found[1] != "auto" else "line"


def invar(context, text, intervals):
    """Processor seconds of the whole process, and its summary of the optimum."""
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder, "model.toml")
        model.write_text(text)
        words = [context.invar, "optimize", model, "--method", "midpoint", "--no-report", "--json", "--out",
                 folder + "/out"]
        words += ["--formulation", "minimal"] if "[[joint]]" in text else []
        words += ["--intervals", intervals] if intervals else []
        seconds, out = processor_seconds(words, accept=(0, 2))
        return seconds, json.loads(out)["optimization"]


def casadi(text, way):
    out = processor_seconds([sys.executable, HERE / "casadi_optimal.py", way], text)[1]
    found = json.loads(out.splitlines()[-1])
    return found["build"] + found["solve"], found


def best(run, rounds):
    return min((run() for _ in range(rounds)), key=lambda found: found[0])


def measured(context, text, intervals=None):
    """Ours with one guess and with several, CasADi's faster way."""
    text = with_guess(text, named_guess(text))
    theirs_text = re.sub(r"(?m)^intervals = .*$", f"intervals = {intervals}", text) if intervals else text
    one, several, ways = (math.inf, {}), (math.inf, {}), {"mapped": (math.inf, {}), "unrolled": (math.inf, {})}
    for _ in range(context.rounds):  # in turn
        one = min(one, invar(context, text, intervals), key=lambda f: f[0])
        for way in ways:
            ways[way] = min(ways[way], casadi(theirs_text, way), key=lambda f: f[0])
    if not intervals:
        several = invar(context, with_guess(text, "auto"), None)
    way = min(ways, key=lambda w: ways[w][0])
    return one, several, way, ways[way]


def optimal_control(context):
    section = Section("Optimal control", f"""\
The whole process of `invar optimize` (reading, equations, derivatives, search, tests of second order, replay on steps
of an eighth of the size, limits between nodes, writing) over what CasADi needs to build and to solve the same program:
the mid-point rule on the same mesh, exact Hessian, the same options of IPOPT with MUMPS, the same guess; imports do not
count. Of CasADi's two ways, one function mapped over the intervals or all operations unrolled, the faster counts.
`guess` names one guess, as CasADi has one; with `auto`, which is usual, several are tried, which the column "several"
has. Costs that differ by less than {SAME:g} are of the same optimum.""",
                      ["", "intervals", "Invar, ms", "iterations", "cost", "several, ms", "CasADi, ms", "way",
                       "iterations", "cost", "ratio", "bar", "kept"])
    if not context.casadi:
        return section
    for name, text in models():
        if not context.chosen("optimal " + name):
            continue
        try:
            one, several, way, theirs = measured(context, text)
        except (RuntimeError, subprocess.SubprocessError, ValueError, KeyError) as reason:
            complain(name, reason)
            continue
        ours, other = one[1], theirs[1]
        if abs(ours["cost"] - other["cost"]) > SAME * abs(other["cost"]):
            section.notes.append(f"{name}: the two found different optima.")
        section.add([name, str(ours["intervals"]), f"{1e3 * one[0]:.3g}", str(ours["iterations"]),
                     f"{ours['cost']:.7g}", f"{1e3 * several[0]:.3g}", f"{1e3 * theirs[0]:.3g}", way,
                     str(other["iterations"]), f"{other['cost']:.7g}"],
                    Promise(f"optimal control, {name}: Invar over CasADi", one[0] / theirs[0], 1.0))
    if context.chosen("optimal meshes") and not context.quick:
        section.plots.append(meshes(context))
    return section


def meshes(context):
    text = (ROOT / "examples/cart_pole_swing_up/model.toml").read_text()
    curves = {"Invar": [], "CasADi": []}
    for intervals in MESHES:
        one, _, _, theirs = measured(context, text, intervals)
        curves["Invar"].append((intervals, one[0]))
        curves["CasADi"].append((intervals, theirs[0]))
    return Plot("Optimal control of the cart and pole over the mesh", curves, "intervals", "seconds")

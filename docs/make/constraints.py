#!/usr/bin/env python3
"""The tables of docs/constraints.md: one motion with every way to keep its constraints.

    docs/make/constraints.py build/release/invar

Runs copies of examples/double_pendulum_bodies (two bars in directors and joint angles), and prints the tables. The
cost of a step is the processor time of the second half of a run, by the difference of two runs, the least of three.
"""
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

INVAR = pathlib.Path(sys.argv[1]).resolve()
MODEL = pathlib.Path(__file__).parents[2] / "examples/double_pendulum_bodies/model.toml"
UNTIL, STEP, COMPARED = 20.0, 0.005, 3.0
SAME = "the equations of the step"
FOLLOWING, NUMBERS = "Baumgarte, `true`", "Baumgarte, `[40, 60]`"
LARGEST = "Φ, largest | Φ', largest | change of energy, J | error, rad"
LIE = 'formulation = "lie"\n'
WAYS = [
    ("energy-momentum", SAME, ""),
    ("energy-momentum", "these, `stabilise`", "stabilise = true"),
    ("generalized-alpha", SAME, ""),
    ("radau5", SAME, ""),
    ("rk4", "projection", ""),
    ("rk4", FOLLOWING, "baumgarte = true"),
    ("rk4", NUMBERS, "baumgarte = [40, 60]"),
    ("rk4", "nothing, `project = false`", "project = false"),
    ("dormand-prince", "projection", ""),
    ("dormand-prince", FOLLOWING, "baumgarte = true"),
    ("lie-rk4", "projection", LIE),
    ("lie-rk4", FOLLOWING, LIE + "baumgarte = true"),
]


def run(folder, method, settings, until=UNTIL, step=STEP):
    """The summary of a run, its rows and the processor time that it took."""
    model = MODEL.read_text().split("[simulate]")[0]
    file = folder / "model.toml"
    file.write_text(f'{model}[simulate]\nuntil = {until}\nstep = {step}\nmethod = "{method}"\n{settings}\n')
    before = os.times().children_user
    command = [INVAR, "simulate", file, "--no-report", "--json", "--out", folder / "out"]
    printed = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    seconds = os.times().children_user - before
    with open(folder / "out/result.csv") as rows:
        return json.loads(printed), list(csv.DictReader(rows)), seconds


def error(rows, exact):
    """The largest difference of the angles at the times that both have."""
    angles = {round(float(r["t"]), 6): r for r in exact}
    shared = [r for r in rows if round(float(r["t"]), 6) in angles and float(r["t"]) <= COMPARED]
    return max(abs(float(r[a]) - float(angles[round(float(r["t"]), 6)][a])) for r in shared for a in ("phi1", "phi2"))


def head(first, *others):
    names = " | ".join([first, "what keeps the constraints", *others])
    print(f"| {names} |\n| " + " | ".join(["---"] * (names.count("|") + 1)) + " |")


def figures(summary):
    a = summary["accuracy"]
    return f'{a["drift_position"]:.1e} | {a["drift_velocity"]:.1e} | {a["energy"]["drift"]:.1e}'


def cost(folder, method, settings):
    def least(until):
        return min(run(folder, method, settings, until)[2] for _ in range(3))

    return 1e6 * (least(2 * UNTIL) - least(UNTIL)) / (UNTIL / STEP)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        exact = run(folder, "radau5", "", COMPARED, 0.0005)[1]
        head("method", LARGEST, "µs per step")
        for method, how, settings in WAYS:
            summary, rows, _ = run(folder, method, settings)
            end = f"{error(rows, exact):.1e} | {cost(folder, method, settings):.0f}"
            print(f"| `{method}` | {how} | {figures(summary)} | {end} |", flush=True)
        print()
        head("`adaptive`", "steps, rejected", LARGEST)
        for tolerance in (1e-6, 1e-8, 1e-10):
            for how, settings in (("projection", ""), (FOLLOWING, "baumgarte = true")):
                summary, rows, _ = run(folder, "dormand-prince", f"adaptive = {tolerance}\n{settings}", step=0.01)
                steps = f'{summary["steps"]}, {summary["rejected_steps"]}'
                row = f"{steps} | {figures(summary)} | {error(rows, exact):.1e}"
                print(f"| {tolerance:.0e} | {how} | {row} |", flush=True)


if __name__ == "__main__":
    main()

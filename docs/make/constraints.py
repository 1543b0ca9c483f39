#!/usr/bin/env python3
"""The tables of docs/constraints.md: one motion with every way to keep its constraints.

    docs/make/constraints.py build/release/invar

Runs a copy of examples/double_pendulum_bodies (two bars in directors and joint angles) and prints the tables. Times
are the shortest of three runs without a report.
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

invar = pathlib.Path(sys.argv[1]).resolve()
model = pathlib.Path(__file__).parents[2] / "examples/double_pendulum_bodies/model.toml"
base = model.read_text().split("[simulate]")[0]

UNTIL = 20.0
ways = [
    ("energy-momentum", "the scheme's own equations", ""),
    ("energy-momentum", "and Gear, Gupta, Leimkuhler", "stabilise = true"),
    ("generalized-alpha", "the scheme's own equations", ""),
    ("radau5", "stabilised index 2", ""),
    ("rk4", "projection", ""),
    ("rk4", "Baumgarte, following the step", "baumgarte = true"),
    ("rk4", "Baumgarte, α = 40, β = 60", "baumgarte = [40, 60]"),
    ("rk4", "nothing", "project = false"),
    ("dormand-prince", "projection", ""),
    ("dormand-prince", "Baumgarte, following the step", "baumgarte = true"),
    ("lie-rk4", "projection", 'formulation = "lie"'),
    ("lie-rk4", "Baumgarte, following the step", 'formulation = "lie"\nbaumgarte = true'),
]


def run(method, settings, step, folder, every=1):
    text = f'{base}[simulate]\nuntil = {UNTIL}\nstep = {step}\nmethod = "{method}"\nevery = {every}\n{settings}\n'
    file = folder / "model.toml"
    file.write_text(text)
    command = [invar, "simulate", file, "--no-report", "--json", "--out", folder / "out"]
    shortest, summary = None, None
    for _ in range(3):
        found = subprocess.run(command, capture_output=True, text=True)
        summary = json.loads(found.stdout)
        seconds = summary["wall_seconds"]
        shortest = seconds if shortest is None else min(shortest, seconds)
    with open(folder / "out/result.csv") as rows:
        last = list(csv.DictReader(rows))[-1]
    return summary, shortest, [float(last["phi1"]), float(last["phi2"])]


def row(summary, seconds):
    a = summary["accuracy"]
    return f'{a["drift_position"]:.1e} | {a["drift_velocity"]:.1e} | {a["energy"]["drift"]:.1e} | {1000 * seconds:.0f}'


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    print("| method | what keeps the constraints | drift of Φ | of Φ' | change of energy, J | ms |")
    print("| --- | --- | --- | --- | --- | --- |")
    for method, how, settings in ways:
        summary, seconds, _ = run(method, settings, 0.005, folder)
        print(f"| `{method}` | {how} | {row(summary, seconds)} |")
    print()
    print("| `adaptive` | what keeps the constraints | steps, rejected | drift of Φ | of Φ' | change of energy, J | ms |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for tolerance in (1e-6, 1e-8, 1e-10):
        for how, settings in (("projection", ""), ("Baumgarte, following the step", "baumgarte = true")):
            summary, seconds, _ = run("dormand-prince", f"adaptive = {tolerance}\n{settings}", 0.05, folder)
            print(f'| {tolerance:.0e} | {how} | {summary["steps"]}, {summary["rejected_steps"]} | {row(summary, seconds)} |')

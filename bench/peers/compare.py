#!/usr/bin/env python3
"""Invar beside its peers on trees of bodies, in one run: time of a step, error, ratios; writes docs/performance.md.

    compare.py INVAR PINOCCHIO_RK4 [--quick] [--out docs/performance.md]

Times are those of stepping alone, from the difference of two runs of one and three lengths, the least of several
rounds in which the programs take turns. Errors are distances of the last body's centre of mass at t = 1 s from where a
twentieth of the step leads. A program that is not there is left out.
"""
import argparse
import copy
import importlib.util
import json
import math
import pathlib
import platform
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "trees")]
import loglog  # noqa: E402
import tree  # noqa: E402
import tree_models  # noqa: E402

# Kind, number of bodies, step of explicit methods: explicit steps of 5 ms are unstable on the longest chain.
PROBLEMS = [("chain", 2, 0.005), ("chain", 10, 0.005), ("chain", 40, 0.005), ("chain", 200, 0.002),
            ("arm", None, 0.005), ("humanoid", None, 0.005)]
FINE = 1e-3  # of implicit methods
END = 1.0
WORK_PRECISION = [("chain", 10), ("arm", None)]


def title(kind, number):
    return kind if number is None else f"{kind} of {number}"


class Invar:
    def __init__(self, command, method, formulation, compiled=True):
        self.command, self.method, self.formulation, self.compiled = command, method, formulation, compiled
        self.explicit = method in ("rk4", "dormand-prince")
        how = "" if compiled else ", interpreted"
        self.name = f"Invar {method}, {formulation}{how}"

    def run(self, text, steps):
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder, "model.toml")
            model.write_text(text)
            words = [self.command, "simulate", model, "--method", self.method, "--formulation", self.formulation,
                     "--step", repr(self.step), "--until", repr(steps * self.step), "--every", str(steps), "--json",
                     "--no-report", "--format", "csv", "--out", folder + "/out"]
            if not self.compiled:
                words.append("--no-compile")
            done = subprocess.run(words, capture_output=True, text=True, timeout=900)
            if done.returncode not in (0, 2):
                raise RuntimeError(done.stderr.strip())
            names, *_, last = pathlib.Path(folder, "out/result.csv").read_text().splitlines()
            row = dict(zip(names.split(","), last.split(",")))
            body = tree.read_tree(text)[0][-1].name
            return json.loads(done.stdout)["wall_seconds"], [float(row[f"{body}.{c}"]) for c in "xyz"]

    def end(self, text):
        return self.run(text, round(END / self.step))[1]

    def pace(self, text, steps):
        """Microseconds of a step."""
        return 1e6 * (self.run(text, 3 * steps)[0] - self.run(text, steps)[0]) / (2 * steps)


class Pinocchio:
    name, explicit = "Pinocchio ABA + RK4", True

    def __init__(self, command):
        self.command = command

    def run(self, text, steps):
        out = subprocess.run([self.command, repr(self.step), str(steps), "1"], input=tree.plain(*tree.read_tree(text)),
                             capture_output=True, text=True, check=True).stdout.split()
        return float(out[0]), [float(x) for x in out[1:]]

    def end(self, text):
        return self.run(text, round(END / self.step))[1]

    def pace(self, text, steps):
        return self.run(text, steps)[0]


class Mujoco:
    name, explicit = "MuJoCo RK4", True

    def load(self, text):
        import mujoco
        links, gravity = tree.read_tree(text)
        model = mujoco.MjModel.from_xml_string(tree.mjcf(links, gravity, self.step))
        data = mujoco.MjData(model)
        for link in links:
            body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, link.name)
            if link.axis is not None:
                data.qvel[model.jnt_dofadr[model.body_jntadr[body]]] = link.speed
        return mujoco, model, data, body

    def end(self, text):
        mujoco, model, data, body = self.load(text)
        mujoco.mj_step(model, data, nstep=round(END / self.step))
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        return list(data.xipos[body])

    def pace(self, text, steps):
        import time
        mujoco, model, data, _ = self.load(text)
        begin = time.perf_counter()
        mujoco.mj_step(model, data, nstep=steps)
        return 1e6 * (time.perf_counter() - begin) / steps


class Exudyn:
    name, explicit = "Exudyn generalized-alpha", False

    def run(self, text, steps):
        out = subprocess.run([sys.executable, "-W", "ignore", HERE / "exudyn_chain.py", repr(self.step), str(steps)],
                             input=text, capture_output=True, text=True, check=True, timeout=900).stdout.split()
        return float(out[-4]), [float(x) for x in out[-3:]]

    def end(self, text):
        return self.run(text, round(END / self.step))[1]

    def pace(self, text, steps):
        return self.run(text, steps)[0]


def steps_for(engine, text, seconds):
    """So many that they take about this long."""
    steps = 50
    while True:
        pace = max(engine.pace(text, steps), 1e-3)
        if pace * steps > 2e4 or steps > 10**6:
            return max(50, int(seconds * 1e6 / pace))
        steps *= 8


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("invar")
    parser.add_argument("pinocchio")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", default="docs/performance.md")
    args = parser.parse_args()
    engines = [Invar(args.invar, "rk4", "minimal"), Invar(args.invar, "rk4", "minimal", False)]
    engines += [Invar(args.invar, method, "minimal")
                for method in ("dormand-prince", "generalized-alpha", "energy-momentum", "variational", "radau5")]
    engines += [Invar(args.invar, "energy-momentum", "director")]
    if pathlib.Path(args.pinocchio).exists():
        engines.append(Pinocchio(args.pinocchio))
    if importlib.util.find_spec("mujoco"):
        engines.append(Mujoco())
    if importlib.util.find_spec("exudyn"):
        engines.append(Exudyn())
    rounds, seconds = (1, 0.1) if args.quick else (3, 0.4)
    table = {}
    for kind, number, step in PROBLEMS[:2] if args.quick else PROBLEMS:
        text = tree_models.model(kind, number)
        table[title(kind, number)] = row = compare(text, [at(e, step if e.explicit else FINE) for e in engines
                                                          if not (e.name.startswith("Exudyn") and kind == "humanoid")],
                                                   end_of(args.invar, text, step), rounds, seconds)
        for name, found in row.items():
            print(f"{title(kind, number):14} {name:40} {found['pace']:10.2f} µs  {found['error']:.1e}", flush=True)
    plots = {}
    for kind, number in [] if args.quick else WORK_PRECISION:
        plots[title(kind, number)] = work_precision(args.invar, tree_models.model(kind, number), engines, seconds)
    write(table, plots, pathlib.Path(args.out))


def at(engine, step):
    engine = copy.copy(engine)
    engine.step = step
    return engine


def end_of(invar, text, step):
    """Where a twentieth of the step leads."""
    return at(Invar(invar, "rk4", "minimal"), step / 20).end(text)


def compare(text, engines, truth, rounds, seconds):
    row, counts = {}, {}
    for e in engines:
        try:
            error = math.dist(e.end(text), truth)
            counts[e.name] = steps_for(e, text, seconds)
            row[e.name] = {"error": error, "pace": math.inf}
        except (RuntimeError, subprocess.SubprocessError, ValueError) as reason:
            print(f"{e.name}: {reason}", file=sys.stderr)
    for _ in range(rounds):
        for e in engines:
            if e.name in counts:
                row[e.name]["pace"] = min(row[e.name]["pace"], e.pace(text, counts[e.name]))
    return row


def work_precision(invar, text, engines, seconds):
    """Error after one second over the seconds of computing that it took."""
    curves = {}
    truth = end_of(invar, text, 1e-3)
    for engine in engines:
        for step in (0.01, 0.005, 0.0025, 0.00125):
            found = compare(text, [at(engine, step)], truth, 2, seconds / 2).get(engine.name)
            if found and found["error"] > 0.0:
                curves.setdefault(engine.name, []).append((1e-6 * found["pace"] * END / step, found["error"]))
    return curves


def versions():
    found = [f"Python {platform.python_version()}"]
    for name in ("mujoco", "pinocchio", "exudyn"):
        if importlib.util.find_spec(name):
            module = __import__(name)
            found.append(f"{name} {getattr(module, '__version__', '')}".strip())
    cpu = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    return ", ".join(found) + (f"; {cpu[0]}, {len(cpu)} cores" if cpu else "")


def write(table, plots, path):
    names = list(dict.fromkeys(name for row in table.values() for name in row))
    lines = ["# Performance", "", "Made by `make bench-peers`, all in one run: microseconds of a step, stepping alone,",
             "the least of several rounds in which the programs take turns; in brackets the error after one second, in",
             "metres.",
             f"Explicit methods have steps of 5 ms (2 ms on the chain of 200), the others of {1e3 * FINE:g} ms.", "",
             versions(), "",
             "| | " + " | ".join(names) + " |", "| --- |" + " --- |" * len(names)]
    for problem, row in table.items():
        cells = [f"{row[n]['pace']:.3g} ({row[n]['error']:.0e})" if n in row else "" for n in names]
        lines.append(f"| {problem} | " + " | ".join(cells) + " |")
    ours = names[0]
    lines += ["", f"Time of {ours} over that of others:", "", "| | " + " | ".join(names[1:]) + " |",
              "| --- |" + " --- |" * (len(names) - 1)]
    for problem, row in table.items():
        cells = [f"{row[ours]['pace'] / row[n]['pace']:.2f}" if n in row and ours in row else "" for n in names[1:]]
        lines.append(f"| {problem} | " + " | ".join(cells) + " |")
    chains = [(int(p.split()[-1]), row) for p, row in table.items() if p.startswith("chain")]
    curves = {n: [(count, row[n]["pace"]) for count, row in chains if n in row] for n in names}
    picture = path.with_name("performance_chains.svg")
    picture.write_text(loglog.svg(curves, "bodies of a chain", "µs per step"))
    lines += ["", f"![Time of a step over the length of a chain]({picture.name})", ""]
    for problem, found in plots.items():
        picture = path.with_name(f"performance_{problem.replace(' ', '_')}.svg")
        picture.write_text(loglog.svg(found, "seconds of computing for one of motion", "error in m"))
        lines += [f"![Error over work, {problem}]({picture.name})", ""]
    path.write_text("\n".join(lines))


main()

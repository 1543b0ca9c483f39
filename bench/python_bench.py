#!/usr/bin/env python3
"""What Python costs: fails where a promise is broken.

  import invar: processor time beyond that of an interpreter
  a function of a model at 1e5 points: against the lanes of C++ on arrays that lie as C++ wants them
  a step of a simulation from Python: beyond one from C++

usage: python_bench.py PACKAGE_FOLDER [--rounds N]     (build/release/python)

Processor time counts, the least of the rounds.
"""
import argparse
import os
import subprocess
import sys
import time

IMPORT = 0.15     # s
POINTS = 1.1      # ratio
STEP = 3.0        # µs


def least(rounds, work):
    best = float("inf")
    for _ in range(rounds):
        begin = time.process_time()
        work()
        best = min(best, time.process_time() - begin)
    return best


def processor_seconds(words, environment):
    before = os.times()
    subprocess.run(words, env=environment, check=True)
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package")
    parser.add_argument("--rounds", type=int, default=10)
    args = parser.parse_args()
    sys.path.insert(0, args.package)
    import numpy as np
    import invar

    met = True

    def tell(what, value, bar, unit):
        nonlocal met
        met = met and value <= bar
        print(f"{what:<56}{value:>10.4g}{bar:>10.4g} {unit:<4}{'PASS' if value <= bar else 'FAIL'}", flush=True)

    environment = {**os.environ, "PYTHONPATH": args.package}
    started = {words: min(processor_seconds([sys.executable, "-c", words], environment) for _ in range(args.rounds))
               for words in ("pass", "import invar")}
    tell("import invar", started["import invar"] - started["pass"], IMPORT, "s")

    count = 100_000
    cases = (("double_pendulum", "mass_matrix"), ("rotary_crane", "residual"), ("andrews_squeezer", "residual"))
    for name, what in cases:
        f = invar.load(name).function(what)
        rng = np.random.default_rng(1)
        given = {n: rng.normal(size=(count, size) if size else count) for n, size, needed, _ in f._arguments if needed}
        rows = [given[n][:, i] if size else given[n] for n, size, needed, _ in f._arguments for i in needed]
        rows += [np.full(count, value) for value in f.parameters.values()]
        lanes = np.ascontiguousarray(rows)
        raw, whole = f._function.lanes, lambda: f(**given)
        ratio = min(least(1, whole) / least(1, lambda: raw(lanes)) for _ in range(args.rounds))
        tell(f"{what} of {name} at {count} points, against C++", ratio, POINTS, "x")

    sim, steps = invar.load("cart_pole_swing_up").simulator(step=1e-4), 20_000
    u = np.zeros(1)

    def from_python():
        sim.reset()
        for _ in range(steps):
            sim.step(u)

    def from_cpp():
        sim.reset()
        sim.step(u, count=steps)

    beyond = min(least(1, from_python) - least(1, from_cpp) for _ in range(args.rounds)) / steps
    tell("a step from Python, beyond one from C++", 1e6 * beyond, STEP, "µs")
    return 0 if met else 1


sys.exit(main())

#!/usr/bin/env python3
"""How time and memory up to the first step, and with one step, grow with the number of bodies of a chain or of a tree
that branches, each formulation with the method that it takes by itself: least squares of log time over log N. Fails
where the exponent is above 1.15, the largest model needs more than 4 GB, or a chain of 1000 bodies takes more than so
many times what one of 100 in directors takes in the same run.

usage: growth_bench.py INVAR [--longest N] [--kinds director,lie,minimal,explicit,tree,…] [--report]

Processor time counts, the least of the rounds of each length. `explicit` are the steps without unknowns of joint
coordinates. Runs end without a page unless --report is given.
"""
import argparse
import math
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
CHAINS = [100, 300, 1000, 3000, 10000]
MEMBERS = [10, 30, 100, 300, 1000]
STEEPEST = 1.15
MOST_MEMORY = 4e9  # bytes
# Of the chain of 100 bodies in directors, which stands for the speed of the machine: 1.64 s where that takes 0.123 s.
MOST_TIMES = {("director", 1000): 13.3}
KINDS = {
    "director": (CHAINS, "chain.py", ["--formulation", "director"]),
    "lie": (CHAINS, "chain.py", ["--formulation", "lie"]),
    "minimal": (CHAINS[1:], "chain.py", ["--formulation", "minimal"]),  # shorter ones have full matrices
    "explicit": (CHAINS, "chain.py", ["--formulation", "minimal", "--method", "rk4"]),
    "tree": (CHAINS, "chain.py", ["--tree", "--formulation", "director"]),
    "tree-lie": (CHAINS, "chain.py", ["--tree", "--formulation", "lie"]),
    "tree-minimal": (CHAINS, "chain.py", ["--tree", "--formulation", "minimal"]),
    "plane": (CHAINS, "chain.py", ["--formulation", "director", "--plane"]),
    "plane-minimal": (CHAINS, "chain.py", ["--formulation", "minimal", "--method", "rk4", "--plane"]),
    "beam": (MEMBERS, "beam.py", []),
    "string": (MEMBERS, "beam.py", ["--string"]),
}


def run(command, model, folder, report):
    """Processor seconds and bytes of one run."""
    words = [command, "simulate", model, "--out", folder] + ([] if report else ["--no-report"])
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    complaint = process.stderr.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{model}: {complaint}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024


def exponent(lengths, seconds):
    x, y = [math.log(n) for n in lengths], [math.log(s) for s in seconds]
    mx, my = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mx) * (b - my) for a, b in zip(x, y)) / sum((a - mx) ** 2 for a in x)


def measure(args, kind, folder):
    all_lengths, maker, options = KINDS[kind]
    lengths = [n for n in all_lengths if n <= args.longest]
    print(f"{kind:<24}{'N':>8}{'s':>10}{'s/N':>12}{'MB':>8}")
    seconds, memory = [], 0
    for n in lengths:
        model = os.path.join(folder, "model.toml")
        words = [sys.executable, HERE / "models" / maker, str(n), *options]
        with open(model, "w") as file:
            subprocess.run(words, stdout=file, check=True)
        rounds = 3 if n <= 1000 else 1
        found = [run(args.command, model, os.path.join(folder, "out"), args.report) for _ in range(rounds)]
        seconds.append(min(s for s, _ in found))
        memory = max(m for _, m in found)
        print(f"{'':<24}{n:>8}{seconds[-1]:>10.2f}{seconds[-1] / n:>12.2e}{memory / 1e6:>8.0f}", flush=True)
    in_time = True
    for n, spent in zip(lengths, seconds):
        if (kind, n) in MOST_TIMES:
            ratio, bar = spent / seconds[0], MOST_TIMES[kind, n]
            in_time = in_time and ratio <= bar
            print(f"{'':<24}{n} bodies {ratio:.1f} times {lengths[0]}, bar {bar} {'PASS' if ratio <= bar else 'FAIL'}")
    slope = exponent(lengths, seconds)
    met = in_time and slope <= STEEPEST and memory <= MOST_MEMORY
    print(f"{'':<24}exponent {slope:.2f}, bar {STEEPEST} {'PASS' if slope <= STEEPEST else 'FAIL'}")
    fits = "PASS" if memory <= MOST_MEMORY else "FAIL"
    print(f"{'':<24}{memory / 1e9:.2f} GB, bar {MOST_MEMORY / 1e9:g} GB {fits}\n", flush=True)
    return met


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("--longest", type=int, default=CHAINS[-1])
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--report", action="store_true")
    args = parser.parse_args()
    met = True
    with tempfile.TemporaryDirectory() as folder:
        for kind in args.kinds.split(","):
            met = measure(args, kind, folder) and met
    sys.exit(0 if met else 1)


main()

#!/usr/bin/env python3
"""Optimal control of an arm with six joints: the whole command in directors against the same in joint coordinates.

usage: optimize_bench.py INVAR [SCHEME …]

Joints leave six of 78 coordinates free; what they fix must not cost anything. Processor time counts, the least of the
rounds. Fails where directors take more than twice as long with the scheme that is taken by itself.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
SCHEMES = ["energy-momentum", "midpoint", "variational", "variational-midpoint"]
PROMISED = "energy-momentum"
MOST = 2.0
INTERVALS = 80
ROUNDS = 3


def run(command, model, scheme, folder):
    """Processor seconds of one run, and what it found."""
    words = [command, "optimize", model, "--method", scheme, "--json", "--no-report", "--quiet", "--out", folder]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    said = process.stdout.read()
    complaint = process.stderr.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{model}: {complaint}")
    return used.ru_utime + used.ru_stime, json.loads(said)["optimization"]


def main():
    command, *schemes = sys.argv[1:]
    met = True
    print(f"{f'{INTERVALS} intervals':<24}{'minimal (s)':>12}{'iterations':>12}{'director (s)':>14}{'iterations':>12}"
          f"{'ratio':>8}{'bar':>6}")
    with tempfile.TemporaryDirectory() as folder:
        models = {}
        for formulation in ("minimal", "director"):
            models[formulation] = os.path.join(folder, f"{formulation}.toml")
            words = [sys.executable, HERE / "models" / "arm.py", "--formulation", formulation,
                     "--intervals", str(INTERVALS)]
            with open(models[formulation], "w") as file:
                subprocess.run(words, stdout=file, check=True)
        for scheme in schemes or SCHEMES:
            least, iterations = {}, {}
            for _ in range(ROUNDS):
                for formulation, model in models.items():
                    seconds, found = run(command, model, scheme, os.path.join(folder, "out"))
                    least[formulation] = min(seconds, least.get(formulation, seconds))
                    iterations[formulation] = found["iterations"]
            ratio = least["director"] / least["minimal"]
            good = scheme != PROMISED or ratio <= MOST
            bar = f"{MOST:6.1f}{'PASS' if good else 'FAIL':>6}" if scheme == PROMISED else ""
            print(f"{scheme:<24}{least['minimal']:12.2f}{iterations['minimal']:12}{least['director']:14.2f}"
                  f"{iterations['director']:12}{ratio:8.2f}{bar}", flush=True)
            met = met and good
    return 0 if met else 1


sys.exit(main())

#!/usr/bin/env python3
"""What `invar optimize` takes as a whole process in directors, against the same in joint coordinates. Fails where it is
more than twice as much:

  an industrial arm with six hinges, on three meshes, with all guesses and with one
  an arm with three links

usage: optimize_bench.py INVAR [--rounds N]

Processor time counts; the two take turns, and the least of the rounds counts.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FORMULATIONS = 2.0  # directors, against joint coordinates


def seconds(words):
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    complaint = process.stderr.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(complaint)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    met = True
    with tempfile.TemporaryDirectory() as folder:
        def compare(what, model, *options):
            nonlocal met
            least = {"director": float("inf"), "minimal": float("inf")}
            for _ in range(args.rounds):
                for formulation in least:
                    words = [args.command, "optimize", model, "--formulation", formulation, "--method", "auto",
                             *options, "--out", os.path.join(folder, "out")]
                    least[formulation] = min(least[formulation], seconds(words))
            ratio = least["director"] / least["minimal"]
            met = met and ratio <= FORMULATIONS
            print(f"{what:<48}{ratio:>8.2f}{FORMULATIONS:>8.2f}  {'PASS' if ratio <= FORMULATIONS else 'FAIL'}"
                  f"{1e3 * least['director']:>10.0f} ms{1e3 * least['minimal']:>10.0f} ms", flush=True)

        for guess in ("auto", "line"):
            model = os.path.join(folder, guess + ".toml")
            with open(model, "w") as file:
                subprocess.run([sys.executable, HERE / "models" / "arm.py", "--guess", guess], stdout=file, check=True)
            for intervals in ("40", "80", "160"):
                compare(f"six hinges, {intervals} intervals, guess {guess}", model, "--intervals", intervals)
        compare("three links", str(HERE.parent / "examples/arm_swing/model.toml"))
    sys.exit(0 if met else 1)


main()

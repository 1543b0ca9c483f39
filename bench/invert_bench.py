#!/usr/bin/env python3
"""What `invar invert` takes as a whole process, with results, report and the usual verification. Fails where a promise
is broken:

  a cable manipulator at 20,001 instants: so many per second
  hidden structure (cranes in minimal coordinates): time per instant
  the rotary crane with 42 coordinates and a Furuta pendulum from bodies: against their minimal forms
  a Stewart platform with 324 unknowns at 201 instants: time

usage: invert_bench.py INVAR [--rounds N]

Processor time counts, the least of the rounds.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
MANIPULATOR_RATE = 100e3   # instants per second
HIDDEN_INSTANT = 40e-6     # s
FORMULATIONS = 2.0         # from bodies, against minimal
STEWART = 32.0 / 60.0      # s


class Bench:
    def __init__(self, command, rounds, folder):
        self.command, self.rounds, self.folder, self.met = command, rounds, folder, True

    def seconds(self, model, *options):
        """Processor seconds of one run, the least of several."""
        least = float("inf")
        for _ in range(self.rounds):
            words = [self.command, "invert", str(model), *options, "--out", os.path.join(self.folder, "out")]
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            complaint = process.stderr.read().decode()
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                sys.exit(f"{model}: {complaint}")
            least = min(least, used.ru_utime + used.ru_stime)
        return least

    def tell(self, what, value, bar, unit, most=True):
        met = value <= bar if most else value >= bar
        self.met = self.met and met
        print(f"{what:<56}{value:>10.4g}{bar:>10.4g} {unit:<4}{'PASS' if met else 'FAIL'}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command")
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(args.command, args.rounds, folder)
        example = lambda name, file="model.toml": EXAMPLES / name / file
        print(f"{'':<56}{'':>10}{'bar':>10}")
        took = bench.seconds(example("cable_manipulator_rotation"), "--step", "0.001")
        bench.tell("cable manipulator, 20001 instants", 20001 / took, MANIPULATOR_RATE, "1/s", most=False)
        for name, until in (("overhead_crane_inverse_minimal", 3.0), ("rotary_crane_inverse_minimal", 20.0)):
            took = bench.seconds(example(name), "--step", repr(until / 20000))
            bench.tell(f"{name}, an instant of 20001", took / 20001 * 1e6, HIDDEN_INSTANT * 1e6, "µs")
        for name, model in (("rotary crane, 42 coordinates", example("rotary_crane_bodies", "inverse.toml")),
                            ("Furuta pendulum from bodies", HERE / "models" / "furuta.toml")):
            minimal = bench.seconds(model, "--formulation", "minimal")
            took = bench.seconds(model)
            bench.tell(f"{name}, against minimal ({minimal:.3f} s)", took / minimal, FORMULATIONS, "")
        stewart = os.path.join(folder, "stewart.toml")
        with open(stewart, "w") as file:
            subprocess.run([sys.executable, HERE / "models" / "stewart.py"], stdout=file, check=True)
        bench.tell("Stewart platform, 201 instants", bench.seconds(stewart), STEWART, "s")
    sys.exit(0 if bench.met else 1)


main()

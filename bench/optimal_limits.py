#!/usr/bin/env python3
"""Costs of least-effort motions on ever finer meshes, by every scheme that can be transcribed, and their limits.

The limit does not depend on the scheme: it is the cost of the continuous problem, which was computed independently.
The problems are those of R. Siebert, Mechanical integrators for the optimal control in multibody dynamics, Siegen
2012. The exit status is 1 if a limit is off by more than its tolerance.

    bench/optimal_limits.py [INVAR] [PART OF A NAME …]       e.g. build/release/invar satellite rk4
"""
import json
import pathlib
import subprocess
import sys

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples"
ARM, SATELLITE = 3981028.325274, 1434215.960878
SAME = 1e-5

# model, formulation, scheme, intervals of the coarsest mesh, meshes, limit, tolerance
RUNS = [("arm_swing/model.toml", "minimal", scheme, 20, 3, ARM, SAME)
        for scheme in ("midpoint", "energy-momentum", "variational", "variational-midpoint", "radau5", "lie-rk4")]
# Inputs that are held act with the first power of the step where a scheme asks for them at the ends of steps only.
RUNS += [("arm_swing/model.toml", "minimal", scheme, 80, 4, ARM, SAME)
         for scheme in ("generalized-alpha", "bdf2")]
RUNS += [("arm_swing/model.toml", "director", scheme, 20, 3, ARM, SAME)
         for scheme in ("midpoint", "energy-momentum", "variational", "variational-midpoint", "radau5")]
RUNS += [("arm_swing/model.toml", "lie", "lie-rk4", 20, 3, ARM, SAME)]
# From 20 intervals the refined motion winds up, which costs less.
RUNS += [("arm_swing/model.toml", "lie", "lie-variational", 16, 3, ARM, SAME)]
RUNS += [("satellite_reorientation/model.toml", "minimal", scheme, 20, 3, SATELLITE, SAME)
         for scheme in ("midpoint", "variational", "variational-midpoint", "radau5", "lie-rk4")]
RUNS += [("satellite_reorientation/model.toml", "minimal", "energy-momentum", 80, 3, SATELLITE, SAME)]
# A rotor turns by up to half a right angle in one of 40 intervals, and steps of second order need a part of that.
RUNS += [("satellite_reorientation/directors.toml", "director", scheme, 40, 3, 1e-6 * SATELLITE, SAME)
         for scheme in ("midpoint", "energy-momentum", "reduced-energy-momentum", "variational",
                        "variational-midpoint")]
# On coarser meshes the fifth power of the step, the error of directors that turn fast, hides the second.
RUNS += [("satellite_reorientation/directors.toml", "director", "radau5", 50, 3, 1e-6 * SATELLITE, SAME)]
RUNS += [("satellite_reorientation/directors.toml", "lie", "lie-variational", 40, 3, 1e-6 * SATELLITE, SAME)]
RUNS += [("satellite_reorientation/directors.toml", "lie", "lie-rk4", 40, 3, 1e-6 * SATELLITE, SAME)]


def main():
    words = sys.argv[1:]
    invar = words.pop(0) if words else "build/release/invar"
    worst = 0
    print(f"{'model':24} {'formulation':12} {'scheme':24} {'costs':54} {'limit':>16} {'off by':>8}")
    for model, formulation, scheme, intervals, meshes, limit, tolerance in RUNS:
        name = pathlib.Path(model).parts[0]
        if not all(word in f"{name} {formulation} {scheme}" for word in words):
            continue
        done = subprocess.run([invar, "optimize", EXAMPLES / model, "--formulation", formulation, "--method", scheme,
                               "--intervals", str(intervals), "--refine", str(meshes), "--json", "--no-report",
                               "--quiet", "--out", "out/optimal_limits"], capture_output=True, text=True)
        try:
            found = json.loads(done.stdout)["optimization"]
            costs = " ".join(f"{mesh['cost']:.9g}" for mesh in found["meshes"])
            value = found["limit"]
            error = abs(value - limit) / limit
            print(f"{name:24} {formulation:12} {scheme:24} {costs:54} {value:16.9g} {error:8.1e}", flush=True)
            worst |= error > tolerance
        except (ValueError, KeyError, TypeError):
            print(f"{name:24} {formulation:12} {scheme:24} {done.stderr.strip()[-200:] or 'no limit'}", flush=True)
            worst = 1
    return worst


if __name__ == "__main__":
    sys.exit(main())

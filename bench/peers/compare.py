#!/usr/bin/env python3
"""Invar beside its peers, in one run: writes docs/performance.md and prints whether each promise is kept.

    compare.py INVAR PINOCCHIO_RK4 [NAME …] [--quick] [--out FILE]

A part of a name selects comparisons ("trees", "chain of 40", "optimal", "loops Bricard", "work", …); the page then goes
into build/peers, as with --quick, unless --out says where. A program that is not installed is left out.
"""
import argparse
import importlib.util
import os
import pathlib
import re
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "trees")]
# One thread each: processor time counts.
os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")
import motions  # noqa: E402
import optimal  # noqa: E402
import page  # noqa: E402
import start_up  # noqa: E402
from engines import Exudyn, Idas, Mujoco, Pinocchio  # noqa: E402

SECTIONS = [motions.explicit_trees, motions.joint_chain, motions.director_chains, motions.closed_loops,
            motions.squeezer, start_up.start_up, optimal.optimal_control, motions.work_precision]
QUICK = {"trees chain of 2", "trees arm", "director chain of 2", "loops Bricard", "squeezer", "start-up humanoid",
         "optimal pendulum_turn", "optimal arm_swing", "work Bricard"}
WORDS = """\
Made by `make bench-peers`, all in one run. Times are processor seconds (user and system), the least of
several rounds in which the programs take turns. Motions: time of stepping alone, for one second of
motion; Invar's from the difference of a short and a long run. A ratio is Invar's time over that of the
peer; the bar is what it shall not exceed. Errors are absolute. References of explicit steps come from
far finer ones; that the errors of all programs against them fall with the order of their methods is the
check of these. References of chains with implicit steps are Pinocchio's with steps of 50 µs up to 200
bodies, those of loops the equation of their one freedom or the files beside the examples.""".splitlines()


class Context:
    """What is there and how much is asked for."""
    def __init__(self, args):
        def there(name):
            return importlib.util.find_spec(name) is not None
        self.invar, self.names, self.quick = args.invar, args.names, args.quick
        self.rounds, self.seconds = (1, 0.05) if args.quick else (3, 0.2)
        self.tree_peers = [Pinocchio(args.pinocchio)] if pathlib.Path(args.pinocchio).exists() else []
        self.tree_peers += [Mujoco()] if there("mujoco") else []
        self.exudyn = Exudyn() if there("exudyn") else None
        self.casadi = there("casadi")
        self.idas = Idas() if self.casadi else None

    def chosen(self, title):
        if self.names:
            return any(re.search(re.escape(name) + r"(?!\d)", title, re.IGNORECASE) for name in self.names)
        return not self.quick or title in QUICK


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("invar")
    parser.add_argument("pinocchio")
    parser.add_argument("names", nargs="*")
    parser.add_argument("--quick", action="store_true", help="a few comparisons, one round each")
    parser.add_argument("--out")
    args = parser.parse_intermixed_args()
    context = Context(args)
    out = args.out or ("build/peers/performance.md" if args.quick or args.names else "docs/performance.md")
    begin, sections = time.monotonic(), []
    for make in SECTIONS:
        section = make(context)
        if section.rows or any(plot.curves for plot in section.plots):
            sections.append(section)
            page.write(sections, args.invar, out, WORDS)  # what is there so far
            print(f"  {section.title}: {time.monotonic() - begin:.0f} s", flush=True)
    promises = [p for s in sections for p in s.promises]
    print(f"{sum(p.met() for p in promises)} of {len(promises)} promises kept; {out}")


main()

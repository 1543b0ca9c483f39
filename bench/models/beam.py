#!/usr/bin/env python3
"""Writes the model of a beam or string of N elements, held at one end and let go under its weight, as TOML.

usage: beam.py N [--string] [--plane] [--nodes 2|3] [--method NAME] [--step H] [--until T]

It is 10 m long along x at the start, without stress. A string is held at both ends and 1 % longer than without stress.
"""
import argparse


def number(value):
    return repr(float(value))


def world(args):
    lines = [f'name = "{"string" if args.string else "beam"}_{args.count}"', "", "[world]"]
    if args.plane:
        return lines + ["dimension = 2", "gravity = [0, -9.81]"]
    return lines + ["gravity = [0, 0, -9.81]"]


def point(args, x):
    return f"[{x}, 0]" if args.plane else f"[{x}, 0, 0]"


def beam(args):
    lines = ["", "[[beam]]", 'name = "beam"', f"points = [{point(args, 0)}, {point(args, 10)}]", 'from = "ground"',
             "EA = 2e6", "GA = 8e5", "EI = 200", "mass_per_length = 1.0"]
    if args.plane:
        return lines + ["inertia_per_length = 1e-3"]
    return lines + ["normal = [0, 0, 1]", "GJ = 150", "inertia_per_length = [1e-3, 1e-3, 2e-3]"]


def string(args):
    return ["", "[[string]]", 'name = "string"', f"points = [{point(args, 0)}, {point(args, 10)}]", "length = 9.9",
            'from = "ground"', 'to = "ground"', "EA = 2e4", "mass_per_length = 1.0"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    parser.add_argument("--string", action="store_true")
    parser.add_argument("--plane", action="store_true")
    parser.add_argument("--nodes", type=int, choices=[2, 3], default=3)
    parser.add_argument("--method")
    parser.add_argument("--step", type=float, default=1e-3)
    parser.add_argument("--until", type=float, default=1e-3)
    args = parser.parse_args()

    lines = world(args) + (string(args) if args.string else beam(args))
    lines += [f"elements = {args.count}", f"element_nodes = {args.nodes}"]
    lines += ["", "[simulate]", f"until = {number(args.until)}", f"step = {number(args.step)}"]
    if args.method:
        lines.append(f'method = "{args.method}"')
    print("\n".join(lines))


main()

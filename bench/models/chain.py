#!/usr/bin/env python3
"""Writes the model of a chain of N equal links on hinges, hanging from the ground and let go, as TOML.

usage: chain.py N [--plane | --spherical | --tree] [--formulation NAME] [--method NAME] [--step H] [--until T]

In space the axes of the hinges take turns between y and z, so that the chain bends both ways; --spherical has ball
joints instead; with --tree every link carries two others at its end. Every link is 1 m long, has 1 kg, and points
along x at the start, which is consistent.
"""
import argparse


def number(value):
    return repr(float(value))


def world(args):
    lines = [f'name = "chain_{args.count}"', "", "[world]"]
    if args.plane:
        lines += ["dimension = 2", "gravity = [0, -9.81]"]
    else:
        lines += ["gravity = [0, 0, -9.81]"]
    return lines


def before(args, k):
    """The link that carries link k; -1 is the ground."""
    return (k - 1) // 2 if args.tree and k > 0 else k - 1


def start(args, k):
    """Where link k begins, along x: as many links away as there are between it and the ground."""
    return (k + 1).bit_length() - 1 if args.tree else k


def link(args, k):
    x = start(args, k)
    lines = ["", "[[body]]", f'name = "link{k}"', "mass = 1.0"]
    if args.plane:
        return lines + ["inertia = 0.1", f"position = [{x + 0.5}, 0]"]
    return lines + ["inertia = [0.02, 0.1, 0.11]", f"position = [{x + 0.5}, 0, 0]"]


def hinge(args, k):
    carrier, x = before(args, k), start(args, k)
    lines = ["", "[[joint]]", f'name = "hinge{k}"', f'type = "{"spherical" if args.spherical else "revolute"}"',
             f'between = ["{"ground" if carrier < 0 else f"link{carrier}"}", "link{k}"]',
             f"at = [{x}, 0]" if args.plane else f"at = [{x}, 0, 0]"]
    if not args.plane and not args.spherical:
        lines += ["axis = [0, 1, 0]" if k % 2 == 0 else "axis = [0, 0, 1]"]
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", type=int)
    kind = parser.add_mutually_exclusive_group()
    kind.add_argument("--plane", action="store_true")
    kind.add_argument("--spherical", action="store_true")
    kind.add_argument("--tree", action="store_true")
    parser.add_argument("--formulation", choices=["director", "minimal", "lie"])
    parser.add_argument("--method")
    parser.add_argument("--step", type=float, default=1e-3)
    parser.add_argument("--until", type=float, default=1e-3)
    args = parser.parse_args()

    lines = world(args)
    for k in range(args.count):
        lines += link(args, k)
    for k in range(args.count):
        lines += hinge(args, k)
    lines += ["", "[simulate]", f"until = {number(args.until)}", f"step = {number(args.step)}"]
    if args.formulation:
        lines.append(f'formulation = "{args.formulation}"')
    if args.method:
        lines.append(f'method = "{args.method}"')
    print("\n".join(lines))


main()

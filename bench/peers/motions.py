"""Comparisons of motions at equal error: explicit steps of trees, implicit steps in joint coordinates and in directors,
closed loops, Andrews' squeezer."""
import math

import problems
from engines import Invar, InvarAdaptive
from measure import Found, at_error, error_of, take_turns
from page import Plot, Promise, Section

HEAD = ["", "", "step", "error", "ms per s", "peer", "step", "error", "ms per s", "ratio", "bar", "kept"]
TREES = [("arm", None, 0.005), ("humanoid", None, 0.005), ("chain", 2, 0.005), ("chain", 10, 0.005),
         ("chain", 40, 0.005), ("chain", 200, 0.002)]
CHAINS = [(2, 1.0), (10, 1.0), (40, 1.0), (200, 0.3), (1000, 0.1)]  # with the duration of the motion
FINE = 1e-3  # step of Exudyn


def cells(found):
    return [found.step_text(), f"{found.error:.1e}", f"{1e3 * found.work:.3g}"]


def compare(section, problem, pairs, peers, context, bars):
    """A row for each of ours beside each peer; `bars` are those of promises by our name."""
    take_turns(pairs + peers, problem, context.rounds, context.seconds)
    for engine, ours in pairs:
        for peer, theirs in peers:
            ratio = ours.work / theirs.work
            row = [problem.title, engine.name.removeprefix("Invar "), *cells(ours), peer.name, *cells(theirs)]
            if engine.name in bars and math.isfinite(ratio):
                section.add(row, Promise(f"{problem.title}: {engine.name} over {peer.name}", ratio, bars[engine.name]))
            else:
                section.add([*row, f"{ratio:.3g}"])


def matched(engines, problem, target, first):
    """Ours with steps of an error that is not above the target."""
    found = [(engine, at_error(engine, problem, target, first(engine))) for engine in engines]
    for engine, got in found:
        if got is None:
            print(f"  {problem.title}: no step of {engine.name} has an error of {target:.1e}", flush=True)
    return [pair for pair in found if pair[1]]


def finest(context):
    return InvarAdaptive(context.invar, "dormand-prince", "minimal", "interpreted")


def chain(context, number, duration=1.0):
    """With a reference by Pinocchio, where it is there, whose steps leave errors below 1e-9. Its memory grows with the
    cube of the length: 2 GB for 400 bodies."""
    other = [(p, 5e-5) for p in context.tree_peers if number <= 200] or [(finest(context), 1e-11)]
    return problems.tree(*other[0], "chain", number, duration)


def per_step(points):
    return {name: sorted(curve) for name, curve in points.items()}


def collect(points, number, pairs):
    for _, found in pairs:
        points.setdefault(found.name, []).append((number, 1e6 * found.work * found.step))


def explicit_trees(context):
    section = Section("Trees, explicit steps", """\
Open trees of hinged bodies in joint coordinates, from the same file. All take the classical Runge–Kutta method with the
same step, so that errors agree; the adaptive pair 5(4) has the tolerance that leads to an error not above theirs. The
error is the largest one of a coordinate of a centre of mass at the end of one second, in metres.""", HEAD)
    points = {}
    for kind, number, step in TREES:
        title = kind if number is None else f"{kind} of {number}"
        if not context.chosen("trees " + title):
            continue
        problem = problems.tree(finest(context), 1e-13, kind, number)
        peers = [(p, Found(p.name, step, error_of(p, problem, step))) for p in context.tree_peers]
        if not peers:
            continue
        ours = [(e, Found(e.name, step, error_of(e, problem, step)))
                for e in (Invar(context.invar, "rk4", "minimal", code) for code in ("compiled", "interpreted"))]
        target = max(1e-12, min(found.error for _, found in peers))
        ours += matched([InvarAdaptive(context.invar, "dormand-prince", "minimal", "interpreted")], problem, target,
                        lambda e: target)
        compare(section, problem, ours, peers, context,
                {ours[0][0].name: 0.5, ours[1][0].name: 2.5})
        if kind == "chain":
            collect(points, number, ours[:2] + peers)
    section.plots.append(Plot("Explicit steps over the length of a chain", per_step(points), "bodies of a chain",
                              "µs per step"))
    return section


def joint_chain(context):
    section = Section("Implicit steps in joint coordinates", """\
A chain of 40 hinged bodies, one second. Exudyn has six coordinates and a quaternion's norm for each body, and hinges as
constraints. Ours have the largest steps found whose error is not above Exudyn's.""", HEAD)
    if not context.exudyn or not context.chosen("joint coordinates chain of 40"):
        return section
    problem = chain(context, 40)
    peer = Found(context.exudyn.name, FINE, error_of(context.exudyn, problem, FINE))
    engines = [Invar(context.invar, method, "minimal")
               for method in ("energy-momentum", "variational", "generalized-alpha", "radau5")]
    pairs = matched(engines, problem, peer.error, lambda e: 0.014 if e.method == "radau5" else FINE)
    compare(section, problem, pairs, [(context.exudyn, peer)], context, {e.name: 1.0 for e in engines})
    return section


def director_chains(context):
    section = Section("Chains in redundant coordinates", """\
Chains in `director`: twelve coordinates for each body, all joints as constraints, beside Exudyn's redundant
coordinates. Ours have the largest steps found whose error is not above Exudyn's. `energy-momentum` is what Invar takes
by itself.""", HEAD)
    points = {}
    for number, duration in CHAINS:
        if not context.exudyn or not context.chosen(f"director chain of {number}"):
            continue
        problem = chain(context, number, duration)
        peer = Found(context.exudyn.name, FINE, error_of(context.exudyn, problem, FINE))
        engines = [Invar(context.invar, method, "director") for method in ("energy-momentum", "generalized-alpha")]
        pairs = matched(engines, problem, peer.error, lambda e: FINE)
        compare(section, problem, pairs, [(context.exudyn, peer)], context, {e.name: 1.0 for e in engines})
        collect(points, number, pairs + [(context.exudyn, peer)])
    section.plots.append(Plot("Redundant coordinates over the length of a chain", per_step(points),
                              "bodies of a chain", "µs per step"))
    return section


def closed_loops(context):
    section = Section("Closed loops", """\
The examples four_bars (through its singular configuration), bricard and flyball_governor, the same file for both
programs. Ours have the largest steps found whose error is not above Exudyn's.""", HEAD)
    cases = [(lambda: problems.four_bars(2, 2.0), 0.05), (lambda: problems.four_bars(40, 1.0), 0.4),
             (problems.bricard, 0.04), (problems.governor, 0.004)]
    titles = ["four bars, 2 in a row", "four bars, 40 in a row", "Bricard", "flyball governor"]
    for title, (make, bar) in zip(titles, cases):
        if not context.exudyn or not context.chosen("loops " + title):
            continue
        problem = make()
        peer = Found(context.exudyn.name, FINE, error_of(context.exudyn, problem, FINE))
        engines = [Invar(context.invar, "radau5", "minimal"), Invar(context.invar, "energy-momentum", "director")]
        pairs = matched(engines, problem, peer.error, lambda e: 0.02 if e.method == "radau5" else FINE)
        compare(section, problem, pairs, [(context.exudyn, peer)], context, {engines[0].name: bar})
    return section


def squeezer(context):
    section = Section("Andrews' squeezer", """\
Seven links, six constraints, 30 ms, to an error of the crank's angle of at most 1e-8. IDAS integrates the equations at
index 1 that CasADi makes from the same formulas; its building does not count, nor does the start of Invar.""", HEAD)
    if not context.idas or not context.chosen("squeezer"):
        return section
    problem = problems.squeezer()
    peer = at_error(context.idas, problem, 1e-8, 2e-10)
    engines = [Invar(context.invar, "radau5", None), InvarAdaptive(context.invar, "radau5", None)]
    pairs = matched(engines, problem, 1e-8, lambda e: 1e-11 if e.order == 1 else 4e-5)
    if peer and pairs:
        compare(section, problem, pairs, [(context.idas, peer)], context, {engines[1].name: 0.5})
    return section


def work_precision(context):
    section = Section("Error over work", """\
The same motions with a row of steps each: the error at the end over the seconds of processor time for a second of
motion, interpreted; for radau5 steps are eight times as large. The slope of a curve is minus the order of the
method.""")
    steps = (0.008, 0.004, 0.002, 0.001)

    def ours(method, formulation):
        return Invar(context.invar, method, formulation, "interpreted")

    cases = [("arm", lambda: problems.tree(finest(context), 1e-13, "arm"),
              [ours("rk4", "minimal"), ours("radau5", "minimal"), *context.tree_peers], steps),
             ("chain of 10", lambda: problems.tree(finest(context), 1e-13, "chain", 10),
              [ours("rk4", "minimal"), ours("energy-momentum", "minimal"), ours("energy-momentum", "director"),
               ours("generalized-alpha", "director"), *context.tree_peers, context.exudyn], steps),
             ("Bricard", lambda: problems.bricard(1.0),
              [ours("radau5", "minimal"), ours("generalized-alpha", "minimal"), ours("energy-momentum", "director"),
               context.exudyn], (0.06, 0.03, 0.016, *steps))]
    for title, make, engines, ladder in cases:
        if not context.chosen("work " + title):
            continue
        problem, curves = make(), {}
        for engine in filter(None, engines):
            found = [(engine, Found(f"{engine.name} {step}", step, error_of(engine, problem, step)))
                     for step in (engine.admitted(problem, s * (8 if engine.order == 5 else 1)) for s in ladder)]
            found = [(e, f) for e, f in found if 2 * problem.exact < f.error < 0.3]
            take_turns(found, problem, 1, context.seconds / 2)
            curves[engine.name.removesuffix(", interpreted")] = [(f.work, f.error) for _, f in found
                                                                 if 0.0 < f.work < math.inf]
        section.plots.append(Plot(f"Error over work, {title}", curves, "seconds for one of motion", "error in m"))
    return section

"""Y. Yang, Numerical methods for the inverse dynamics simulation of underactuated mechanical systems (KIT 2017).

The thesis shows curves and prints no values; what it says about them stands beside what comes out here. Its
implicit Euler solutions are called NUM, exact ones REF, as there.
"""

from page import Figure, Run, difference

SOURCE = "Yang"
REFERENCES = {SOURCE: "Y. Yang: Numerical methods for the inverse dynamics simulation of underactuated mechanical "
                      "systems. Dissertation, Karlsruhe Institute of Technology (2017)"}


def inverse(model, method, step, *options):
    return Run("invert", model, "--method", method, "--step", step, "--no-verify", *options)


def errors(inputs, names):
    """Statements: the largest error of each input for the runs of these names against REF."""
    def text(results):
        parts = []
        for name in names:
            found = ", ".join(f"{u} {difference(results[name], results['REF'], u):.3g}" for u in inputs)
            parts.append(f"{name}: {found}")
        return "; ".join(parts)
    return ("largest error of the inputs", "converge when the step is reduced", text)


def exact(columns, name):
    return (f"{', '.join(columns)} with {name}", "coincide with the reference even for the coarse step",
            lambda r: max(difference(r[name], r["REF"], c) for c in columns))


def compared(number, title, model, method, steps, coordinates, inputs, *options, extra=(), note=""):
    """NUM at some steps against REF."""
    names = {f"NUM, Δt = {step} s": inverse(model, method, step, *options) for step in steps}
    reference = {"REF": inverse(model, "taylor", min(0.02, min(steps)), *options)}
    return Figure(SOURCE, number, title, names | reference, [*[[c] for c in coordinates], *[[u] for u in inputs]],
                  [exact(coordinates, list(names)[0]), errors(inputs, names), *extra], note)


CHAPTER_4 = ["--set", "m=10", "--set", "mt=53", "--set", "Jb=19.01", "--set", "Jw=0.02"]


def tension(name, column):
    return (f"least {column}", "not mentioned", lambda r: f"{min(r[name][column]):.1f} N: a cable cannot push"
            if min(r[name][column]) < 0 else f"{min(r[name][column]):.1f} N")


def forward_crane():
    five, many = "five coordinates, mid-point, Δt = 1e-4 s", "42 coordinates, energy-momentum, Δt = 1e-2 s"
    runs = {five: Run("simulate", "rotary_crane", "--method", "midpoint", "--step", 1e-4),
            many: Run("simulate", "rotary_crane_bodies", "--step", 0.01)}
    at_end = lambda result: f"{result['phi'][-1]:.6f}, {result['s'][-1]:.6f}"
    panels = [["energy.total"], ["phi"], ["s"]]
    return Figure(SOURCE, "Figures 2.7, 2.10", "Rotary crane in free motion", runs, panels, [
        ("energy, largest change: mid-point", "conserved (figure)", lambda r: r[five].spread("energy.total")),
        ("energy, largest change: energy-momentum", "conserved for any step", lambda r: r[many].spread("energy.total")),
        ("angular momentum: mid-point", "conserved (figure)", lambda r: r[five].spread("momentum.phi")),
        ("angular momentum: energy-momentum", "conserved for any step", lambda r: r[many].spread("angular_momentum.z")),
        ("phi, s at 1 s: mid-point", "both models identical", lambda r: at_end(r[five])),
        ("phi, s at 1 s: energy-momentum", "both models identical", lambda r: at_end(r[many])),
    ], "The trolley starts at 1.5 m as in (2.90); section 2.4.2 has 2.5 m.")


def squeezer(number, step):
    runs = {name: Run("simulate", "andrews_bodies", "--method", name, "--step", step)
            for name in ("energy-momentum", "generalized-alpha", "variational")}

    def imbalance(result):
        balance = [e - 0.033 * (b - result["beta"][0]) for e, b in zip(result["energy.total"], result["beta"])]
        return max(balance) - min(balance)
    return Figure(SOURCE, number, f"Andrews' squeezer, Δt = {step:g} s", runs, [["beta"], ["energy.total"]],
                  [(f"T + V − M(β − β₀), largest change: {name}",
                    "constant" if name == "energy-momentum" else "not constant", lambda r, n=name: imbalance(r[n]))
                   for name in runs])


def redundant_projection():
    names = {"projection, 6 coordinates": inverse("rotary_crane_inverse", "projection", 0.1, *CHAPTER_4),
             "projection, minimal": inverse("rotary_crane_inverse_minimal", "projection", 0.1, *CHAPTER_4)}
    fine = {"projection, Δt = 0.005 s": inverse("rotary_crane_inverse", "projection", 0.005, *CHAPTER_4)}
    reference = {"REF": inverse("rotary_crane_inverse", "taylor", 0.005, *CHAPTER_4)}
    return Figure(SOURCE, "Figures 4.8, 4.9", "Rotary crane, projected formulations", names | fine | reference,
                  [["phi"], ["s"], ["l"], ["Mb"], ["Ft"], ["Mw"]],
                  [errors(["Mb", "Ft", "Mw"], [*names, *fine]),
                   ("a difference of about 0.1 that does not vanish", "remains in ALT",
                    lambda r: "none: errors fall with the step")])


FIGURES = [
    forward_crane(),
    squeezer("Figures 3.2–3.5", 3e-4),
    squeezer("Figures 3.6, 3.7", 3e-5),
    compared("Figures 4.3, 4.4", "Overhead crane, projection", "overhead_crane_inverse", "projection", [0.1, 0.001],
             ["s", "l", "lambda.cable"], ["F", "M"]),
    redundant_projection(),
    compared("Figures 5.3, 5.4", "Overhead crane, minimal extension", "overhead_crane_inverse", "minimal-extension",
             [0.1, 0.01], ["s", "l", "lambda.cable"], ["F", "M"]),
    compared("Figures 5.7, 5.8", "Rotary crane, minimal extension", "rotary_crane_inverse", "minimal-extension",
             [1, 0.1], ["phi", "s", "l"], ["Mb", "Ft", "Mw"]),
    compared("Figures 5.12–5.14", "Rotary crane with ten coordinates", "rotary_crane_inverse_redundant",
             "minimal-extension", [1, 0.1], ["x2", "y2", "x0", "y0", "L1", "L2"], ["F1", "F2", "Mb"]),
    compared("Figures 6.2–6.4", "Planar Navy crane without pulley mass", "navy_crane_planar_massless",
             "minimal-extension", [0.1, 0.01], ["L1", "L2", "x0", "z0"], ["u1", "u2"],
             extra=[tension("REF", "tension.cable1")]),
    compared("Figures 6.7–6.9", "Planar Navy crane with pulley mass", "navy_crane_planar", "minimal-extension",
             [0.1, 0.01], ["L1", "L2", "L3", "x0"], ["u1", "u2", "u3"], extra=[tension("REF", "tension.cable1")]),
    compared("Figure 6.13", "Spatial Navy crane without pulley mass", "navy_crane_spatial_massless",
             "minimal-extension", [0.01], ["L1", "L3", "x0", "y0", "z0"], ["u1", "u3", "u4"],
             note="The thesis has no reference solution for this crane."),
    compared("Figure 6.16", "Spatial Navy crane with pulley mass, published path",
             "examples/navy_crane_spatial/published_profile.toml", "minimal-extension", [0.1],
             ["L1", "L2", "L3", "x0", "y0"], ["u1", "u2", "u3", "u4"], "--accept-rough-reference",
             note="The path is not smooth enough for index 7: torques at its knots grow with a finer step."),
    *[compared(number, f"Cable suspension manipulator: {title}", f"cable_manipulator_{name}", "minimal-extension",
               [0.1], ["pg0", "pg1", "pg2", "pg3", "pc1"], ["ug0", "ug1", "ug2", "uc1"],
               note="Shown at 0.1 s instead of 0.01 s so that a difference can be seen.")
      for number, name, title in (("Figures 6.21, 6.22", "rotation", "rotation"),
                                  ("Figure 6.25", "translation", "translation"),
                                  ("Figures 6.27, 6.28", "general", "both"))],
]

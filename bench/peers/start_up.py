"""How long Invar takes up to the first step: processor time of the whole program with one step, interpreted."""
import pathlib
import tempfile

import loglog
import tree_models
from measure import processor_seconds
from page import Plot, Promise, Section

LENGTHS = [100, 300, 1000]
FORMULATIONS = [("minimal", "rk4"), ("director", "energy-momentum"), ("lie", "lie-rk4")]


def seconds(invar, text, formulation, method, rounds):
    with tempfile.TemporaryDirectory() as folder:
        model = pathlib.Path(folder, "model.toml")
        model.write_text(text)
        words = [invar, "simulate", model, "--formulation", formulation, "--method", method, "--step", "1e-4",
                 "--until", "1e-4", "--no-compile", "--no-report", "--quiet", "--out", folder + "/out"]
        return min(processor_seconds(words)[0] for _ in range(rounds))


def start_up(context):
    section = Section("Start-up", """\
Processor time of a whole run with one step and without report, interpreted: reading, equations, derivatives, tapes, a
consistent start. `make bench` has longer chains.""",
                      ["", "formulation", "ms", "exponent", "bar", "kept"])
    rounds = 2 * context.rounds
    if context.chosen("start-up humanoid"):
        spent = 1e3 * seconds(context.invar, tree_models.model("humanoid"), "minimal", "rk4", rounds)
        section.promises.append(Promise("start-up of the humanoid, interpreted", spent, 50, " ms"))
        print(section.promises[-1].line(), flush=True)
        section.rows.append(["humanoid", "minimal", f"{spent:.3g}", "", "50 ms",
                             "yes" if section.promises[-1].met() else "**no**"])
    curves = {}
    for formulation, method in FORMULATIONS:
        if not context.chosen("start-up growth " + formulation):
            continue
        for number in LENGTHS[:2] if context.quick else LENGTHS:
            spent = seconds(context.invar, tree_models.model("chain", number), formulation, method,
                            context.rounds if number < 1000 else 1)
            curves.setdefault(f"{formulation}, {method}", []).append((number, spent))
            row = [f"chain of {number}", f"{formulation}, {method}", f"{1e3 * spent:.3g}"]
            if number < (LENGTHS[1] if context.quick else LENGTHS[-1]):
                section.rows.append(row)
        slope = loglog.slope(curves[f"{formulation}, {method}"])
        section.add(row, Promise(f"growth of start-up with the number of bodies, {formulation}", slope, 1.15))
    section.plots.append(Plot("Start-up over the length of a chain", curves, "bodies of a chain", "seconds"))
    return section

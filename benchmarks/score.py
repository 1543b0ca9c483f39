#!/usr/bin/env python3
"""Scores the inputs that a tool finds for the problems of this folder. Needs nothing but Python 3.11.

    score.py PROBLEM RESULT.csv       one problem
    score.py FOLDER                   all that have a FOLDER/PROBLEM.csv, with FOLDER/PROBLEM.json if there is one
    score.py --list                   the problems, a line each
    score.py --json …                 the same for machines

RESULT.csv has a header with `t` and the names of the inputs, in any order and among other columns, separated by commas,
semicolons or tabs; lines that begin with # are comments. It must have a row
at each time of PROBLEM/reference.csv, to 1e-9 of the time: nothing is interpolated, so that no figure speaks of the
interpolation. Other rows are ignored.

For each input the error is the difference from the reference over the largest value of the reference among all inputs
of the same unit (so that an input that stays zero is not judged by rounding errors):
    largest    over all times of the reference
    rms        root of the mean square
    digits     -log10 of the largest
and the verdict on a problem follows from its worst input:
    exact 1e-9, precise 1e-6, engineering 1e-3, rough 1e-1, else wrong; "incomplete" if rows are missing or not numbers.

PROBLEM.json tells what the tool says about the structure: any of "index", "flat", "internal_states", "internal" and
"derivatives", as under [structure] in PROBLEM/problem.toml. What is said is right or wrong; what is not said costs
nothing.

Exit status: 0 if everything that is there is exact to engineering and no statement is wrong, 1 if not, 2 if a file
cannot be used.
"""

import csv
import json
import math
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
VERDICTS = (("exact", 1e-9), ("precise", 1e-6), ("engineering", 1e-3), ("rough", 1e-1), ("wrong", math.inf))
SAME_TIME = 1e-9


def problems():
    return sorted(path.parent.name for path in HERE.glob("*/problem.toml"))


def described(name):
    with open(HERE / name / "problem.toml", "rb") as file:
        return tomllib.load(file)


def table(path):
    """Columns of numbers by name; what is no number is not a number."""
    with open(path, encoding="utf-8-sig", newline="") as file:
        lines = [line for line in file if line.strip() and not line.startswith("#")]
        if not lines:
            raise ValueError(f"{path} is empty")
        separator = max(",;\t", key=lines[0].count)
        rows = csv.reader(lines, delimiter=separator, skipinitialspace=True)
        header = [name.strip() for name in next(rows)]
        columns = {name: [] for name in header}
        for row in rows:
            for name, text in zip(header, row + [""] * len(header)):
                try:
                    columns[name].append(float(text))
                except ValueError:
                    columns[name].append(math.nan)
    return columns


def rows_at(times, wanted):
    """For each wanted time the row that has it, or None."""
    order = sorted((t, row) for row, t in enumerate(times) if math.isfinite(t))
    found, at = [], 0
    for t in wanted:
        near = SAME_TIME * max(1.0, abs(t))
        while at < len(order) and order[at][0] < t - near:
            at += 1
        found.append(order[at][1] if at < len(order) and abs(order[at][0] - t) <= near else None)
    return found


def sizes(reference, units):
    """For each input the largest value of the reference among those of its unit."""
    largest = {name: max(map(abs, reference[name])) for name in units}
    return {name: max(largest[other] for other in units if units[other] == units[name]) for name in units}


def errors(reference, result, units):
    """From input to its errors; ValueError if the result cannot be compared."""
    inputs, scales = list(units), sizes(reference, units)
    absent = [name for name in ["t", *inputs] if name not in result]
    if absent:
        raise ValueError(f"no column {', '.join(absent)}")
    rows = rows_at(result["t"], reference["t"])
    found = {}
    for name in inputs:
        parts = [math.nan if row is None else (result[name][row] - exact) / scales[name]
                 for row, exact in zip(rows, reference[name])]
        known = [abs(part) for part in parts if math.isfinite(part)]
        found[name] = {
            "largest": max(known, default=math.inf),
            "rms": math.sqrt(sum(part**2 for part in known) / len(known)) if known else math.inf,
            "missing": len(parts) - len(known),
        }
    return found


def verdict(found):
    if any(one["missing"] for one in found.values()):
        return "incomplete"
    worst = max(one["largest"] for one in found.values())
    return next(word for word, bound in VERDICTS if worst <= bound)


def digits(error):
    return 16.0 if error == 0.0 else max(0.0, -math.log10(error)) if error < math.inf else 0.0


def statements(name, said):
    """From key to whether the statement is right."""
    truth = described(name)["structure"]
    return {key: said[key] == truth[key] for key in truth if key in said and key != "eigenvalues"}


def score(name, result, said=None):
    found = errors(table(HERE / name / "reference.csv"), table(result), described(name)["inputs"])
    worst = max(one["largest"] for one in found.values())
    return {
        "problem": name,
        "verdict": verdict(found),
        "digits": round(digits(worst), 1),
        "inputs": found,
        "statements": statements(name, said) if said is not None else {},
    }


def line(scored):
    words = ", ".join(f"{key} {'right' if right else 'WRONG'}" for key, right in scored["statements"].items())
    worst = max(scored["inputs"], key=lambda name: scored["inputs"][name]["largest"])
    one = scored["inputs"][worst]
    missing = f", {one['missing']} times missing" if one["missing"] else ""
    return (f"{scored['problem']:32} {scored['verdict']:11} {scored['digits']:5.1f} digits   "
            f"{worst}: largest {one['largest']:.1e}, rms {one['rms']:.1e}{missing}{'   ' + words if words else ''}")


def is_good(scored):
    return scored["verdict"] in ("exact", "precise", "engineering") and all(scored["statements"].values())


def listed(name):
    problem = described(name)
    structure = problem["structure"]
    return (f"{name:32} index {structure['index']:2}  {structure['internal']:8} "
            f"{'flat' if structure['flat'] else str(structure['internal_states']) + ' states':9} {problem['title']}")


def statements_of(path):
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error


def scores_of(words):
    if len(words) == 2:
        return [score(words[0], words[1])]
    folder = Path(words[0])
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder")
    scored = []
    for name in problems():
        if (folder / f"{name}.csv").exists():
            told = folder / f"{name}.json"
            said = statements_of(told) if told.exists() else None
            scored.append(score(name, folder / f"{name}.csv", said))
    if not scored:
        raise ValueError(f"{folder} has no PROBLEM.csv; the problems are {', '.join(problems())}")
    return scored


def main(words):
    as_json = "--json" in words
    words = [word for word in words if word != "--json"]
    if words == ["--list"]:
        print("\n".join(listed(name) for name in problems()))
        return 0
    if len(words) not in (1, 2) or words[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    try:
        if len(words) == 2 and words[0] not in problems():
            raise ValueError(f"there is no problem {words[0]}; see --list")
        scored = scores_of(words)
    except OSError as error:
        print(f"score.py: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except ValueError as error:
        print(f"score.py: {error}", file=sys.stderr)
        return 2
    if as_json:
        print(json.dumps(scored, indent=2))
    else:
        print("\n".join(map(line, scored)))
        counts = [f"{sum(one['verdict'] == word for one in scored)} {word}"
                  for word in [word for word, _ in VERDICTS] + ["incomplete"]
                  if any(one["verdict"] == word for one in scored)]
        print(f"{len(scored)} of {len(problems())} problems: {', '.join(counts)}")
    return 0 if all(map(is_good, scored)) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

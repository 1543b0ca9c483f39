"""Runs the invar command and draws what it writes: the parts of which figures_*.py are made.

A Figure names its place in a source, the runs that it shows, the curves to draw, and statements: what the source says
or prints beside what the runs give. Only the standard library is used.
"""

import csv
import html
import json
import math
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent  # paths of models count from here


@dataclass
class Run:
    """One call of the command: Run("invert", "overhead_crane_inverse", "--method", "taylor")."""

    task: str
    model: str
    options: tuple = ()

    def __init__(self, task, model, *options):
        self.task, self.model, self.options = task, model, tuple(str(o) for o in options)

    def command(self):
        return " ".join(["invar", self.task, self.model, *self.options])


def read_table(path):
    """Columns by name; none where there is no file."""
    if not path.exists():
        return {}
    with open(path, newline="", encoding="utf-8") as file:
        names, *rows = csv.reader(file)
    return {name: [float(row[k]) if row[k] else math.nan for row in rows] for k, name in enumerate(names)}


class Result:
    """Columns by name, the summary, and the words that were printed."""

    def __init__(self, folder, words, status):
        self.words, self.status = words, status
        self.summary = json.loads(summary.read_text()) if (summary := folder / "summary.json").exists() else {}
        self.columns = read_table(folder / "result.csv")
        self.costates = read_table(folder / "costates.csv")

    def __getitem__(self, name):
        return self.columns[name]

    def at(self, name, t):
        """The value in the row whose time is nearest to t."""
        times = self["t"]
        return self[name][min(range(len(times)), key=lambda k: abs(times[k] - t))]

    def message(self):
        """Why the run did not end well."""
        return self.summary.get("message") or self.words.strip().splitlines()[-1]

    def spread(self, name):
        return max(self[name]) - min(self[name])


def difference(a, b, name):
    """Largest difference of one column at the times that both results hold."""
    there = {round(t, 9): x for t, x in zip(b["t"], b[name])}
    return max(abs(x - there[round(t, 9)]) for t, x in zip(a["t"], a[name]) if round(t, 9) in there)


@dataclass
class Figure:
    source: str
    number: str
    title: str
    runs: dict  # name in the legend: Run
    panels: list = field(default_factory=list)  # lists of columns, or (title, columns); each is drawn for every run
    statements: list = field(default_factory=list)  # (what, in the source, function of the results by name)
    note: str = ""
    x: str = "t"
    units: dict = field(default_factory=dict)  # run: {column: factor}, where runs write a column in different units

    def key(self):
        return "".join(c if c.isalnum() else "_" for c in f"{self.source}_{self.number}".lower())


class Runner:
    """Runs each command once, however many figures show it."""

    def __init__(self, invar, folder):
        self.invar, self.folder, self.results = invar, Path(folder).resolve(), {}

    def __call__(self, run):
        command = run.command()
        if command not in self.results:
            name = "".join(c if c.isalnum() or c in ".-" else "_" for c in command[6:])
            out = self.folder / name
            call = [self.invar, run.task, run.model, *run.options]
            if run.task != "check":
                call += ["--out", str(out), "--no-report"]
            done = subprocess.run(call, capture_output=True, text=True, check=False, cwd=ROOT)
            self.results[command] = Result(out, done.stdout + done.stderr, done.returncode)
        return self.results[command]


# ---- Drawing ----

ROUNDING = 1e-14  # some units of the last place: a curve that changes by so little is drawn as constant
COLOURS = ["#1f5fa8", "#d1495b", "#2e8540", "#8a5a9e", "#c77700", "#4a4a4a"]
WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 420, 240, 62, 34, 26, 18


def ticks(low, high):
    """About five round numbers between low and high."""
    raw = (high - low) / 4
    size = 10 ** math.floor(math.log10(raw))
    step = min((s for s in (1, 2, 2.5, 5, 10) if s * size >= raw), default=10) * size
    first = math.ceil(low / step - 1e-9)
    return [k * step for k in range(first, math.floor(high / step + 1e-9) + 1)]


def limits(values):
    low, high = min(values), max(values)
    size = max(abs(low), abs(high))
    margin = 0.05 * (high - low) if high - low > ROUNDING * size else 0.05 * size or 1.0
    return low - margin, high + margin


def panel_svg(title, curves, x_label):
    """curves: (label, x, y); labels are written into the head in the colour of their curve."""
    finite = [(l, [(a, b) for a, b in zip(x, y) if math.isfinite(a) and math.isfinite(b)]) for l, x, y in curves]
    points = [p for _, c in finite for p in c]
    if not points:
        return ""
    level = points[0][1]
    change = max(abs(p[1] - level) for p in points)
    if ROUNDING * abs(level) < change < 1e-4 * abs(level):  # ticks could not tell such values apart
        finite = [(l, [(a, b - level) for a, b in c]) for l, c in finite]
        points = [p for _, c in finite for p in c]
        title = f"{title} − ({level:.6g})"
    x0, x1 = min(p[0] for p in points), max(p[0] for p in points)
    x1 = x1 if x1 > x0 else x0 + 1.0
    y0, y1 = limits([p[1] for p in points])
    to_x = lambda x: LEFT + (x - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT)
    to_y = lambda y: HEIGHT - BOTTOM - (y - y0) / (y1 - y0) * (HEIGHT - BOTTOM - TOP)
    svg = [f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(title)}">']
    for y in ticks(y0, y1):
        svg.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{to_y(y):.1f}" y2="{to_y(y):.1f}" class="grid"/>')
        svg.append(f'<text x="{LEFT - 6}" y="{to_y(y) + 4:.1f}" text-anchor="end">{y:.6g}</text>')
    for x in ticks(x0, x1):
        svg.append(f'<text x="{to_x(x):.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="middle">{x:.6g}</text>')
    svg.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 4}" text-anchor="end">{html.escape(x_label)}</text>')
    svg.append(f'<text x="{LEFT}" y="14" class="head">{html.escape(title)}</text>')
    for k, (_, curve) in enumerate(finite):
        path = " ".join(f"{to_x(a):.1f},{to_y(b):.1f}" for a, b in curve)
        dash = ' stroke-dasharray="6 3"' if k % 2 else ""
        svg.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[k % 6]}" stroke-width="1.6"{dash}/>')
    svg.append("</svg>")
    legend = " ".join(
        f'<span style="color:{COLOURS[k % 6]}">{html.escape(label)}</span>' for k, (label, *_) in enumerate(curves))
    return f'<div class="panel">{"".join(svg)}<div class="legend">{legend}</div></div>'


def panels_html(figure, results):
    parts = []
    for panel in figure.panels:
        title, names = panel if isinstance(panel, tuple) else (", ".join(panel), panel)
        curves = []
        for run_name, result in results.items():
            for name in names:
                table = next((t for t in (result.columns, result.costates) if name in t), None)
                if table:
                    label = run_name if len(names) == 1 else f"{name}, {run_name}" if len(results) > 1 else name
                    factor = figure.units.get(run_name, {}).get(name, 1.0)
                    curves.append((label, table[figure.x], [factor * y for y in table[name]]))
        parts.append(panel_svg(title, curves, figure.x + (" [s]" if figure.x == "t" else "")))
    return "".join(parts)


def as_text(value):
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def figure_html(figure, runner):
    """The figure as HTML, and what could not be computed."""
    results = {name: runner(run) for name, run in figure.runs.items()}
    failures, rows = [], []
    for what, source, ours in figure.statements:
        try:
            value = as_text(ours(results))
        except (KeyError, ValueError, ZeroDivisionError) as error:
            value = f"not computed: {error!r}"
            failures.append(f"{figure.source} {figure.number}, {what}: {error!r}")
        rows.append(f"<tr><td>{html.escape(what)}<td>{html.escape(source)}<td>{html.escape(value)}")
    table = f'<table><tr><th><th>source<th>here{"".join(rows)}</table>' if rows else ""
    failures += [f"{figure.source} {figure.number}, {name}: {r.message()}" for name, r in results.items() if r.status]
    failed = "".join(f"<p class=failed>{html.escape(name)}: {html.escape(result.message())}</p>"
                     for name, result in results.items() if result.status)
    commands = "\n".join(html.escape(run.command()) for run in figure.runs.values())
    note = f"<p>{html.escape(figure.note)}</p>" if figure.note else ""
    head = f"<h3>{html.escape(figure.number)}: {html.escape(figure.title)}</h3>{note}"
    panels = f'<div class="panels">{panels_html(figure, results)}</div>'
    return f'<section id="{figure.key()}">{head}{panels}{table}{failed}<pre>{commands}</pre></section>', failures


STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; max-width: 1320px; margin: 2em auto; padding: 0 1em; color: #222; }
h2 { border-bottom: 1px solid #ccc; margin-top: 2.5em; } h3 { margin: 2em 0 .3em; }
.panels { display: flex; flex-wrap: wrap; gap: 10px; } .panel { width: 420px; }
svg { width: 100%; height: auto; background: #fbfbfb; } svg text { font-size: 11px; fill: #444; }
svg .head { font-size: 12px; font-weight: 600; } svg .grid { stroke: #e2e2e2; }
.legend { font-size: 12px; padding-left: 62px; } .legend span { margin-right: 1em; }
table { border-collapse: collapse; margin: .6em 0; } td, th { text-align: left; padding: 3px 14px 3px 0;
  border-bottom: 1px solid #e5e5e5; vertical-align: top; } .failed { color: #b3261e; }
pre { font-size: 12px; color: #555; white-space: pre-wrap; }
@media (prefers-color-scheme: dark) { body { background: #181a1b; color: #ddd; } svg { background: #202324; }
  svg text { fill: #bbb; } svg .grid { stroke: #363a3c; } h2, td, th { border-color: #3a3a3a; } pre { color: #aaa; } }
"""


def write_page(figures, titles, runner, path):
    """titles: source -> full reference, in the order of the page. Returns what could not be computed."""
    body, failures = [], []
    for source, reference in titles.items():
        chosen = [f for f in figures if f.source == source]
        if not chosen:
            continue
        body.append(f"<h2>{html.escape(reference)}</h2>")
        for figure in chosen:
            print(f"{figure.source}, {figure.number}: {figure.title}", flush=True)
            text, failed = figure_html(figure, runner)
            body.append(text)
            failures += failed
    os.makedirs(path.parent, exist_ok=True)
    path.write_text(
        "<!doctype html><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>Figures of the sources, computed again</title><style>{STYLE}</style>"
        "<h1>Figures and tables of the sources, computed again</h1>"
        "<p>What the sources show and say, beside what Invar computes with the commands below each figure. Where both "
        "disagree, docs/literature.md tells why.</p>" + "".join(body), encoding="utf-8")
    return failures

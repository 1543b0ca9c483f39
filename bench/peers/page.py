"""The page of a comparison: sections with a table, promises and plots each, as Markdown with SVG beside it."""
import dataclasses
import importlib.util
import pathlib
import platform
import subprocess

import loglog


@dataclasses.dataclass
class Promise:
    """A figure that shall not be above its bar."""
    title: str
    figure: float
    bar: float
    unit: str = ""

    def met(self):
        return self.figure <= self.bar

    def line(self):
        return f"{'PASS' if self.met() else 'FAIL'}  {self.words()}"

    def words(self):
        return f"{self.title}: {self.figure:.3g}{self.unit}, bar {self.bar:g}{self.unit}"


@dataclasses.dataclass
class Plot:
    title: str
    curves: dict  # name: points
    xlabel: str
    ylabel: str


@dataclasses.dataclass
class Section:
    title: str
    words: str  # what is compared, and how
    head: list = dataclasses.field(default_factory=list)
    rows: list = dataclasses.field(default_factory=list)
    promises: list = dataclasses.field(default_factory=list)
    plots: list = dataclasses.field(default_factory=list)
    notes: list = dataclasses.field(default_factory=list)

    def add(self, row, promise=None):
        """A row, with the ratio that is promised at its end."""
        if promise:
            self.promises.append(promise)
            print(promise.line(), flush=True)
        self.rows.append(row + ([f"{promise.figure:.3g}", f"{promise.bar:g}", "yes" if promise.met() else "**no**"]
                                if promise else []))


def table(head, rows):
    wide = len(head)
    return ["| " + " | ".join(head) + " |", "|" + " --- |" * wide,
            *("| " + " | ".join([*row, *[""] * (wide - len(row))]) + " |" for row in rows)]


def versions(invar):
    found = [subprocess.run([invar, "--version"], capture_output=True, text=True).stdout.strip() or "Invar"]
    for name, title in (("exudyn", "Exudyn"), ("mujoco", "MuJoCo"), ("pinocchio", "Pinocchio"), ("casadi", "CasADi")):
        if importlib.util.find_spec(name):
            found.append(f"{title} {getattr(__import__(name), '__version__', '')}".strip())
        else:
            found.append(f"{title} could not be installed and is left out")
    cpu = [line.split(":")[1].strip() for line in open("/proc/cpuinfo") if line.startswith("model name")]
    machine = f"{cpu[0]}, {len(cpu)} cores" if cpu else platform.machine()
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True).stdout.splitlines()[:1]
    return [f"- {'; '.join(found)}; Python {platform.python_version()}", f"- {machine}; {''.join(compiler)}"]


def file_name(title):
    return "performance_" + "".join(c if c.isalnum() else "_" for c in title.lower()) + ".svg"


def write(sections, invar, path, words):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    promises = [p for s in sections for p in s.promises]
    lines = ["# Performance", "", *words, "", *versions(invar), "",
             f"{sum(p.met() for p in promises)} of {len(promises)} promises are kept"
             + ("." if all(p.met() for p in promises) else "; not kept:"), "",
             *(f"- {p.words()}" for p in promises if not p.met())]
    for section in sections:
        lines += ["", f"## {section.title}", "", section.words, ""]
        if section.rows:
            lines += table(section.head, section.rows) + [""]
        lines += [f"{note}\n" for note in section.notes]
        for plot in section.plots:
            if any(plot.curves.values()):
                picture = path.with_name(file_name(plot.title))
                picture.write_text(loglog.svg(plot.curves, plot.xlabel, plot.ylabel))
                lines += [f"![{plot.title}]({picture.name})", ""]
    text = "\n".join(lines)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    path.write_text(text.rstrip() + "\n")

"""Several runs side by side."""
from __future__ import annotations

import os
from html import escape
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import _invar, plots
from .errors import ModelError
from .run import Run

ENOUGH = 0.25  # of the rows


def compare(first: Run, *others: Run, names: Optional[Sequence[str]] = None) -> Comparison:
    """What tells runs apart: `print(invar.compare(a, b))`; in a notebook the page with all curves over each other.

    Args:
        first: the run that the others are compared with.
        others: one or more runs, of any task and with any steps; columns are compared that all have.
        names: of the runs, in words; by themselves those of their schemes, steps and parameters.

    >>> comparison = invar.compare(a, b)
    >>> comparison["x"]                    # the largest difference in the column x
    >>> comparison.plot("x", "F")
    """
    return Comparison((first, *others), names)


class Comparison(Mapping[str, float]):
    """Runs side by side, made by compare(): largest differences by column.

    Differences are those at the instants that the runs share; if they share few of them, those to straight lines
    between the rows of the others, and `interpolated` is true.

    Attributes:
        runs: in the order of compare().
        names: of them.
        interpolated: do the runs have other instants?
    """

    def __init__(self, runs: Sequence[Run], names: Optional[Sequence[str]]) -> None:
        if len(runs) < 2 or not all(isinstance(run, Run) for run in runs):
            raise ModelError("compare: give two or more runs")
        if names is not None and (isinstance(names, str) or len(names) != len(runs) or len(set(names)) != len(runs)):
            raise ModelError(f"compare: give {len(runs)} different names")
        self.runs: List[Run] = list(runs)
        self.names: List[str] = list(names) if names is not None else _told_apart(self.runs)
        self.interpolated = False
        common = [c for c in runs[0].columns if c != "t" and all(c in run for run in runs)]
        self._times = [self._shared(run) for run in runs[1:]]
        if not common or not all(len(t) for t in self._times):
            raise ModelError("compare: the runs have no columns or no time in common")
        self._worst = {column: max(self._differences(column)) for column in common}

    def _shared(self, other: Run) -> np.ndarray:
        """Instants of the first run that the other has, too; or those within its span."""
        t = self.runs[0].t
        if not len(other.t) or not len(t):
            return np.empty(0)
        nearest = other.t[np.clip(np.searchsorted(other.t, t - 1e-9), 0, len(other.t) - 1)]
        same = t[np.abs(nearest - t) <= 1e-9 * max(1.0, float(np.abs(t).max()))]
        within = t[(t >= other.t[0]) & (t <= other.t[-1])]
        if len(same) >= ENOUGH * min(len(within), len(other.t)):
            return np.asarray(same)
        self.interpolated = True
        return np.asarray(within)

    def _differences(self, column: str) -> List[float]:
        first = self.runs[0]
        found = []
        for run, times in zip(self.runs[1:], self._times):
            apart = np.abs(np.interp(times, run.t, run[column]) - np.interp(times, first.t, first[column]))
            found.append(float(np.nanmax(apart, initial=0.0)))
        return found

    def __getitem__(self, column: str) -> float:
        if column not in self._worst:
            raise KeyError(f"the runs do not all have {column!r}{_invar.suggestion(str(column), list(self._worst))}")
        return self._worst[column]

    def __iter__(self) -> Any:
        return iter(self._worst)

    def __len__(self) -> int:
        return len(self._worst)

    def relative(self) -> Dict[str, float]:
        """The differences relative to the largest value that columns of the kind and unit have in the first run."""
        first = self.runs[0]
        kind = {c: (first.groups.get(c, c), first.units.get(c, "")) for c in self._worst}
        sizes: Dict[Any, float] = {}
        for c in self._worst:
            sizes[kind[c]] = max(sizes.get(kind[c], 0.0), float(np.nanmax(np.abs(first[c]), initial=0.0)))
        return {c: d / sizes[kind[c]] if sizes[kind[c]] > 0 else (np.inf if d > 0 else 0.0)
                for c, d in self._worst.items()}

    def __str__(self) -> str:
        most, units = 12, self.runs[0].units
        lines = [f"{' against '.join([self.names[0], ', '.join(self.names[1:])])}: largest differences"
                 + (" (between rows interpolated)" if self.interpolated else "")]
        relative = self.relative()
        told = ("inputs", "outputs", "coordinates", "velocities", "energy")
        ranked = sorted((c for c in self._worst if self.runs[0].groups.get(c) in told), key=lambda c: -relative[c])
        width = max((len(c) for c in ranked[:most]), default=0)
        lines += [f"  {c:<{width}}  {self._worst[c]:.3e} {units.get(c, ''):<4} {relative[c]:.1e} of the largest"
                  for c in ranked[:most]]
        return "\n".join(lines + (["  …"] if len(ranked) > most else []))

    def __repr__(self) -> str:
        return f"<Comparison of {', '.join(map(repr, self.names))}: {len(self)} columns>"

    def report(self) -> str:
        """The page that compares the runs, complete in itself."""
        return str(_invar.comparison_page([(name, run._live("report")) for name, run in zip(self.names, self.runs)]))

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the page into a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.report())

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{escape(self.report(), quote=True)}" style="width:100%;height:720px;border:0" '
                'sandbox="allow-scripts allow-downloads"></iframe>')

    def plot(self, *names: str, over: str = "t", axes: Any = None) -> Any:
        """The curves of all runs over each other, as Run.plot() draws those of one."""
        chosen = plots.named(self.runs[0], names)
        units = self.runs[0].units
        places = plots.panels([units.get(name, "") for name in chosen], axes)
        for name in chosen:
            for run, told in zip(self.runs, self.names):
                places[units.get(name, "")].plot(run[over], run[name], label=f"{name}, {told}")
        return plots.finished(places, units, over)


def _told_apart(runs: Sequence[Run]) -> List[str]:
    """By what differs: task, model, scheme, step, parameters; by their number if nothing does."""
    def step(run: Run) -> str:
        return f"step {run.summary['step']:g}" if run.summary.get("step") else ""

    def parameters(run: Run) -> str:
        return ", ".join(f"{k} = {v:g}" for k, v in run.summary.get("parameters", {}).items()
                         if any(other.summary.get("parameters", {}).get(k) != v for other in runs))
    parts = [[run.summary["name"], run.summary["task"], str(run.summary.get("method", "")), step(run), parameters(run)]
             for run in runs]
    differing = [k for k in range(len(parts[0])) if len({p[k] for p in parts}) > 1]
    names = [", ".join(p[k] for k in differing if p[k]) for p in parts]
    if len(set(names)) == len(names) and all(names):
        return names
    return [f"run {i + 1}" for i in range(len(runs))]

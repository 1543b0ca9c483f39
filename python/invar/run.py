"""What a task leaves behind: numbers by name, a summary, a report."""
from __future__ import annotations

import json
import os
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _invar, plots
from .errors import ModelError

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]

Array = np.ndarray


class Table(Mapping[str, Array]):
    """Columns of numbers by name, one row per instant: `table["F"]`, `table.t`.

    The columns are read-only views on one array, `table.array`; copy one to change it.
    """

    def __init__(self, columns: Sequence[str], array: Array) -> None:
        self.columns: Tuple[str, ...] = tuple(columns)
        self.array: Array = array
        self._places = {name: place for place, name in enumerate(self.columns)}

    @property
    def t(self) -> Array:
        """The time of each row, in seconds; empty where a run was interrupted before it had rows."""
        return self["t"] if self.columns else np.empty(0)

    def __getitem__(self, name: str) -> Array:
        place = self._places.get(name) if isinstance(name, str) else None
        if place is None:
            raise KeyError(f"no column {name!r}{_invar.suggestion(str(name), list(self.columns))}")
        return self.array[:, place]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"Table({len(self.array)} rows: {', '.join(self.columns)})"

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas.DataFrame with the time as index."""
        import pandas as pd

        frame = pd.DataFrame(self.array, columns=list(self.columns))
        return frame.set_index("t") if "t" in self._places else frame


class Run(Table):
    """What a task computed: columns by name, and the verdict on them.

    >>> run = invar.load("pendulum").simulate(until=1.0)
    >>> run.t, run["x"], run["energy.total"]      # NumPy arrays
    >>> print(run)                                # what the command line would print
    >>> run.save("out/pendulum")                  # result.csv, summary.json, report.html

    As the last line of a cell of a notebook, a run shows its report: the verdict, curves, the motion to play.

    Attributes:
        columns: names of the columns. `x'` is the velocity of `x`, `lambda.NAME` the multiplier of a constraint.
        array: all numbers, a row per instant, a column per name. Read-only.
        tables: further tables by name, such as "inputs" of an inversion or "costates" of an optimum.
        texts: further texts by the name of their file, such as "initial.toml" of an equilibrium.
        units: by column, where the model tells them.
        groups: by column, which part of the report shows it: "inputs", "outputs", "coordinates", "energy" …
        references: by output, what it shall follow, at the instants of the table.
        summary: all figures of the run, as in summary.json.
        holds_inputs: are inputs constant between the rows?
        status: "done", "failed" or "interrupted".
        message: why it is not done.
        warnings: what is doubtful about it, a sentence each.
    """

    def __init__(self, run: Any) -> None:
        super().__init__(*run.table)
        self._run: Optional[Any] = run
        self.tables: Dict[str, Table] = {name: Table(*table) for name, table in run.tables.items()}
        self.texts: Dict[str, str] = run.texts
        self.holds_inputs: bool = run.holds_inputs
        self.summary: Dict[str, Any] = json.loads(run.summary)
        self.status: str = run.status
        self.message: str = run.message
        self._words: List[str] = run.words

    @property
    def warnings(self) -> List[str]:
        """What is doubtful about the run, a sentence each."""
        return list(self.summary["warnings"])

    @cached_property
    def units(self) -> Dict[str, str]:
        """By column, where the model tells them."""
        return dict(self._live("units").units)

    @cached_property
    def groups(self) -> Dict[str, str]:
        """By column, which part of the report shows it: "inputs", "outputs", "coordinates", "energy" …"""
        return dict(self._live("groups").groups)

    @cached_property
    def references(self) -> Dict[str, Array]:
        """By output, what it shall follow, at the instants of the table."""
        return dict(self._live("references").references)

    def __str__(self) -> str:
        lines = list(self._words[:1]) + ["  " + line for line in self._words[1:]]
        lines += [f"  {self.status}: {self.message}"] if self.message else []
        return "\n".join(lines + [f"  warning: {w}" for w in self.warnings])

    def __repr__(self) -> str:
        return f"<Run {self.summary['task']} of {self.summary['name']!r}: {self.status}, {len(self.array)} rows>"

    def save(self, folder: Union[str, os.PathLike[str]], *, report: bool = True, svg: bool = False, png: bool = False,
             snapshots: Sequence[float] = (), format: str = "auto") -> None:
        """Writes the folder that the command line writes: result.csv, summary.json, report.html, pictures.

        Args:
            folder: where; an earlier result there is replaced, anything else is not touched (ModelError).
            report: the page and its pictures, too.
            svg: the pictures even without the page.
            png: the pictures also as PNG (needs rsvg-convert).
            snapshots: times of still pictures; five of them if none are given.
            format: of the table: "csv", "hdf5", or "auto", which takes HDF5 for long runs.
        """
        if format not in ("auto", "csv", "hdf5"):
            raise ModelError(f'save: there is no format {format!r}; choose "auto", "csv" or "hdf5"')
        options = {"--svg"} if svg else set()
        options |= {"--png"} if png else set()
        options |= set() if report else {"--no-report"}
        times = self._instants(snapshots)
        self._live("save").save(os.fspath(folder), format, options, times)

    def _instants(self, snapshots: Sequence[float]) -> List[float]:
        try:
            times = [float(t) for t in snapshots]
        except (TypeError, ValueError):
            raise ModelError("save: snapshots must be a list of times") from None
        last = float(self.t[-1]) if len(self.t) else 0.0
        for t in times:
            if not 0.0 <= t <= last * (1.0 + 1e-12):
                raise ModelError(f"save: there is no picture at t = {t:g}; the run goes from 0 to {last:g} s")
        return times

    def report(self) -> str:
        """The report as the text of one HTML page, complete in itself."""
        return str(self._live("report").page())

    def _live(self, what: str) -> Any:
        if self._run is None:
            raise ModelError(f"{what}: a run that was pickled has its numbers, but nothing else; do it before")
        return self._run

    def _repr_html_(self) -> str:
        if self._run is None or not len(self.array):
            return f"<pre>{escape(str(self))}</pre>"
        return (f'<iframe srcdoc="{escape(self.report(), quote=True)}" style="width:100%;height:720px;border:0" '
                'sandbox="allow-scripts allow-downloads"></iframe>')

    def plot(self, *names: str, over: str = "t", axes: Any = None) -> Any:
        """Curves by matplotlib with units, one picture above the other for each unit; what outputs shall follow is
        dashed. Returns the axes, a list of them if there are several.

        Args:
            names: columns; if none are given, inputs and outputs, or else the coordinates.
            over: the column on the horizontal axis.
            axes: one axis of matplotlib to draw all curves into.
        """
        return plots.curves(self, names, over, axes)

    def animate(self, *, speed: float = 1.0, fps: float = 25.0, axes: Any = None) -> Any:
        """The motion as an animation of matplotlib: bodies, cables, springs, beams and paths as the report shows them.

        >>> moving = run.animate(speed=0.5)                   # keep it: matplotlib plays it as long as it is there
        >>> moving.save("crane.gif")                          # or .mp4, with ffmpeg
        >>> IPython.display.HTML(moving.to_jshtml())          # in a notebook

        Args:
            speed: of time; 0.5 is slow motion.
            fps: pictures per second.
            axes: one axis of matplotlib to draw into.
        """
        return plots.animation(self, self._live("animate").scene(plots.MOST_FRAMES), speed, fps, axes)

    def __getstate__(self) -> Dict[str, Any]:
        told = {"units": self.units, "groups": self.groups, "references": self.references}
        return {**self.__dict__, **told, "_run": None}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)

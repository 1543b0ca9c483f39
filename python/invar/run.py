"""What a task leaves behind: numbers by name, a summary, a report."""
from __future__ import annotations

import json
import os
from html import escape
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _invar
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
        """The time of each row, in seconds."""
        return self["t"]

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
        summary: all figures of the run, as in summary.json.
        status: "done", "failed" or "interrupted".
        message: why it is not done.
        warnings: what is doubtful about it, a sentence each.
    """

    def __init__(self, run: Any) -> None:
        super().__init__(*run.table)
        self._run: Optional[Any] = run
        self.tables: Dict[str, Table] = {name: Table(*table) for name, table in run.tables.items()}
        self.texts: Dict[str, str] = run.texts
        self.units: Dict[str, str] = run.units
        self.summary: Dict[str, Any] = json.loads(run.summary)
        self.status: str = run.status
        self.message: str = run.message
        self._words: List[str] = run.words

    @property
    def warnings(self) -> List[str]:
        return list(self.summary["warnings"])

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
        options = {"--svg"} if svg else set()
        options |= {"--png"} if png else set()
        options |= set() if report else {"--no-report"}
        times = [float(t) for t in snapshots]
        self._live("save").save(os.fspath(folder), format, options, times)

    def report(self) -> str:
        """The report as the text of one HTML page, complete in itself."""
        return str(self._live("report").page())

    def _live(self, what: str) -> Any:
        if self._run is None:
            raise ModelError(f"{what}: a run that was pickled has its numbers, but no report; save it before")
        return self._run

    def _repr_html_(self) -> str:
        if self._run is None or not len(self.array):
            return f"<pre>{escape(str(self))}</pre>"
        return (f'<iframe srcdoc="{escape(self.report(), quote=True)}" style="width:100%;height:720px;border:0" '
                'sandbox="allow-scripts allow-downloads"></iframe>')

    def plot(self, *names: str, over: str = "t", axes: Any = None) -> Any:
        """Curves over time by matplotlib, one picture above the other for each unit; returns the axes.

        Args:
            names: columns; the inputs and outputs are not guessed, so at least one.
            over: the column on the horizontal axis.
            axes: one matplotlib axis to draw all curves into.
        """
        import matplotlib.pyplot as plt  # type: ignore[import-untyped, import-not-found, unused-ignore]

        if not names:
            raise ModelError("plot: name the columns to plot: " + ", ".join(self.columns[1:8]) + " …")
        for name in (over, *names):
            self[name]
        groups: Dict[str, List[str]] = {}
        for name in names:
            groups.setdefault(self.units.get(name, ""), []).append(name)
        if axes is None:
            _, grid = plt.subplots(len(groups), sharex=True, squeeze=False, constrained_layout=True)
            places = list(grid[:, 0])
        else:
            places = [axes] * len(groups)
        for place, (unit, group) in zip(places, groups.items()):
            for name in group:
                place.plot(self[over], self[name], label=name)
            title = group[0] if len(group) == 1 else ""
            place.set_ylabel(f"{title} [{unit}]" if unit else title)
            if len(group) > 1 or axes is not None:
                place.legend()
            place.grid(True, alpha=0.3)
        places[-1].set_xlabel(f"{over} [{self.units[over]}]" if over in self.units else over)
        return places[0] if len(places) == 1 else places

    def __getstate__(self) -> Dict[str, Any]:
        return {**self.__dict__, "_run": None}

    def __setstate__(self, state: Dict[str, Any]) -> None:
        self.__dict__.update(state)

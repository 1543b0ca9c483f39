"""Many runs of one task with other values each time."""
from __future__ import annotations

import json
import os
from html import escape
from typing import (TYPE_CHECKING, Any, Callable, Dict, Iterator, List, Mapping, Optional, Protocol, Sequence, Tuple,
                    Union)

import numpy as np

from . import _invar
from .errors import ModelError
from .progress import Bar, Progress, chosen

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped, import-not-found, unused-ignore]
    import xarray  # type: ignore[import-untyped, import-not-found, unused-ignore]

Array = np.ndarray
Values = Union[str, float, Sequence[float], Array]
Varied = Mapping[Union[str, Tuple[str, ...]], Values]
Result = Tuple[str, str, List[str], Array, List[Tuple[str, Array]]]

_WAVES = 8  # portions for each worker of an executor, so that long runs hold nobody up
_WORKERS = 16  # if an executor does not tell how many it has


class Executor(Protocol):
    """Whatever runs a function elsewhere: of concurrent.futures, dask.distributed, mpi4py.futures and others."""

    def submit(self, function: Callable[..., Any], /, *arguments: Any) -> Any:
        """Begins and returns something with a `result()`."""


class Sweep(Mapping[str, Array]):
    """What a sweep found: a number for each case of everything that was varied and of every figure that was kept.

    >>> found = invar.load("pendulum").sweep({"m": "1:5:3", "g": "uniform(9, 10)"}, samples=20, record=["x.max"])
    >>> found["m"], found["x.max"]                # NumPy arrays, a number for each case
    >>> found.to_pandas()                         # a row for each case
    >>> found.save("out/pendulum-sweep")          # table.csv, report.html

    As the last line of a cell of a notebook, a sweep shows its page: scatter, histogram, sensitivity, worst cases.

    Attributes:
        name: of the model.
        task: that was run.
        varied: names of what was varied.
        drawn: those of them that were drawn.
        figures: names of what was kept of each run.
        values, numbers: all values and figures, a row for each case, a column for each name. Read-only.
        status: of each case: "done", "failed" or "stopped".
        reasons: why it is not done, empty if it is.
        series: whole columns by name, if `record` asked for some: a row for each case, filled up with NaN.
        words: which cases there are.
    """

    def __init__(self, told: Dict[str, Any], values: Array, results: Sequence[Result]) -> None:
        self._told = told
        self.name: str = told["name"]
        self.task: str = told["task"]
        self.varied: Tuple[str, ...] = tuple(told["varied"])
        self.drawn: Tuple[str, ...] = tuple(told["drawn"])
        self.words: str = told["design"]
        self.values: Array = values  # type: ignore[assignment]
        self.status: Array = np.array([result[0] for result in results], dtype=object)
        self.reasons: List[str] = [result[1] for result in results]
        places: Dict[str, int] = {}
        for result in results:
            for name in result[2]:
                places.setdefault(name, len(places))
        self.figures: Tuple[str, ...] = tuple(places)
        self.numbers: Array = np.full((len(results), len(places)), np.nan)
        for row, result in enumerate(results):
            self.numbers[row, [places[name] for name in result[2]]] = result[3]
        self._rows = [dict(result[4]) for result in results]
        self.series: Dict[str, Array] = _filled(self._rows)
        for array in (self.values, self.numbers):
            array.flags.writeable = False

    def __getitem__(self, name: str) -> Array:
        if name in self.varied:
            return np.asarray(self.values[:, self.varied.index(name)])
        if name in self.figures:
            return np.asarray(self.numbers[:, self.figures.index(name)])
        raise KeyError(f"no column {name!r}{_invar.suggestion(str(name), [*self.varied, *self.figures])}")

    def __iter__(self) -> Iterator[str]:
        return iter((*self.varied, *self.figures))

    def __len__(self) -> int:
        return len(self.varied) + len(self.figures)

    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @property
    def cases(self) -> int:
        """How many there are."""
        return len(self.reasons)

    @property
    def done(self) -> Array:
        """Is it done? For each case: `found["F.max"][found.done]`."""
        return np.asarray(self.status == "done")

    @property
    def failures(self) -> Dict[int, str]:
        """The cases that are not done, with the reason of each."""
        return {case: f"{self.status[case]}: {self.reasons[case]}" for case in np.flatnonzero(~self.done).tolist()}

    def worst(self, figure: str, count: int = 10, *, smallest: bool = False) -> List[int]:
        """The cases with the largest figure, the largest first; or the smallest."""
        values = self[figure]
        known = np.flatnonzero(np.isfinite(values))
        order = np.argsort(values[known] if smallest else -values[known], kind="stable")
        return [int(case) for case in known[order][:count]]

    def values_of(self, case: int) -> Dict[str, float]:
        """What was varied in a case: `model.with_parameters(found.values_of(17))` if all of it is parameters."""
        return {name: float(value) for name, value in zip(self.varied, self.values[case])}

    def correlation(self, figure: str, *, ranks: bool = True) -> Dict[str, float]:
        """Of a figure with everything that was varied: of ranks (Spearman), or linear (Pearson)."""
        measure = _invar.spearman if ranks else _invar.pearson
        return {name: float(measure(self[name], self[figure])) for name in self.varied}

    def sensitivity(self, figure: str, confidence: float = 0.95) -> Dict[str, Dict[str, Tuple[float, float, float]]]:
        """How much of the variance of a figure is due to each quantity that was drawn: Sobol indices, of first order
        and total, each as (value, low, high) with its confidence by bootstrap.

        Needs `sampling="saltelli"` and nothing listed beside what is drawn.
        """
        if self._told["sampling"] != "saltelli" or len(self.drawn) != len(self.varied):
            raise ModelError('sensitivity: needs a sweep with sampling="saltelli" in which everything is drawn')
        if not 0.0 < confidence < 1.0:
            raise ModelError("sensitivity: the confidence must lie between 0 and 1")
        found = _invar.sobol_indices(self[figure], len(self.drawn), confidence)
        return {name: {"first_order": first, "total": total} for name, (first, total) in zip(self.drawn, found)}

    def to_pandas(self) -> pandas.DataFrame:
        """A pandas.DataFrame: a row for each case, columns for what was varied, the figures, status and reason."""
        import pandas as pd

        frame = pd.DataFrame({name: self[name] for name in self}, index=pd.RangeIndex(self.cases, name="case"))
        return frame.assign(status=self.status, reason=self.reasons)

    def to_xarray(self) -> xarray.Dataset:
        """An xarray.Dataset over the dimension "case", what was varied as coordinates; series over "row", too."""
        import xarray as xr

        figures: Dict[str, Any] = {name: ("case", self[name]) for name in self.figures}
        series = {f"{name}.series": (("case", "row"), values) for name, values in self.series.items()}
        varied: Dict[str, Any] = {name: ("case", self[name]) for name in self.varied}
        return xr.Dataset({**figures, **series, "status": ("case", self.status)},
                          coords={"case": np.arange(self.cases), **varied})

    def report(self, folder: str = "") -> str:
        """The page of the sweep as text, complete in itself."""
        return str(_invar.sweep_page(self._table(), folder))

    def save(self, folder: Union[str, os.PathLike[str]]) -> None:
        """Writes table.csv and report.html into a folder, which is made if it is not there."""
        path = os.fspath(folder)
        os.makedirs(path, exist_ok=True)
        _invar.write_sweep_csv(self._table(), os.path.join(path, "table.csv"))
        with open(os.path.join(path, "report.html"), "w", encoding="utf-8") as file:
            file.write(self.report(path))

    def _table(self) -> Dict[str, Any]:
        told = {key: self._told[key] for key in ("design", "sampling", "drawn")}
        series = {name: [rows.get(name, np.empty(0)) for rows in self._rows] for name in self.series}
        return {"varied": list(self.varied), "figures": list(self.figures), "values": self.values,
                "numbers": self.numbers, "status": list(self.status), "reasons": self.reasons, "name": self.name,
                "task": self.task, "summary": json.dumps({"sweep": told}), "model": self._told["model"],
                "series": series}

    def __str__(self) -> str:
        counts = [f"{int(np.sum(self.status == word))} {word}" for word in ("done", "failed", "stopped")
                  if np.any(self.status == word)]
        lines = [f"{self.name}: {self.cases} runs of {self.task}: {', '.join(counts)}", f"  {self.words}"]
        return "\n".join(lines + [f"  case {case} {reason}" for case, reason in list(self.failures.items())[:3]])

    def __repr__(self) -> str:
        return f"<Sweep of {self.name!r}: {self.cases} runs of {self.task}>"

    def _repr_html_(self) -> str:
        return (f'<iframe srcdoc="{escape(self.report(), quote=True)}" style="width:100%;height:720px;border:0" '
                'sandbox="allow-scripts allow-downloads"></iframe>')


def _filled(rows: Sequence[Mapping[str, Array]]) -> Dict[str, Array]:
    """Lists of different lengths as rows of one array."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    longest = max((len(values) for row in rows for values in row.values()), default=0)
    filled = {name: np.full((len(rows), longest), np.nan) for name in names}
    for place, row in enumerate(rows):
        for name, values in row.items():
            filled[name][place, :len(values)] = values
    return filled


def _factors(over: Varied) -> List[Tuple[List[str], List[Any]]]:
    """As the design takes them: names and, for each, a text or a list."""
    factors = []
    for names, values in over.items():
        together = [names] if isinstance(names, str) else list(names)
        if isinstance(values, str):
            columns: List[Any] = [values]
        else:
            try:
                table = np.asarray(values, dtype=float)
            except (TypeError, ValueError):
                raise ModelError(f"sweep: {', '.join(together)}: give numbers, or a text such as 50:500:10") from None
            table = table.reshape(-1, 1) if isinstance(names, str) else np.atleast_2d(table)
            columns = [column.tolist() for column in table.T]
        if len(columns) != len(together):
            raise ModelError(f"sweep: {', '.join(together)}: each row needs {len(together)} values")
        factors.append((together, columns))
    return factors


def _run_portion(model: Any, verb: str, settings: Mapping[str, Any], names: List[str], values: Array,
                 record: List[str], limit: float) -> List[Result]:
    """Some of the cases, in whatever process an executor has put this."""
    return list(model._run_rows(verb, settings, names, values, record, limit, "cpu", 1, None))


def _by_executor(executor: Executor, portion: Optional[int], arguments: Tuple[Any, ...], values: Array,
                 rest: Tuple[Any, ...], progress: Optional[Callable[[float], Any]]) -> List[Result]:
    workers = getattr(executor, "_max_workers", None) or _WORKERS
    size = portion or max(1, -(-len(values) // (_WAVES * int(workers))))
    waiting = [executor.submit(_run_portion, *arguments, values[k:k + size], *rest)
               for k in range(0, len(values), size)]
    results: List[Result] = []
    try:
        for future in waiting:
            results.extend(future.result())
            if progress is not None:
                progress(len(results) / len(values))
    except BaseException:
        for future in waiting:
            if hasattr(future, "cancel"):
                future.cancel()
        raise
    return results


def sweep(model: Any, over: Varied, *, task: str, samples: int, sampling: str, seed: int,
          record: Union[str, Sequence[str]], limit: float, device: str, threads: Optional[int],
          executor: Optional[Executor], portion: Optional[int], progress: Progress,
          settings: Mapping[str, Any]) -> Sweep:
    """See Model.sweep."""
    for what, number, least in (("samples", samples, 0), ("seed", seed, 0), ("threads", threads, 1),
                                ("portion", portion, 1)):
        whole = isinstance(number, (int, np.integer)) and not isinstance(number, bool)
        if number is not None and not (whole and least <= number < 2**63):
            raise ModelError(f"sweep: {what} must be a whole number from {least}, not {number!r}")
    if not isinstance(limit, (int, float)) or not limit >= 0.0:
        raise ModelError(f"sweep: limit must be a number of seconds, not {limit!r}")
    if not hasattr(over, "items") or not over:
        raise ModelError('sweep: say what is varied: {"m": [1, 2, 3]}')
    names, drawn, values, words = _invar.design(_factors(over), sampling, samples, seed)
    if executor is not None and device != "cpu":
        raise ModelError("sweep: an executor runs cases on processors; leave out device or executor")
    kept = [record] if isinstance(record, str) else [str(item) for item in record]
    shown = chosen(progress, f"{model.name}: sweep")
    try:
        if executor is not None:
            results = _by_executor(executor, portion, (model, task, settings, names), values, (kept, limit), shown)
        else:
            count = threads if threads is not None else os.cpu_count() or 1
            results = model._run_rows(task, settings, names, values, kept, limit, device, count, shown)
    finally:
        if isinstance(shown, Bar):
            shown.close()
    told = {"name": model.name, "task": task, "varied": names, "drawn": drawn, "design": words, "sampling": sampling,
            "model": model.to_toml()}
    return Sweep(told, values, results)

"""Formulas of a model as functions of NumPy arrays."""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _invar
from .errors import ModelError

MOST_THREADS = 1024

Numbers = Union[float, Sequence[Any], np.ndarray]


class Function:
    """A function of NumPy arrays, evaluated at many points at a time.

    Of a model, `f = model.function("mass_matrix")`, the arguments are `t`, `q`, `v`, `a`, `lam` and `u` (time,
    coordinates, velocities, accelerations, multipliers, inputs), of which `f.arguments` lists those that the formulas
    contain; others may be given, too. The last axis of an argument counts its numbers; all axes before it are points,
    and arguments are broadcast against each other:

    >>> M = invar.load("double_pendulum").function("mass_matrix")
    >>> M(q=[0.1, 0.2]).shape, M(q=np.zeros((1000, 2))).shape
    ((2, 2), (1000, 2, 2))

    Parameters have the values of the model, or others by keyword, arrays as well: `M(q=q, parameters={"m": masses})`.
    """

    def __init__(self, function: Any, parameters: Optional[Mapping[str, float]] = None) -> None:
        self._function = function
        self._arguments: List[Tuple[str, int, List[int], bool]] = function.arguments
        self._parameters: Dict[str, float] = {**dict(function.parameters)}
        self._parameters.update({k: x for k, x in (parameters or {}).items() if k in self._parameters})

    @property
    def arguments(self) -> Tuple[str, ...]:
        """Names of the arguments, in the order in which a call takes them."""
        return tuple(name for name, _, _, asked in self._arguments if asked)

    @property
    def parameters(self) -> Dict[str, float]:
        """Parameters that the formulas contain, with their values."""
        return dict(self._parameters)

    @property
    def shape(self) -> Tuple[int, ...]:
        """Of the result at one point: () for a number, (n,) for a list, (n, m) for a matrix."""
        return tuple(self._function.shape)

    @property
    def symbols(self) -> List[str]:
        """Names of all numbers that go in, in the order in which the C source has them."""
        return list(self._function.symbols)

    def __call__(self, *values: Numbers, parameters: Optional[Mapping[str, Numbers]] = None, threads: int = 1,
                 **named: Numbers) -> Any:
        """The values at one point, or at many: the axes of the points, then those of `shape`.

        Args:
            values, named: the arguments.
            parameters: values in place of those of the model.
            threads: so many share the points.
        """
        if not isinstance(threads, (int, np.integer)) or threads < 1:
            raise ModelError(f"function: threads must be a whole number from 1, not {threads!r}")
        given = self._matched(values, named)
        others = self._other_parameters(parameters or {})
        points = self._points(given, others)
        count = int(np.prod(points, dtype=int))
        columns: List[np.ndarray] = []
        for name, size, needed, _ in self._arguments:
            if size and needed:
                flat = np.broadcast_to(given[name], points + (size,)).reshape(count, size)
                columns += [flat[:, i] for i in needed]
            elif needed:
                columns.append(np.broadcast_to(given[name], points).reshape(count))
        columns += [np.broadcast_to(array, points).reshape(count) for array in others.values()]
        times = np.broadcast_to(given["t"], points).reshape(count) if "t" in given else np.empty(0)
        found = self._function.evaluate(columns, times, count, min(int(threads), MOST_THREADS))
        found = found.reshape(points + self.shape)
        return found if found.ndim else float(found)

    def _matched(self, values: Sequence[Numbers], named: Mapping[str, Numbers]) -> Dict[str, np.ndarray]:
        names = self.arguments
        if len(values) > len(names):
            raise ModelError(f"function: {len(values)} arguments are too many; it has {', '.join(names) or 'none'}")
        given: Dict[str, Numbers] = dict(zip(names, values))
        for name, value in named.items():
            if name in given:
                raise ModelError(f"function: argument {name!r} is given twice")
            given[name] = value
        known = [name for name, _, _, _ in self._arguments]
        unknown = [name for name in given if name not in known]
        if unknown:
            raise ModelError(f"function: no argument {unknown[0]!r}{_invar.suggestion(unknown[0], known)}")
        missing = [name for name in names if name not in given]
        if missing:
            raise ModelError(f"function: argument {missing[0]!r} is missing")
        return {name: self._array(name, size, given[name]) for name, size, _, _ in self._arguments if name in given}

    @staticmethod
    def _array(name: str, size: int, value: Numbers) -> np.ndarray:
        try:
            given = np.asarray(value)
            if given.dtype.kind not in "biufO" or given.dtype.kind == "O" and any(x is None for x in given.flat):
                raise TypeError  # of a text or of None NumPy would make a number
            array = given.astype(float, copy=False)
        except (TypeError, ValueError):
            raise ModelError(f"function: argument {name!r} must be numbers") from None
        if size and (array.ndim == 0 or array.shape[-1] != size):
            raise ModelError(f"function: argument {name!r} must have shape (…, {size}), not {array.shape}")
        return array

    def _other_parameters(self, parameters: Mapping[str, Numbers]) -> Dict[str, np.ndarray]:
        unknown = [name for name in parameters if name not in self._parameters]
        if unknown:
            hint = _invar.suggestion(unknown[0], list(self._parameters))
            raise ModelError(f"function: the formulas have no parameter {unknown[0]!r}{hint}")
        values = {**self._parameters, **parameters}
        return {name: self._array(name, 0, values[name]) for name in self._parameters}

    def _points(self, given: Mapping[str, np.ndarray], parameters: Mapping[str, np.ndarray]) -> Tuple[int, ...]:
        sizes = {name: size for name, size, _, _ in self._arguments}
        shapes = [array.shape[:-1] if sizes[name] else array.shape for name, array in given.items()]
        shapes += [array.shape for array in parameters.values()]
        try:
            return np.broadcast_shapes(*shapes)
        except ValueError:
            told = ", ".join(f"{name} {array.shape}" for name, array in {**given, **parameters}.items())
            raise ModelError(f"function: numbers of points do not fit together: {told}") from None

    def jacobian(self, by: str) -> Function:
        """The exact derivative with respect to an argument ("q"), a symbol ("x", "x'") or a parameter ("m").

        Of an argument the numbers are counted by a further axis at the end of `shape`.
        """
        return Function(self._function.differentiated(by), self._parameters)

    def c_source(self, name: str = "evaluate") -> str:
        """C99 source of `void name(const double *in, double *out)`: in as `symbols`, out row by row as `shape`."""
        return str(self._function.c_source(name))

    def __repr__(self) -> str:
        return f"<Function ({', '.join(self.arguments)}) -> {self.shape}>"

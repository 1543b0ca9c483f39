"""Formulas as objects: coordinates, parameters, operators, derivatives.

>>> x, y = invar.coordinates("x y")
>>> m, = invar.parameters("m")
>>> kinetic = m/2*(x.dt**2 + y.dt**2)
>>> kinetic, kinetic.diff(x.dt)
(m/2*(x'^2 + y'^2), m*x')
"""
from __future__ import annotations

from typing import Any, Callable, Dict, List, Mapping, Sequence, Tuple, Union

import numpy as np

from . import _invar
from ._invar import Expression
from .errors import ModelError
from .function import Function

ExpressionLike = Union[Expression, float, str]

sin, cos, tan = _invar.sin, _invar.cos, _invar.tan
asin, acos, atan, atan2 = _invar.asin, _invar.acos, _invar.atan, _invar.atan2
sinh, cosh, tanh = _invar.sinh, _invar.cosh, _invar.tanh
exp, log, sqrt, sign = _invar.exp, _invar.log, _invar.sqrt, _invar.sign
t: Expression = _invar.time()


def _names(names: Union[str, Sequence[str], Sequence[Expression]]) -> List[str]:
    if isinstance(names, str):
        return names.replace(",", " ").split()
    try:
        return [name if isinstance(name, str) else str(name) for name in names]
    except TypeError:
        raise ModelError(f"give names, as a text or a list, not {type(names).__name__}") from None


def coordinates(names: Union[str, Sequence[str]]) -> Tuple[Expression, ...]:
    """Unknown functions of time: `x, y = invar.coordinates("x y")`. `x.dt` is a velocity; one name is one symbol."""
    return tuple(_invar.coordinate(name) for name in _names(names))


def parameters(names: Union[str, Sequence[str]]) -> Tuple[Expression, ...]:
    """Constants with a name: `m, g = invar.parameters("m g")`."""
    return tuple(_invar.parameter(name) for name in _names(names))


def formula(text: ExpressionLike) -> Expression:
    """A formula from text, as in a model file; its names are those of coordinates() and parameters() so far."""
    if isinstance(text, Expression):
        return text
    try:
        return _invar.formula(text) if isinstance(text, str) else Expression(float(text))
    except TypeError:
        raise ModelError(f"formula: give a text, a number or a formula, not {type(text).__name__}") from None


def of_time(function: Callable[[Any], Any]) -> Any:
    """The formulas that a function of the time computes: what it makes of the symbol `invar.t`.

    They are compared with the function at some instants, so that one that decides, looks up or remembers is refused.
    """
    try:
        found = np.array(function(t), dtype=object)
        formulas = [formula(f) for f in found.reshape(-1)]
    except Exception as error:
        raise ModelError(f"a function of time in a model is asked for a formula, at the symbol invar.t, and says: "
                         f"{error}; use operators and functions of NumPy or invar, or give values: via=f(times), "
                         "times=times") from error
    for instant in 3.0 * np.modf(0.6180339887 * np.arange(8))[0]:
        given = np.array(function(float(instant)), dtype=float).reshape(-1)
        told = np.array([float(f.subs([t], [instant])) for f in formulas])
        if given.shape != told.shape or not np.allclose(given, told, rtol=1e-12, atol=1e-12, equal_nan=True):
            raise ModelError(f"a function of time in a model gives {given} at t = {instant:.6g}, but as a formula of t "
                             f"{told}; give values: via=f(times), times=times")
    return formulas if found.ndim else formulas[0]


def with_formulas(model: Mapping[str, Any]) -> Dict[str, Any]:
    """The model with formulas in place of the functions of time that signals and trajectories are given by."""
    written = dict(model)
    for table in ("signal", "trajectory"):
        if isinstance(written.get(table), (list, tuple)):
            written[table] = [_with_formula(item) if hasattr(item, "items") else item for item in written[table]]
    return written


def _with_formula(item: Mapping[str, Any]) -> Dict[str, Any]:
    def told(value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            return [told(f) for f in value]
        return of_time(value) if callable(value) else value
    return {**item, "expr": told(item["expr"])} if "expr" in item else dict(item)


def jacobian(formulas: Sequence[ExpressionLike], symbols: Sequence[Expression]) -> np.ndarray:
    """∂formulas/∂symbols as an array of expressions, a row per formula."""
    rows = _invar.jacobian([formula(f) for f in formulas], list(symbols))
    found = np.empty((len(rows), len(symbols)), dtype=object)
    for i, row in enumerate(rows):
        found[i] = row
    return found


def function(arguments: Sequence[Expression], formulas: Any) -> Function:
    """A function of NumPy arrays from expressions: `f = invar.function([x, y], [sin(x), x*y])`, then `f(x, y)`.

    Args:
        arguments: symbols, each an argument of its own.
        formulas: an expression, or a (nested) list or array of them, whose shape the result has.
    """
    try:
        array = np.array(formulas, dtype=object)
        found = _invar.function_of_formulas(list(arguments), [formula(f) for f in array.reshape(-1)], list(array.shape))
    except TypeError:
        raise ModelError("function: give symbols and formulas") from None
    return Function(found)

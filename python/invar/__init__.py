"""Invar: motion and inputs of constrained mechanical systems.

>>> import invar
>>> crane = invar.load("overhead_crane_inverse")   # an example, a file, TOML text or a dict
>>> print(crane.check())                           # the verdict in words; .index, .flat, .eigenvalues …
>>> run = crane.invert(step=0.01)
>>> run["F"], run.t, run["load_x"]                 # NumPy arrays
>>> run.save("out/crane")                          # tables, figures and a report

Models: load, System, Mechanism. Tasks: Model.check, simulate, invert, optimize, control, equilibrium. Step by step:
Model.simulator. Functions of arrays: Model.function. Formulas: coordinates, parameters, formula, jacobian, function.
"""
import os as _os

from . import _invar
from ._invar import Expression
from .build import Mechanism, System
from .comparison import Comparison, compare
from .errors import InternalError, Interrupted, ModelError, NumericsError
from .expression import (acos, asin, atan, atan2, coordinates, cos, cosh, exp, formula, function, jacobian,
                         log, parameters, sign, sin, sinh, sqrt, t, tan, tanh)
from .function import Function
from .model import Model, examples, load
from .run import Run, Table
from .simulator import Simulator, Snapshot, State
from .sweep import Sweep
from .verdict import Verdict

_invar.set_examples_folder(_os.path.join(_os.path.dirname(__file__), "examples"))

__version__: str = _invar.version
__all__ = ["Comparison", "Expression", "Function", "InternalError", "Interrupted", "Mechanism", "Model", "ModelError",
           "NumericsError", "Run", "Simulator", "Snapshot", "State", "Sweep", "System", "Table", "Verdict", "acos",
           "asin", "atan", "atan2", "compare", "coordinates", "cos", "cosh", "examples", "exp", "formula", "function",
           "jacobian", "load", "log", "parameters", "sign", "sin", "sinh", "sqrt", "t", "tan", "tanh"]

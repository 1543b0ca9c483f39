"""Models: read from files, text or dicts; asked what they are, how they move, which inputs move them."""
from __future__ import annotations

import os
import threading
from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from . import _invar
from .errors import Interrupted, ModelError, NumericsError
from .expression import with_formulas
from .function import Function
from .progress import Bar, Progress, chosen
from .run import Run
from .simulator import Simulator
from .sweep import Executor, Sweep, Varied, sweep
from .verdict import Verdict

Source = Union[str, "os.PathLike[str]", Mapping[str, Any]]


class _Readings:
    """Problems that were read from one document, by task and settings, for the runs of all models that share it."""

    MOST = 32

    def __init__(self, document: Any, formulation: Optional[str]) -> None:
        self.document, self.formulation = document, formulation
        self._lock = threading.Lock()
        self._known: Dict[Tuple[Any, ...], Any] = {}

    def problem(self, verb: str, settings: Mapping[str, Any],
                parameters: Mapping[str, float]) -> Tuple[Any, Dict[str, float]]:
        """A problem, and the parameters that a run of it still needs: none if it had to be read with them."""
        written, functions = _split(verb, settings)
        document = self.document.changed(verb, written) if settings else self.document
        if functions:  # not kept: what a function refers to shall not live on with the model
            return _invar.read(document, verb, dict(parameters), self.formulation, functions), {}
        key = (verb, _invar.write_toml(written) if settings else "")
        found = self._read(key, document, verb, {})
        if not parameters or found.takes(dict(parameters)):
            return found, dict(parameters)
        return self._read((*key, *sorted(parameters.items())), document, verb, dict(parameters)), {}

    def _read(self, key: Tuple[Any, ...], document: Any, verb: str, parameters: Dict[str, float]) -> Any:
        with self._lock:
            found = self._known.get(key)
        if found is None:
            found = _invar.read(document, verb, parameters, self.formulation, {})
            with self._lock:
                if len(self._known) >= self.MOST:
                    self._known.pop(next(iter(self._known)))
                self._known[key] = found
        return found


def _split(verb: str, settings: Mapping[str, Any]) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    """Settings as a file can have them, and the functions of Python among them."""
    written, functions = dict(settings), {}
    given = settings.get("inputs")
    if verb == "simulate" and hasattr(given, "items"):
        inputs = dict(given)  # type: ignore[arg-type]
        for name, x in inputs.items():
            if x is None:
                raise ModelError(f"simulate: input {name!r} must be a formula, samples or a function, not None")
        functions = {"inputs": {name: f for name, f in inputs.items() if _is_function(f)}}
        written["inputs"] = {name: _samples(x) for name, x in inputs.items() if not _is_function(x)}
        functions = functions if functions["inputs"] else {}
    elif verb == "control" and _is_function(settings.get("controller")):
        functions = {"controller": written.pop("controller")}
    return written, functions


def _is_function(value: Any) -> bool:
    return callable(value) and not isinstance(value, _invar.Expression)


def _samples(value: Any) -> Any:
    """A pair of arrays are times and values."""
    if isinstance(value, tuple) and len(value) == 2 and not isinstance(value[0], str):
        return {"times": value[0], "values": value[1]}
    return value


class Model:
    """A model, as `invar.load` reads it. It never changes: with_parameters() gives another one.

    Every task takes the settings of its table in the model file as keywords, which count in place of those of the
    file: `model.simulate(step=0.001, method="radau5")` is `[simulate]` with these values. Numbers may be formulas of
    the parameters, as in a file: `until="4*pi/w"`. A keyword that the table does not have raises a
    ModelError that names the nearest.

    Runs release Python's lock, so that threads run side by side, also of one model. What is derived from formulas is
    kept for the next run with the same settings.
    """

    def __init__(self, document: Any, formulation: Optional[str] = None,
                 parameters: Optional[Mapping[str, float]] = None, *, readings: Optional[_Readings] = None) -> None:
        self._readings = readings or _Readings(document, formulation)
        self._given: Dict[str, float] = _numbers(parameters or {})
        self._base, self._left = self._readings.problem("", {}, self._given)

    # ---- What it is ----

    @property
    def name(self) -> str:
        """The name of the model, as its file has it."""
        return str(self._base.name)

    @property
    def parameters(self) -> Dict[str, float]:
        """All parameters with their values, in the order of the file."""
        base = self._base.with_parameters(self._left) if self._left else self._base
        return dict(base.parameters)

    @property
    def coordinates(self) -> List[str]:
        """Names of the coordinates; `x'` is the velocity of `x`."""
        return list(self._base.coordinates)

    @property
    def constraints(self) -> List[str]:
        """Names of the constraints; `lambda.NAME` is the multiplier of one."""
        return list(self._base.constraints)

    @property
    def inputs(self) -> List[str]:
        """Names of the inputs."""
        return list(self._base.inputs)

    @property
    def outputs(self) -> List[str]:
        """Names of the outputs."""
        return list(self._base.outputs)

    def to_dict(self) -> Dict[str, Any]:
        """The model file as a dict: what load() reads as the same model, but for values set by with_parameters()."""
        return dict(self._readings.document.to_dict())

    def to_toml(self) -> str:
        """The model file as TOML text, laid out anew: what load() reads as the same model."""
        model = self.to_dict()
        if self._given:
            model["parameters"] = {**model.get("parameters", {}), **self._given}
        return str(_invar.write_toml(model))

    def with_parameters(self, values: Optional[Mapping[str, float]] = None, **more: float) -> Model:
        """The same model with other values of its parameters: `crane.with_parameters(m=120)`.

        Nothing is derived again where the value is a symbol in the formulas; where it became a number while the model
        was read (a mass of a body, a setting), the model is read again with the new value.
        """
        if values is not None and not hasattr(values, "items"):
            raise ModelError(f"with_parameters: give a dict or keywords, not {type(values).__name__}")
        parameters = {**self._given, **(values or {}), **more}
        return Model(None, None, parameters, readings=self._readings)

    def __repr__(self) -> str:
        counts = (("coordinate", self.coordinates), ("constraint", self.constraints), ("input", self.inputs),
                  ("output", self.outputs))
        told = ", ".join(f"{len(names)} {noun}{'s' if len(names) != 1 else ''}" for noun, names in counts)
        return f"<Model {self.name!r}: {told}>"

    def __reduce__(self) -> Any:
        r = self._readings
        return _restored, (r.document.text, r.document.file, r.formulation, self._given,
                           r.document.may_read_outside)

    # ---- What can be asked of it ----

    def check(self, **settings: Any) -> Verdict:
        """Says what kind of problem the model is, without solving it: size, freedom, structure, what is conserved,
        and of its trajectories whether they can be followed.

        Args:
            settings: of `[simulate]`.

        Returns:
            A Verdict, which prints as words and has the figures as attributes: `index`, `flat`, `eigenvalues` …

        Raises:
            ModelError: the model is wrong, or asks for what is impossible, with the reason.
        """
        problem, parameters = self._readings.problem("simulate", settings, self._given)
        return Verdict(*problem.check(parameters))

    def simulate(self, *, compile: bool = True, progress: Progress = None, **settings: Any) -> Run:
        """Computes the motion from the start that the model gives.

        Args:
            settings: of `[simulate]` in the model file: `until`, `step`, `method` ("auto", "energy-momentum",
                "radau5", …), `adaptive`, `every`, `formulation` and so on; see docs/format.md. Of `inputs` each is a
                formula, a pair of arrays (times, values), or a function of the time: {"F": "10*sin(t)",
                "M": (times, values), "K": lambda t: 3.0 if t < 1.0 else 0.0}. A function is asked as often as the
                steps need it, at times in any order. What depends on the state is a controller: see control().
            compile: may the formulas of long runs become machine code?
            progress: True shows a bar, a function is called with the fraction that is done; by itself a bar appears
                on a terminal and in a notebook when a run takes longer than a second.

        Returns:
            A Run with time, coordinates, velocities, multipliers, inputs, outputs and energies by name.

        Raises:
            ModelError: the model or a setting is wrong.
            NumericsError: the numerics failed, or the result did not pass its checks; it has what was computed as
                `.run`.
            Interrupted: Ctrl-C; likewise.
        """
        return self._run("simulate", settings, compile, progress)

    def invert(self, *, compile: bool = True, progress: Progress = None, **settings: Any) -> Run:
        """Finds the inputs that make the outputs follow their trajectories exactly.

        No projection, no coordinate split and no index is asked for; `check()` says beforehand what kind of problem
        it is. The result is judged by the residual of the equations and by a simulation with the inputs.

        Args:
            settings: of `[invert]` in the model file: `until`, `step`, `method` ("auto", "taylor",
                "stable-inversion", "space-time", …), `verify`, `accept_rough_reference` and so on; see
                docs/inversion.md.
            compile, progress: as in simulate().

        Returns:
            A Run with the whole motion; `run.tables["inputs"]` has the inputs alone.

        Raises:
            ModelError: the trajectories cannot be followed, with the reason: not smooth enough, dependent outputs, a
                cable that would have to push; or a setting is wrong.
            NumericsError, Interrupted: as in simulate().
        """
        return self._run("invert", settings, compile, progress)

    def optimize(self, *, compile: bool = True, progress: Progress = None, **settings: Any) -> Run:
        """Finds the inputs that reach a goal at the least cost.

        The discrete equations are those of a simulation with the same scheme, so that a simulation with the inputs
        found gives the same motion.

        Args:
            settings: of `[optimize]` in the model file: `horizon`, `intervals`, `final` ({"s": 5.0}), `rest`,
                `bounds`, `refine`, `method` ("direct", "indirect"), `scheme` and so on; see docs/format.md.
            compile, progress: as in simulate().

        Returns:
            A Run with states and inputs at the nodes; `run.tables["costates"]` has the costates.

        Raises:
            ModelError, NumericsError, Interrupted: as in simulate().
        """
        return self._run("optimize", settings, compile, progress)

    def control(self, *, compile: bool = True, progress: Progress = None, **settings: Any) -> Run:
        """Simulates a plant, which `[plant]` makes different from the model, together with a controller that knows
        the model.

        Args:
            settings: of `[control]` in the model file: `controller` ("feedforward", "computed-torque",
                "output-feedback", or a function of one's own), `until`, `period`, `substeps`, `limits`
                ({"F": [-10, 10]}), `noise`, `delay` and so on; see docs/control.md.
            compile, progress: as in simulate().

        A controller of one's own is called once per sample, in the order of time, with the time and the measured
        coordinates and velocities, and returns the inputs to hold until the next one: numbers in the order of
        `inputs`, or a dict of some of them, the others being zero. Limits, delay and noise are as for any other.

        >>> cart.control(controller=lambda t, q, v: [-20*q[0] - 5*v[0]], until=5.0, period=0.01)

        Returns:
            A Run with the motion of the plant at the samples, references and errors.

        Raises:
            ModelError, NumericsError, Interrupted: as in simulate().
        """
        return self._run("control", settings, compile, progress)

    def equilibrium(self, *, compile: bool = True, progress: Progress = None, **settings: Any) -> Run:
        """Finds where the model rests or goes on steadily, and whether it stays there after a push.

        Args:
            settings: of `[equilibrium]` in the model file: `method` ("auto", "newton", "path", "minimum"),
                `tolerance`, `follow`.
            compile, progress: as in simulate().

        Returns:
            A Run with one row; `run.texts["initial.toml"]` is the place in the form that `[initial]` reads, and
            `run.summary["equilibrium"]` has its eigenvalues.

        Raises:
            ModelError, NumericsError, Interrupted: as in simulate().
        """
        return self._run("equilibrium", settings, compile, progress)

    def sweep(self, over: Varied, *, task: str = "simulate", samples: int = 0, sampling: str = "random", seed: int = 1,
              record: Union[str, Sequence[str]] = (), limit: float = 0.0, device: str = "cpu",
              threads: Optional[int] = None, executor: Optional[Executor] = None, portion: Optional[int] = None,
              progress: Progress = None, **settings: Any) -> Sweep:
        """Runs a task many times with other values each time.

        >>> found = crane.sweep({"m": "50:500:10", "L": "normal(4, 0.1)"}, samples=100, record=["s.peak", "figures"])
        >>> found["m"], found["s.peak"], found.to_pandas()

        A case gives the same bits in whatever thread, process or machine it is run.

        Args:
            over: what is varied, by name: parameters, or numbers of the file by their place ("initial.x",
                "control.seed"). Listed values are all taken, in every combination: [1, 2, 3], an array, or "50:500:10"
                for ten from 50 to 500. Others are drawn: "uniform(0, 1)", "normal(4, 0.1)", "lognormal(1, 0.3)",
                "loguniform(1e-3, 1)", "choice(1, 2, 3)". Names in a tuple vary together, with rows of values.
            task: "simulate", "invert", "optimize", "control" or "equilibrium".
            samples: how many are drawn, the same ones at each combination of what is listed.
            sampling: "random", "latin", "sobol", or "saltelli", whose samples · (drawn + 2) cases give Sobol indices.
            seed: of what is drawn.
            record: what is kept of each run: "figures" of its summary; "end", "min", "max", "peak", "mean" or "rms" of
                every column or of one ("F.max"); a whole column as "F.series". By itself ("figures", "end"), and
                "end" with a device.
            limit: seconds that a run may take; then it is stopped. 0: any.
            device: "cuda" runs many cases at once on a GPU, "auto" does so where that takes less time. A GPU has the
                "end" of columns, and "min", "max" and "peak" of coordinates, velocities and inputs.
            threads: that run cases side by side; by themselves as many as there are cores.
            executor: anything with `submit(function, *arguments)` that returns something with `result()`: a pool of
                concurrent.futures, a client of dask.distributed, an MPIPoolExecutor of mpi4py.
            portion: of how many cases each piece of work for the executor consists.
            progress: as in simulate().
            settings: of the table of the task.

        Returns:
            A Sweep, a table with a row for each case. A run that failed is a row with its reason.

        Raises:
            ModelError: the model, a name, values or a setting are wrong.
        """
        if not _split(task, settings)[1]:
            self._readings.problem(task, settings, self._given)  # says what is wrong with the settings
        return sweep(self, over, task=task, samples=samples, sampling=sampling, seed=seed, record=record, limit=limit,
                     device=device, threads=threads, executor=executor, portion=portion, progress=progress,
                     settings=settings)

    def _run_rows(self, verb: str, settings: Mapping[str, Any], names: List[str], values: Any, record: List[str],
                  limit: float, device: str, threads: int, progress: Any) -> Any:
        written, functions = _split(verb, settings)
        if functions:
            raise ModelError("sweep: inputs and controllers must be formulas or arrays, not functions of Python")
        r = self._readings
        document = r.document.changed(verb, written) if settings else r.document
        return _invar.run_rows(document, verb, self._given, r.formulation, names, values, record, limit, device,
                               threads, progress)

    def simulator(self, **settings: Any) -> Simulator:
        """A simulation that is taken step by step, with inputs from Python: `sim.step(u)`, `sim.state`,
        `sim.snapshot()`.

        Args:
            settings: of `[simulate]`: `step`, `method` and so on; all steps are equal.
        """
        problem, parameters = self._readings.problem("simulate", settings, self._given)
        return Simulator(problem.with_parameters(parameters))

    def function(self, what: Union[str, Sequence[str]]) -> Function:
        """A quantity of the model as a function of NumPy arrays, with exact derivatives: see Function.

        Args:
            what: "mass_matrix", "constraint_jacobian", "constraints", "constraint_rates", "constraint_accelerations",
                "forces" (all but reactions), "reactions", "residual" (of the equations of motion), "momentum",
                "input_matrix", "kinetic", "potential", "energy", "outputs", "output_jacobian"; the name of an output;
                or any formula, such as "m*g*z + lambda.cable"; or a list of names and formulas of one number each.
        """
        try:
            asked = what if isinstance(what, str) else [str(w) for w in what]
        except TypeError:
            raise ModelError(f"function: give a name, a formula or a list of them, not {type(what).__name__}") from None
        return Function(_invar.function_of_model(self._base, asked), self.parameters)

    def _run(self, verb: str, settings: Mapping[str, Any], compile: bool, progress: Progress) -> Run:
        problem, parameters = self._readings.problem(verb, settings, self._given)
        shown = chosen(progress, f"{self.name}: {verb}")
        try:
            found = _invar.run(problem, verb, parameters, compile, shown)
        finally:
            if isinstance(shown, Bar):
                shown.close()
        run = Run(found)
        if found.interrupted:
            raise Interrupted(run.message or "interrupted when it was done", run)
        if run.status == "failed":
            raise NumericsError(run.message, run)
        return run


def _numbers(parameters: Mapping[str, Any]) -> Dict[str, float]:
    """The values as numbers of Python, whatever kind of number they are."""
    found = {}
    if not hasattr(parameters, "items"):
        raise ModelError(f"parameters: give a dict of names and values, not {type(parameters).__name__}")
    for name, value in parameters.items():
        try:
            found[name] = float(value if not isinstance(value, str) else "no number")
        except (TypeError, ValueError):
            raise ModelError(f'parameter "{name}" must be a number, not {type(value).__name__}') from None
    return found


def _restored(text: str, file: str, formulation: Optional[str], parameters: Dict[str, float],
              allow_outside: bool) -> Model:
    document = _invar.Document(text, file)
    document.may_read_outside = allow_outside
    return Model(document, formulation, parameters)


def load(model: Source, *, formulation: Optional[str] = None,
         parameters: Optional[Mapping[str, float]] = None, allow_outside: bool = False) -> Model:
    """Reads a model.

    Args:
        model: the path of a model file, the name of an example (invar.examples() lists them), TOML text (anything
            with a line break or an equals sign in it), or the same as a dict. NumPy arrays are accepted wherever
            numbers are.
        formulation: coordinates of a model of bodies: "director", "minimal" or "lie".
        parameters: values in place of those of the file.
        allow_outside: the model may read data files (tables, meshes) that are not below its folder; that of text and
            dicts is the current one.

    Raises:
        ModelError: the model is wrong; the message has file, line and column.

    >>> invar.load("pendulum")
    <Model 'pendulum': 2 coordinates, 1 constraint, 0 inputs, 0 outputs>
    """
    if hasattr(model, "items"):
        written = with_formulas(model)  # type: ignore[arg-type]
        document = _invar.Document(_invar.write_toml(written), "<dict>")
    elif isinstance(model, str) and ("\n" in model or ("=" in model and not os.path.exists(model))):
        document = _invar.Document(model, "<text>")
    elif isinstance(model, (str, os.PathLike)):
        if not os.fspath(model):
            raise ModelError("load: the text is empty")
        document = _found(os.fspath(model))
    else:
        raise ModelError(f"load: give a path, the name of an example, TOML text or a dict, not {type(model).__name__}")
    document.may_read_outside = allow_outside
    return Model(document, formulation, parameters)


def _found(name: str) -> Any:
    path = _invar.find_model(name)
    if not os.path.exists(path) and not name.endswith(".toml") and os.sep not in name:
        hint = _invar.suggestion(name, [known for known, _ in _invar.examples()])
        raise ModelError(f"load: there is no file and no example {name!r}{hint}")
    return _invar.Document.read(path)


def examples() -> Dict[str, str]:
    """The examples that come with Invar: names, which load() takes, and what they are about."""
    return dict(_invar.examples())

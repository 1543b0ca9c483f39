"""Models built in Python: by formulas (System), or from bodies and what connects them (Mechanism).

Both only write the model file that means the same: names of keywords are names of keys, and to_toml() shows the file.
"""
from __future__ import annotations

from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Union

import numpy as np

from . import _invar
from ._invar import Expression
from .errors import ModelError
from .expression import _names, with_formulas
from .model import Model, load

Formula = Union[str, float, Expression]
Items = Union[Mapping[str, Any], Sequence[Mapping[str, Any]]]


def _key(name: str) -> str:
    """`from_` is `from`, which Python reserves."""
    return name[:-1] if name.endswith("_") else name


def _keys(given: Mapping[str, Any]) -> Dict[str, Any]:
    return {_key(name): value for name, value in given.items() if value is not None}


def _items(given: Items, key: str) -> List[Dict[str, Any]]:
    """{"rod": formula} and {"rod": {"expr": formula, "level": …}} as lists of tables."""
    if not hasattr(given, "items"):
        if isinstance(given, str) or not all(hasattr(item, "items") for item in given):
            raise ModelError(f'system: give {{name: {key}}}, or a list of tables with "name" and "{key}"')
        return [dict(item) for item in given]
    return [{"name": name, **item} if hasattr(item, "items") and (key != "force" or "force" in item)
            else {"name": name, key: item} for name, item in given.items()]


_ARGUMENTS = ("coordinates", "kinetic", "potential", "parameters", "force", "constraints", "inputs", "outputs",
              "invariants", "initial")


def System(coordinates: Union[str, Sequence[str], Sequence[Expression]], kinetic: Formula, *, potential: Formula = 0.0,
           name: str = "system", parameters: Optional[Mapping[str, Any]] = None,
           force: Optional[Mapping[str, Formula]] = None, constraints: Items = (), inputs: Items = (),
           outputs: Items = (), invariants: Items = (),
           initial: Optional[Mapping[str, Any]] = None, **tables: Any) -> Model:
    """A model by formulas, which are text or expressions.

    >>> x, y = invar.coordinates("x y")
    >>> m, g = invar.parameters("m g")
    >>> pendulum = invar.System([x, y], m/2*(x.dt**2 + y.dt**2), potential=m*g*y, parameters={"m": 1, "g": 9.81},
    ...                         constraints={"rod": (x**2 + y**2 - 1)/2}, initial={"x": -1, "y": 0})
    >>> pendulum.simulate(until=10.0, step=0.001)

    Args:
        coordinates: names, or the expressions that stand for them.
        kinetic, potential: the energies.
        name: names the folder of the results.
        parameters: values by name, in the order in which formulas among them need each other.
        force: generalised forces by coordinate.
        constraints: formulas that are held at zero, by name; or tables, {"rod": {"expr": …, "level": "velocity"}}.
        inputs: generalised forces per unit by coordinate, by name: {"F": {"s": 1}}.
        outputs, invariants: formulas by name.
        initial: start values by coordinate; of velocities as "x'".
        tables: all other tables of a model file: simulate={…}, trajectory=[…], units={…} …

    Raises:
        ModelError: as load() does, with the place in the text that to_toml() of the model would show.
    """
    names = _names(coordinates)
    for table in tables:
        if hint := _invar.suggestion(table, list(_ARGUMENTS)):
            raise ModelError(f"system: unknown argument {table!r}{hint}")
    system: Dict[str, Any] = {"coordinates": names, "kinetic": kinetic, "potential": potential}
    if force:
        system["force"] = dict(force)
    parts = (("constraint", "expr", constraints), ("input", "force", inputs), ("output", "expr", outputs),
             ("invariant", "expr", invariants))
    for key, content, items in parts:
        if len(items):
            system[key] = _items(items, content)
    model = {"name": name, "parameters": dict(parameters or {}), "system": system,
             "initial": dict(initial or {x: 0.0 for x in names}), **_keys(tables)}
    return load({key: value for key, value in model.items() if value != {}})


class Mechanism:
    """A model of bodies, joints and cables, built part by part; every part is a table of the model file.

    >>> crane = invar.Mechanism("crane", dimension=2, gravity=[0, -9.81])
    >>> crane.body("trolley", mass=10, inertia=1, position=[0, 0])
    >>> crane.point("load", mass=100, position=[0, -4])
    >>> crane.joint("track", "prismatic", between=["ground", "trolley"], at=[0, 0], axis=[1, 0], coordinate="s")
    >>> crane.cable("hoist", route=[{"on": "trolley"}, {"on": "load"}],
    ...             winch={"coordinate": "l", "inertia": 0.1, "radius": 0.1})
    >>> crane.actuator("F", on="s"); crane.output("load", point="load")
    >>> model = crane.model()

    Places and axes are given in the world, in the start configuration. docs/format.md has the keys of every part; one
    that a part does not have raises a ModelError that names the nearest, when the model is made.
    """

    def __init__(self, name: str, *, parameters: Optional[Mapping[str, Any]] = None, **world: Any) -> None:
        """`world` has the keys of `[world]`: dimension, gravity …"""
        self._model: Dict[str, Any] = {"name": name}
        if parameters:
            self._model["parameters"] = dict(parameters)
        if world:
            self._model["world"] = _keys(world)

    def add(self, kind: str, name: Optional[str] = None, **keys: Any) -> Mechanism:
        """Any part of a model file that is a list: add("spring", "k1", between=[…], stiffness=100.0)."""
        item = {**({} if name is None else {"name": name}), **_keys(keys)}
        self._model.setdefault(kind, []).append(item)
        return self

    def set(self, table: str, **keys: Any) -> Mechanism:
        """Any table that a model file has once: set("simulate", until=10.0, step=0.001)."""
        self._model.setdefault(table, {}).update(_keys(keys))
        return self

    def body(self, name: str, *, mass: Any, inertia: Any, position: Any, **keys: Any) -> Mechanism:
        """A rigid body; its inertia is a list as in a file, or a matrix. Further keys: rotation, angle, velocity,
        angular_velocity, shape …"""
        tensor = np.ravel(inertia).tolist() if np.shape(inertia) == (3, 3) else inertia  # a file has it by rows
        return self.add("body", name, mass=mass, inertia=tensor, position=position, **keys)

    def point(self, name: str, *, mass: Any, position: Any, **keys: Any) -> Mechanism:
        """A point mass. Further keys: velocity …"""
        return self.add("point", name, mass=mass, position=position, **keys)

    def joint(self, name: str, type: str, *, between: Sequence[str], **keys: Any) -> Mechanism:
        """A joint: fixed, revolute, prismatic, cylindrical, spherical, universal, planar, screw, distance …

        Further keys: at, axis, coordinate, friction, motion …
        """
        return self.add("joint", name, type=type, between=list(between), **keys)

    def cable(self, name: str, *, route: Sequence[Mapping[str, Any]], **keys: Any) -> Mechanism:
        """A massless cable over places on bodies. Further keys: winch, length …"""
        return self.add("cable", name, route=list(route), **keys)

    def beam(self, name: str, **keys: Any) -> Mechanism:
        """A beam that stretches, shears, bends and twists; docs/flexible.md has its keys."""
        return self.add("beam", name, **keys)

    def string(self, name: str, **keys: Any) -> Mechanism:
        """A cable with mass; docs/flexible.md has its keys."""
        return self.add("string", name, **keys)

    def spring(self, name: Optional[str] = None, **keys: Any) -> Mechanism:
        """A spring, damper or both between two places, or at a joint coordinate."""
        return self.add("spring", name, **keys)

    def bushing(self, name: Optional[str] = None, **keys: Any) -> Mechanism:
        """An elastic connection in all directions."""
        return self.add("bushing", name, **keys)

    def force(self, name: Optional[str] = None, *, on: str, **keys: Any) -> Mechanism:
        """A force or torque on a body, given by formulas."""
        return self.add("force", name, on=on, **keys)

    def spin(self, name: Optional[str] = None, *, on: str, **keys: Any) -> Mechanism:
        """A body whose angular velocity is prescribed."""
        return self.add("spin", name, on=on, **keys)

    def actuator(self, name: str, **keys: Any) -> Mechanism:
        """An input: on a named coordinate (on=), on a body (body=, force= or torque=) or between two bodies."""
        return self.add("actuator", name, **keys)

    def output(self, name: str, **keys: Any) -> Mechanism:
        """What is recorded and can be prescribed: point=, coordinate=, orientation=, angular_velocity= or expr=."""
        return self.add("output", name, **keys)

    def signal(self, name: str, **keys: Any) -> Mechanism:
        """A function of time for formulas. Python reserves `from`: write from_=0.0."""
        return self.add("signal", name, **keys)

    def trajectory(self, outputs: Union[str, Iterable[str]], **keys: Any) -> Mechanism:
        """What outputs shall do: from_=[…], to=[…], duration=, profile="poly9"; via= at times=, arrays as well;
        or expr=, formulas of t or a function of the time such as lambda t: [np.sin(t), 0.1*t]."""
        return self.add("trajectory", None, outputs=outputs if isinstance(outputs, str) else list(outputs), **keys)

    def to_dict(self) -> Dict[str, Any]:
        """The model file as a dict."""
        return dict(self._model)

    def to_toml(self) -> str:
        """The model file."""
        return str(_invar.write_toml(with_formulas(self._model)))

    def model(self, *, formulation: Optional[str] = None, parameters: Optional[Mapping[str, float]] = None) -> Model:
        """The model of all parts so far, which later parts do not change."""
        if not any(kind in self._model for kind in ("body", "point", "beam", "string")):
            raise ModelError(f"mechanism {self._model['name']!r}: it has no bodies, points, beams or strings yet")
        return load(self._model, formulation=formulation, parameters=parameters)

    def __repr__(self) -> str:
        counts = ", ".join(f"{len(items)} × {kind}" for kind, items in self._model.items() if isinstance(items, list))
        return f"<Mechanism {self._model['name']!r}: {counts or 'empty'}>"

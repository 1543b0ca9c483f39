"""A simulation step by step."""
from __future__ import annotations

from typing import Dict, NamedTuple

import numpy as np

from . import _invar

Snapshot = _invar.Snapshot


class State(NamedTuple):
    """Where a simulation is: time, coordinates, velocities, multipliers of the constraints."""

    t: float
    q: np.ndarray
    v: np.ndarray
    multipliers: np.ndarray


class Simulator(_invar.Simulator):
    """A simulation that is taken step by step: `sim = model.simulator(step=0.01)`.

    >>> sim = invar.load("cart_pole_swing_up").simulator(step=0.01)
    >>> for _ in range(100):
    ...     sim.step([-10.0 * sim.q[0] - 5.0 * sim.v[0]])
    >>> sim.t, sim.state.q

    `step(u=None, count=1)` goes on by `count` steps with the inputs `u` held: numbers in the order of `model.inputs`,
    or a dict of some of them. Without `u` the inputs are those of `[simulate]`. A step that fails raises
    NumericsError and leaves the simulation where it was. `snapshot()` remembers where it is, and `restore()` returns
    there, also in another simulator of the same model and settings. `reset(q=None, v=None, t=0.0)` begins again, at
    the start of the model or at other values, which are made consistent with the constraints.

    A simulator belongs to one thread at a time.
    """

    @property
    def state(self) -> State:
        """Time, coordinates, velocities and multipliers, as copies."""
        return State(self.t, self.q, self.v, self.multipliers)

    def observe(self) -> Dict[str, float]:
        """All columns of a result at this instant: state, inputs, outputs, energies, drifts."""
        return dict(zip(self.columns, self.row().tolist()))

    def __getitem__(self, name: str) -> float:
        row = self.observe()
        if name not in row:
            raise KeyError(f"no column {name!r}{_invar.suggestion(name, list(row))}")
        return row[name]

    def __repr__(self) -> str:
        return f"<Simulator at t = {self.t:g} s, step {self.step_size:g} s>"

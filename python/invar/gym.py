"""Models as environments of Gymnasium, for learning: one, or many side by side.

>>> import invar.gym                                     # needs gymnasium 1.0 or newer
>>> swing_up = dict(limits={"F": [-20, 20]}, observations=["x", "sin(phi)", "cos(phi)", "x'", "phi'"],
...                 reward="-cos(phi) - 0.001*F^2", terminated="abs(x) - 2", until=10.0, spread={"phi": 0.1})
>>> env = invar.gym.Environment(invar.load("cart_pole_swing_up"), **swing_up)
>>> envs = invar.gym.Environments(invar.load("cart_pole_swing_up"), 1024, **swing_up)

Observations, reward and end are formulas of the model: of `t`, coordinates, velocities `x'`, inputs, parameters, or
names of outputs. They are evaluated for all environments at a time, in vector lanes, and so are the steps of models
without constraints with an explicit method: rk4, which is the usual one for them, or dormand-prince.
"""
from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

try:
    import gymnasium
    from gymnasium import spaces
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space
except ImportError as error:
    raise ImportError("invar.gym needs gymnasium 1.1 or newer: pip install gymnasium") from error

from . import _invar
from .errors import ModelError
from .model import Model

__all__ = ["Environment", "Environments"]

Formulas = Union[str, Sequence[str]]


class _Game:
    """What both kinds of environment share: spaces, formulas, starts."""

    def __init__(self, model: Model, count: int, limits: Mapping[str, Sequence[float]], observations: Formulas,
                 reward: str, terminated: Optional[Formulas], until: float, step: float, substeps: int,
                 spread: Mapping[str, float], method: Optional[str], threads: int, failure: float) -> None:
        if not isinstance(model, Model):
            raise ModelError("gym: give a model, such as invar.load(\"cart_pole_swing_up\")")
        if not (until > 0 and step > 0 and substeps >= 1):
            raise ModelError("gym: until, step and substeps must be positive")
        if not all(isinstance(n, (int, np.integer)) for n in (count, substeps, threads)):
            raise ModelError("gym: count, substeps and threads must be whole numbers")
        if not np.isfinite(failure):
            raise ModelError("gym: failure must be finite")
        self.model, self.substeps, self.threads = model, int(substeps), int(threads)
        self.steps = int(np.ceil(until / step * (1 - 1e-12)))
        self.low, self.high = self._limits(limits)
        self.observed = _texts(observations) or [*model.coordinates, *(c + "'" for c in model.coordinates)]
        ends = _texts(terminated)
        self.formulas = model.function([*self.observed, reward, *ends])
        if not set(self.formulas.arguments) <= {"t", "q", "v", "u"}:
            raise ModelError("gym: formulas of accelerations and multipliers are not known between steps; use states")
        settings: Dict[str, Any] = {"step": step / substeps, "until": until}
        chosen = method or ("auto" if model.constraints else "rk4")
        problem, parameters = model._readings.problem("simulate", {**settings, "method": chosen}, model._given)
        self.swarm = _invar.Swarm(problem.with_parameters(parameters), count)
        _, q, v, _ = self.swarm.state()
        self.q, self.v = q[0], v[0]
        self._spread_q, self._spread_v = self._spreads(spread)

    def _limits(self, limits: Mapping[str, Sequence[float]]) -> Tuple[np.ndarray, np.ndarray]:
        inputs = self.model.inputs
        if not inputs:
            raise ModelError("gym: the model has no inputs, so there is nothing to learn")
        for name in limits:
            if name not in inputs:
                raise ModelError(f"gym: limits: unknown input {name!r}{_invar.suggestion(name, inputs)}")
        for name in inputs:
            if name not in limits:
                raise ModelError(f"gym: limits: give [least, most] for input {name!r}; all have limits")
        pairs = np.array([limits[name] for name in inputs], dtype=float)
        if pairs.shape != (len(inputs), 2) or not np.isfinite(pairs).all() or not (pairs[:, 0] < pairs[:, 1]).all():
            raise ModelError("gym: limits must be {input: [least, most]}, finite, the least below the most")
        return pairs[:, 0], pairs[:, 1]

    def _spreads(self, spread: Mapping[str, float]) -> Tuple[np.ndarray, np.ndarray]:
        names = [*self.model.coordinates, *(c + "'" for c in self.model.coordinates)]
        for name, width in spread.items():
            if name not in names:
                raise ModelError(f"gym: spread: unknown coordinate or velocity {name!r}"
                                 f"{_invar.suggestion(name, names)}")
            if not 0 <= width < np.inf:
                raise ModelError("gym: spread must not be negative")
        widths = np.array([float(spread.get(name, 0.0)) for name in names])
        return widths[: len(self.q)], widths[len(self.q):]

    @property
    def observation_space(self) -> spaces.Box:
        return spaces.Box(-np.inf, np.inf, (len(self.observed),), np.float64)

    @property
    def action_space(self) -> spaces.Box:
        return spaces.Box(self.low.astype(np.float32), self.high.astype(np.float32), dtype=np.float32)

    def start(self, number: int, rng: np.random.Generator) -> None:
        """Somewhere around the start of the model, made consistent with its constraints."""
        q = self.q + self._spread_q * rng.uniform(-1, 1, len(self.q))
        v = self.v + self._spread_v * rng.uniform(-1, 1, len(self.v))
        self.swarm.start(number, q, v)

    def inputs(self, actions: Any, count: int) -> np.ndarray:
        u = np.asarray(actions, dtype=float)
        if u.shape != (count, len(self.low)):
            raise ModelError(f"gym: actions must have shape {(count, len(self.low))}, not {u.shape}")
        if not np.isfinite(u).all():
            raise ModelError("gym: actions must be finite")
        return np.asarray(np.clip(u, self.low, self.high))

    def told(self, u: np.ndarray) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Times, observations, rewards, ends and failures of all."""
        t, q, v, failed = self.swarm.state()
        values: np.ndarray = self.formulas(t=t, q=q, v=v, u=u)
        n = len(self.observed)
        wrong = ~np.isfinite(values).all(axis=1)
        ended: np.ndarray = np.any(values[:, n + 1:] > 0, axis=1)
        return t, values[:, :n], values[:, n], ended, failed | wrong


def _texts(given: Optional[Formulas]) -> List[str]:
    return [given] if isinstance(given, str) else list(given or [])


class Environment(gymnasium.Env):  # type: ignore[misc, unused-ignore, type-arg]
    """One environment. An action holds the inputs for `step` seconds.

    Args:
        model: as invar.load() gives it.
        limits: least and most of every input, by name; the action space, and actions beyond it are cut off.
        observations: formulas; by themselves all coordinates and velocities.
        reward: a formula, at the end of a step, with the inputs that were held.
        terminated: a formula, or several: an episode has ended where one of them is above zero, "abs(x) - 2".
        until: time in seconds after which an episode is truncated.
        step: time in seconds between actions.
        substeps: steps of the simulation in it.
        spread: how far a start is from that of the model at most, by coordinate or velocity ("x'"), uniformly.
        method: a scheme of `[simulate]`; rk4 for models without constraints, else as simulate() chooses.
        render_mode: "rgb_array" draws pictures by matplotlib.

    A step that the simulation cannot do ends the episode, with the reward `failure`, and info["failed"] is true.
    """

    metadata: Dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": 25}

    def __init__(self, model: Model, *, limits: Mapping[str, Sequence[float]], observations: Formulas = (),
                 reward: str = "0", terminated: Optional[Formulas] = None, until: float = 10.0, step: float = 0.02,
                 substeps: int = 1, spread: Optional[Mapping[str, float]] = None, method: Optional[str] = None,
                 failure: float = 0.0, render_mode: Optional[str] = None) -> None:
        self._game = _Game(model, 1, limits, observations, reward, terminated, until, step, substeps, spread or {},
                           method, 1, failure)
        if render_mode not in (None, "rgb_array"):
            raise ModelError(f"gym: render_mode {render_mode!r}; there is \"rgb_array\"")
        self.metadata = {**self.metadata, "render_fps": max(1, round(1.0 / step))}
        self.render_mode, self._failure, self._taken = render_mode, failure, 0
        self.observation_space, self.action_space = self._game.observation_space, self._game.action_space
        self._u = np.zeros((1, len(self._game.low)))
        self._problem: Any = None
        self._figure: Any = None

    def reset(self, *, seed: Optional[int] = None,
              options: Optional[Dict[str, Any]] = None) -> Tuple[np.ndarray, Dict[str, Any]]:
        super().reset(seed=seed)
        self._game.start(0, self.np_random)
        self._taken, self._u = 0, np.zeros_like(self._u)
        t, seen, _, _, _ = self._game.told(self._u)
        return seen[0], {"t": float(t[0])}

    def step(self, action: Any) -> Tuple[np.ndarray, float, bool, bool, Dict[str, Any]]:
        self._u = self._game.inputs([np.asarray(action).reshape(-1)], 1)
        self._game.swarm.advance(self._u, self._game.substeps, 1)
        self._taken += 1
        t, seen, reward, ended, failed = self._game.told(self._u)
        info = {"t": float(t[0]), "failed": bool(failed[0])}
        if failed[0]:
            return np.nan_to_num(seen[0]), self._failure, True, False, info
        return seen[0], float(reward[0]), bool(ended[0]), self._taken >= self._game.steps, info

    def render(self) -> Optional[np.ndarray]:
        """The picture of where it is, as an array of colours."""
        if self.render_mode is None:
            return None
        from .plots import still

        t, q, v, _ = self._game.swarm.state()
        if self._problem is None:
            self._problem = self._game.model._readings.problem("simulate", {}, self._game.model._given)[0]
        scene = _invar.scene_of_state(self._problem, float(t[0]), q[0], v[0], self._u[0])
        picture, self._figure = still(scene, self._figure)
        return picture

    def close(self) -> None:
        self._figure = None


class Environments(VectorEnv):  # type: ignore[misc, unused-ignore, type-arg]
    """Many environments side by side: `Environments(model, 1024, …)` with the arguments of Environment, and `threads`.

    One that has ended begins again with the next step, as gymnasium's AutoresetMode.NEXT_STEP says.
    """

    metadata: Dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(self, model: Model, count: int, *, limits: Mapping[str, Sequence[float]], observations: Formulas = (),
                 reward: str = "0", terminated: Optional[Formulas] = None, until: float = 10.0, step: float = 0.02,
                 substeps: int = 1, spread: Optional[Mapping[str, float]] = None, method: Optional[str] = None,
                 failure: float = 0.0, threads: int = 1) -> None:
        if count < 1:
            raise ModelError("gym: count must be positive")
        self._game = _Game(model, count, limits, observations, reward, terminated, until, step, substeps, spread or {},
                           method, threads, failure)
        self.num_envs, self._failure = count, failure
        self.render_mode = None
        self.single_observation_space, self.single_action_space = (self._game.observation_space,
                                                                   self._game.action_space)
        self.observation_space = batch_space(self.single_observation_space, count)
        self.action_space = batch_space(self.single_action_space, count)
        self._taken, self._over = np.zeros(count, dtype=int), np.zeros(count, dtype=bool)
        self._generators: List[np.random.Generator] = []
        self._last_u = np.zeros((count, len(self._game.low)))

    @property
    def in_lanes(self) -> bool:
        """Are steps taken in vector lanes?"""
        return bool(self._game.swarm.in_lanes)

    def reset(self, *, seed: Union[None, int, Sequence[Optional[int]]] = None,
              options: Optional[Dict[str, Any]] = None) -> Tuple[np.ndarray, Dict[str, Any]]:
        count = self.num_envs
        seeds = [None if seed is None else seed + p for p in range(count)] if seed is None or isinstance(seed, int) \
            else list(seed)
        if len(seeds) != count:
            raise ModelError(f"gym: give {count} seeds")
        if not self._generators or seed is not None:
            self._generators = [np.random.default_rng(s) for s in seeds]
        chosen = np.asarray((options or {}).get("reset_mask", np.ones(count, dtype=bool)), dtype=bool)
        for p in np.flatnonzero(chosen):
            self._begin(int(p))
        t, seen, _, _, _ = self._game.told(self._last_u)
        return seen, {"t": t, "_t": np.ones(count, dtype=bool)}

    def _begin(self, number: int) -> None:
        self._game.start(number, self._generators[number])
        self._taken[number], self._over[number], self._last_u[number] = 0, False, 0.0

    def step(self, actions: Any) -> Tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, Dict[str, Any]]:
        if not self._generators:
            raise ModelError("gym: reset() comes before step()")
        self._last_u = self._game.inputs(actions, self.num_envs)
        begun = np.flatnonzero(self._over)
        self._game.swarm.advance(self._last_u, self._game.substeps, self._game.threads)
        self._taken += 1
        for p in begun:
            self._begin(int(p))
        t, seen, reward, ended, failed = self._game.told(self._last_u)
        terminated = ended | failed
        truncated = (self._taken >= self._game.steps) & ~failed
        reward = np.where(failed, self._failure, reward)
        for result in (terminated, truncated, reward, failed):
            result[begun] = 0
        self._over = terminated | truncated
        every = np.ones(self.num_envs, dtype=bool)
        return np.nan_to_num(seen), reward, terminated, truncated, {"t": t, "_t": every, "failed": failed,
                                                                    "_failed": every}

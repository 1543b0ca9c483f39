"""Curves and moving pictures by matplotlib: labels, units, references and places as the report has them."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Sequence, Tuple

import numpy as np

from .errors import ModelError

if TYPE_CHECKING:
    from .run import Run

COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9")
INK = "#222222"
MOST_FRAMES = 2400
MOST_EDGES = 2000  # of a mesh

Frame = Tuple[int, int, float]  # between which frames of the scene, and how far
Place = Callable[[Frame], np.ndarray]


def _pyplot() -> Any:
    try:
        import matplotlib.pyplot as plt  # type: ignore[import-untyped, import-not-found, unused-ignore]
    except ImportError:
        raise ModelError("pictures are drawn by matplotlib, which is not installed: pip install matplotlib") from None
    return plt


# ---- Curves ----

def named(run: Run, names: Sequence[str]) -> List[str]:
    """The columns that are meant: without names inputs and outputs, or else the coordinates."""
    chosen = list(names) or [n for n in run.columns if run.groups.get(n) in ("inputs", "outputs")] or \
        [n for n in run.columns if run.groups.get(n) == "coordinates"]
    for name in chosen:
        run[name]
    return chosen


def curves(run: Run, names: Sequence[str], over: str, axes: Any) -> Any:
    """A picture for each unit, or all in `axes`; what outputs shall follow is dashed."""
    names = named(run, names)
    places = panels([run.units.get(name, "") for name in names], axes)
    for name in names:
        place = places[run.units.get(name, "")]
        style = "steps-post" if run.holds_inputs and run.groups.get(name) == "inputs" else "default"
        line, = place.plot(run[over], run[name], label=name, drawstyle=style)
        if name in run.references:
            place.plot(run[over], run.references[name], "--", color=line.get_color(), alpha=0.6,
                       label=f"reference of {name}")
    return finished(places, run.units, over)


def panels(units: Sequence[str], axes: Any) -> Dict[str, Any]:
    """Axes by unit."""
    different = list(dict.fromkeys(units))
    if axes is not None:
        if not hasattr(axes, "plot"):
            raise ModelError("plot: axes must be one axis of matplotlib")
        return {unit: axes for unit in different}
    count = max(len(different), 1)
    _, grid = _pyplot().subplots(count, sharex=True, squeeze=False, constrained_layout=True,
                                 figsize=(6.4, max(4.0, 2.2 * count)))
    return dict(zip(different, grid[:, 0]))


def finished(places: Mapping[str, Any], units: Mapping[str, str], over: str) -> Any:
    """Labels with units; one picture, or the list of them."""
    different = list(dict.fromkeys(places.values()))
    for place in different:
        told = [unit for unit, other in places.items() if other is place]
        labels = place.get_legend_handles_labels()[1]
        title = labels[0] if len(labels) == 1 else ""
        unit = f"[{told[0]}]" if len(told) == 1 and told[0] else ""
        place.set_ylabel(" ".join(word for word in (title, unit) if word))
        if len(labels) > 1:
            place.legend(fontsize="small")
        place.grid(True, alpha=0.3)
    different[-1].set_xlabel(f"{over} [{units[over]}]" if over in units else over)
    return different[0] if len(different) == 1 else different


# ---- What moves ----

class Picture:
    """The things of a scene as lines of one axis, at any frame."""

    def __init__(self, scene: Mapping[str, Any], axes: Any) -> None:
        self.time: np.ndarray = scene["time"]
        self._view: np.ndarray = scene["view"]
        self._held: bool = scene["held"]
        self._axes = axes
        self._things: List[Tuple[Any, Place]] = []
        self._bodies = 0
        seen = [item["places"].reshape(-1, len(self._view[0])) @ self._view.T for item in scene["items"]]
        everywhere = np.concatenate(seen) if seen else np.zeros((1, 2))
        self._room = float(np.max(np.nanmax(everywhere, axis=0) - np.nanmin(everywhere, axis=0), initial=0.0))
        for item in scene["items"]:
            getattr(self, "_add_" + item["kind"])(item)
        axes.set_aspect("equal")
        axes.set_axis_off()
        self._fit()

    def show(self, t: float) -> List[Any]:
        """Moves the lines to the time t; returns them."""
        after = int(np.clip(np.searchsorted(self.time, t, side="right"), 1, max(len(self.time) - 1, 1)))
        after = min(after, len(self.time) - 1)
        before = max(after - 1, 0)
        width = self.time[after] - self.time[before]
        share = float(np.clip((t - self.time[before]) / width, 0.0, 1.0)) if width > 0 else 0.0
        frame = (before, after, float(share >= 1.0) if self._held else share)
        for line, place in self._things:
            line.set_data(*place(frame))
        return [line for line, _ in self._things]

    def _fit(self) -> None:
        low, high = np.full(2, np.inf), np.full(2, -np.inf)
        for k in range(len(self.time)):
            for _, place in self._things:
                points = place((k, k, 0.0))
                if np.isfinite(points).any():
                    low, high = np.fmin(low, np.nanmin(points, axis=1)), np.fmax(high, np.nanmax(points, axis=1))
        if not np.isfinite(low).all():
            low, high = np.full(2, -0.5), np.full(2, 0.5)
        margin = 0.06 * max(float(np.max(high - low)), 1e-6)
        self._axes.set_xlim(low[0] - margin, high[0] + margin)
        self._axes.set_ylim(low[1] - margin, high[1] + margin)

    def _add(self, place: Place, style: str = "-", **how: Any) -> None:
        how.setdefault("color", INK)
        line, = self._axes.plot([], [], style, **how)
        self._things.append((line, place))

    def _colour(self) -> str:
        self._bodies += 1
        return COLOURS[(self._bodies - 1) % len(COLOURS)]

    def _seen(self, points: np.ndarray) -> np.ndarray:
        return np.asarray(self._view @ points.T)

    @staticmethod
    def _between(values: np.ndarray, frame: Frame) -> np.ndarray:
        before, after, share = frame
        last = len(values) - 1
        a, b = values[min(before, last)], values[min(after, last)]
        return np.asarray(a + share * (b - a))

    def _path(self, item: Mapping[str, Any]) -> Place:
        return lambda frame: self._seen(self._between(item["places"], frame))

    def _add_point(self, item: Mapping[str, Any]) -> None:
        self._add(self._path(item), "o", markersize=8, color=self._colour())

    def _add_joint(self, item: Mapping[str, Any]) -> None:
        self._add(self._path(item), "o", markersize=4, markerfacecolor="white")

    def _add_line(self, item: Mapping[str, Any]) -> None:
        width = {"link": 3.0, "ground": 4.0}.get(item["role"], 1.2)
        self._add(self._path(item), linewidth=width, color="#999999" if item["role"] == "ground" else INK)

    def _add_member(self, item: Mapping[str, Any]) -> None:
        self._add(self._path(item), linewidth=3.0, color=COLOURS[0])

    def _add_trace(self, item: Mapping[str, Any]) -> None:
        whole = self._seen(item["places"][:, 0, :])
        self._add(lambda frame: whole, "--", linewidth=0.8, color=COLOURS[0])

    def _add_spring(self, item: Mapping[str, Any]) -> None:
        path, turns = self._path(item), 8
        along = np.concatenate([[0.0], (np.arange(2 * turns) + 0.5) / (2 * turns), [1.0]])
        aside = np.concatenate([[0.0], np.where(np.arange(2 * turns) % 2, -1.0, 1.0), [0.0]])

        def zigzag(frame: Frame) -> np.ndarray:
            ends = path(frame)
            a, b = ends[:, :1], ends[:, -1:]
            across = np.array([a[1] - b[1], b[0] - a[0]])
            return np.asarray(a + along * (b - a) + 0.06 * aside * across)
        self._add(zigzag, color=COLOURS[2])

    def _add_circle(self, item: Mapping[str, Any]) -> None:
        self._add(self._round(self._path(item), lambda frame: float(self._between(item["details"], frame))))

    @staticmethod
    def _round(path: Place, radius: Callable[[Frame], float]) -> Place:
        angle = np.linspace(0.0, 2 * np.pi, 49)
        rim = np.array([np.cos(angle), np.sin(angle)])
        return lambda frame: path(frame)[:, :1] + radius(frame) * rim

    def _add_arrow(self, item: Mapping[str, Any]) -> None:
        vectors = item["details"].reshape(-1, item["places"].shape[2])
        longest = np.nanmax(np.linalg.norm(vectors, axis=1), initial=0.0)
        size = 0.2 * self._room / longest if longest > 0 else 0.0
        head = np.array([[0.0, 1.0, 0.85, 1.0, 0.85], [0.0, 0.0, 0.06, 0.0, -0.06]])

        def arrow(frame: Frame) -> np.ndarray:
            foot = self._seen(self._between(item["places"], frame))[:, :1]
            x, y = size * self._view @ self._between(vectors, frame)
            return np.asarray(foot + np.array([[x, -y], [y, x]]) @ head)
        self._add(arrow, color=COLOURS[4])

    def _add_body(self, item: Mapping[str, Any]) -> None:
        colour, path = self._colour(), self._path(item)
        if item["shape"] == "sphere":
            return self._add(self._round(path, lambda frame: float(item["size"][0])), color=colour)
        edges = outline(item, len(self._view[0]))
        if not len(edges):
            return self._add(path, "o", markersize=6, color=colour)

        def turned(frame: Frame) -> np.ndarray:
            return np.asarray(path(frame) + self._view @ self._rotation(item, frame) @ edges.T)
        self._add(turned, color=colour, linewidth=1.2)

    def _rotation(self, item: Mapping[str, Any], frame: Frame) -> np.ndarray:
        if len(self._view[0]) == 2:
            angle = self._between(item["details"], frame) if len(item["details"]) else 0.0
            return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        if not len(item["details"]):
            return np.eye(3)
        all_turns = item["details"].reshape(-1, 4)
        before, after, share = frame
        a, b = all_turns[min(before, len(all_turns) - 1)], all_turns[min(after, len(all_turns) - 1)]
        turn = a + share * (np.sign(a @ b or 1.0) * b - a)
        w, x, y, z = turn / np.linalg.norm(turn)
        return np.array([[1 - 2 * (y*y + z*z), 2 * (x*y - w*z), 2 * (x*z + w*y)],
                         [2 * (x*y + w*z), 1 - 2 * (x*x + z*z), 2 * (y*z - w*x)],
                         [2 * (x*z - w*y), 2 * (y*z + w*x), 1 - 2 * (x*x + y*y)]])


def outline(item: Mapping[str, Any], dimension: int) -> np.ndarray:
    """The edges of a solid in body axes as one line with gaps; empty if it has no shape."""
    strokes: List[np.ndarray] = []
    size, shape = item["size"], item["shape"]
    if shape == "box" and dimension == 2:
        strokes = [np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]) * size[:2] / 2]
    elif shape == "box":
        corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) * size / 2
        strokes = [corners[[i, i | bit]] for i in range(8) for bit in (1, 2, 4) if not i & bit]
    elif shape == "cylinder":
        angle = np.linspace(0.0, 2 * np.pi, 33)
        rim = size[0] * np.array([np.cos(angle), np.sin(angle)]).T
        ends = [] if dimension == 2 else [np.column_stack([rim, np.full(33, z * size[1] / 2)]) for z in (-1, 1)]
        strokes = [np.vstack([rim, [[0.0, 0.0]]])] if dimension == 2 else \
            [*ends, *(np.array([ends[0][k], ends[1][k]]) for k in (0, 8, 16, 24))]
    elif shape == "mesh":
        vertices = np.array(item["vertices"]).reshape(-1, 3)
        corners = np.array(item["triangles"]).reshape(-1, 3)
        pairs = np.sort(np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]]), axis=1)
        pairs = np.unique(pairs, axis=0)
        strokes = [vertices[pair][:, :dimension] for pair in pairs[:: 1 + len(pairs) // MOST_EDGES]]
    gap = np.full((1, dimension), np.nan)
    parts = [part for stroke in strokes for part in (stroke, gap)]
    return np.concatenate(parts) if parts else np.zeros((0, dimension))


def animation(run: Run, scene: Mapping[str, Any], speed: float, fps: float, axes: Any) -> Any:
    """A FuncAnimation of the scene."""
    if not scene["items"]:
        raise ModelError("animate: nothing of this model can be shown; [[draw]] says what shall be")
    if not (speed > 0 and fps > 0 and np.isfinite(speed) and np.isfinite(fps)):
        raise ModelError("animate: speed and fps must be positive")
    if axes is None:
        axes = _pyplot().figure(constrained_layout=True).add_subplot()
    from matplotlib.animation import FuncAnimation  # type: ignore[import-untyped, import-not-found, unused-ignore]

    picture = Picture(scene, axes)
    begin, end = float(scene["time"][0]), float(scene["time"][-1])
    times = np.linspace(begin, end, max(2, int(np.ceil((end - begin) * fps / speed)) + 1))
    title = axes.set_title("")

    def show(t: float) -> List[Any]:
        title.set_text(f"{run.summary['name']}, t = {t:.2f} s")
        return [*picture.show(t), title]
    return FuncAnimation(axes.figure, show, frames=times, init_func=lambda: show(begin), interval=1000.0 / fps)


def still(scene: Mapping[str, Any], figure: Any) -> Tuple[np.ndarray, Any]:
    """The first frame as an array of colours, and the figure for the next one, which shows no less of the room."""
    from matplotlib.backends import backend_agg  # type: ignore[import-untyped, import-not-found, unused-ignore]
    from matplotlib.figure import Figure  # type: ignore[import-untyped, import-not-found, unused-ignore]

    if figure is None:
        figure = Figure(figsize=(4.8, 3.6), dpi=100, layout="constrained")
        backend_agg.FigureCanvasAgg(figure)
        axes, before = figure.add_subplot(), None
    else:
        axes = figure.axes[0]
        before = (axes.get_xlim(), axes.get_ylim())
        axes.clear()
    Picture(scene, axes).show(float(scene["time"][0]))
    if before is not None:
        for limits, now, (low, high) in ((axes.set_xlim, axes.get_xlim(), before[0]),
                                         (axes.set_ylim, axes.get_ylim(), before[1])):
            limits(min(low, now[0]), max(high, now[1]))
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())[:, :, :3].copy(), figure

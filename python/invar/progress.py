"""How far a long run is: a bar on a terminal or in a notebook, or a function of one's own."""
from __future__ import annotations

import sys
import time
from typing import Any, Callable, Optional, Union

from .errors import ModelError

Progress = Union[None, bool, Callable[[float], Any]]
_PATIENCE = 1.0  # seconds before a bar appears by itself


class Bar:
    """A bar of tqdm where that is installed, or of our own; it appears only when a run takes longer than a moment."""

    def __init__(self, title: str) -> None:
        self._title, self._begin, self._bar = title, time.monotonic(), None
        self._own = False

    def __call__(self, fraction: float) -> None:
        if time.monotonic() - self._begin < _PATIENCE:
            return
        if self._bar is None and not self._own:
            try:
                from tqdm.auto import tqdm  # type: ignore[import-untyped, import-not-found, unused-ignore]

                shape = "{desc} {percentage:3.0f}% |{bar}| {remaining}"
                self._bar = tqdm(total=100, desc=self._title, bar_format=shape, leave=False)
            except ImportError:
                self._own = True
        if self._bar is not None:
            self._bar.n = round(100 * min(fraction, 1.0))
            self._bar.refresh()
        else:
            sys.stderr.write(f"\r{self._title} {100 * min(fraction, 1.0):3.0f}%")
            sys.stderr.flush()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
        elif self._own:
            sys.stderr.write("\r" + " " * (len(self._title) + 5) + "\r")


def _watched() -> bool:
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def chosen(progress: Progress, title: str) -> Optional[Callable[[float], Any]]:
    """What is called with the fraction that is done, or nothing."""
    if callable(progress):
        return progress
    if progress is not None and not isinstance(progress, bool):
        raise ModelError(f"progress: give True, False or a function, not {type(progress).__name__}")
    wanted = _watched() if progress is None else progress
    return Bar(title) if wanted else None

"""What can go wrong, as exceptions.

A model, a setting or an argument that is wrong raises `ModelError`; a computation that fails or does not pass its own
checks raises `NumericsError`, which carries what was computed; Ctrl-C raises `Interrupted`, which does so too.
"""
from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Optional

if TYPE_CHECKING:
    from .run import Run

_PLACE = re.compile(r"(?P<file>.*?):(?:(?P<line>\d+):(?P<column>\d+):)? (?P<words>.*)", re.DOTALL)


class ModelError(ValueError):
    """The model, a setting or an argument is wrong; the message says what, and where.

    Attributes:
        file: the model file, or None.
        line, column: the place in the file, counted from 1, or None where it is not the file that is wrong.
        words: the message without the place.
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)
        found = _PLACE.fullmatch(message)
        has_file = found is not None and (found["line"] is not None or found["file"].endswith((".toml", ">")))
        self.file: Optional[str] = found["file"] if found and has_file else None
        self.line: Optional[int] = int(found["line"]) if found and found["line"] else None
        self.column: Optional[int] = int(found["column"]) if found and found["column"] else None
        self.words: str = found["words"] if found and has_file else message


class _WithRun:
    run: Optional[Run]

    def __reduce__(self) -> Any:
        return type(self), (str(self), self.run)


class NumericsError(_WithRun, ArithmeticError):
    """The numerics failed, or the result did not pass the checks of it.

    Attributes:
        run: what was computed so far, as a `Run` with the status "failed"; None if a single step failed.
    """

    def __init__(self, message: str, run: Optional[Run] = None) -> None:
        super().__init__(message)
        self.run = run


class Interrupted(_WithRun, KeyboardInterrupt):
    """Ctrl-C during a run. It is a KeyboardInterrupt, so a loop of runs ends, too.

    Attributes:
        run: what was computed so far, as a `Run` with the status "interrupted".
    """

    def __init__(self, message: str, run: Run) -> None:
        super().__init__(message)
        self.run = run


class InternalError(RuntimeError):
    """A bug in Invar: please report it, with the model."""

    def __init__(self, message: str) -> None:
        super().__init__(f"{message} (this is a bug in Invar)")

"""The verdict on a model before it is solved."""
from __future__ import annotations

import json
from typing import Any, Dict, List, Optional


class Verdict:
    """What kind of problem a model is: `print(model.check())` says it in words.

    All figures of the check are attributes; `verdict.summary` is the dict that has them all. Where two parts of it
    have a figure of one name, that of the inverse problem comes first.

    >>> verdict = invar.load("overhead_crane_inverse").check()
    >>> verdict.index, verdict.flat, verdict.counts["degrees_of_freedom"]
    (5, True, 3)
    """

    def __init__(self, words: str, summary: str) -> None:
        self._words = words.rstrip("\n")
        self.summary: Dict[str, Any] = json.loads(summary)

    @property
    def name(self) -> str:
        """The name of the model."""
        return str(self.summary["name"])

    @property
    def index(self) -> Optional[int]:
        """The differentiation index of the inverse problem; None without trajectories."""
        found = self.summary["structure"].get("index")
        return None if found is None else int(found)

    @property
    def flat(self) -> Optional[bool]:
        """Do the inputs follow algebraically from the outputs? None without trajectories."""
        found = self.summary["structure"].get("flat")
        return None if found is None else bool(found)

    @property
    def eigenvalues(self) -> List[complex]:
        """Of the internal dynamics of the inverse problem, in 1/s; none if it is flat."""
        return [complex(*pair) for pair in self.summary["structure"].get("zero_dynamics", [])]

    @property
    def degrees_of_freedom(self) -> int:
        """Of the model; those of the inverse problem are in `summary["structure"]`."""
        return int(self.summary["counts"]["degrees_of_freedom"])

    @property
    def warnings(self) -> List[str]:
        """What is doubtful about the model, a sentence each."""
        return list(self.summary["warnings"])

    def _parts(self) -> List[Dict[str, Any]]:
        s = self.summary
        own = [part for key, part in s.items() if isinstance(part, dict) and key not in ("structure", "counts")]
        return [s["structure"], s["counts"], s, *own]

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_") and "summary" in self.__dict__:
            for part in self._parts():
                if name in part:
                    return part[name]
        raise AttributeError(f"the verdict has no {name!r}; dir(verdict) lists what it has")

    def __dir__(self) -> List[str]:
        return sorted({*super().__dir__(), *(key for part in self._parts() for key in part)})

    def __str__(self) -> str:
        return "\n".join([self._words, *(f"  warning: {w}" for w in self.warnings)])

    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        from html import escape

        return f"<pre>{escape(str(self))}</pre>"

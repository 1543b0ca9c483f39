"""The package and what its page shows keep what their types promise: mypy --strict."""
import re
import subprocess
import sys
from pathlib import Path

import pytest

import invar

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(invar.__file__).parent


def strict(folder, *files):
    pytest.importorskip("mypy", reason="mypy is not installed")
    done = subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", folder / "cache", *files],
                          capture_output=True, text=True, cwd=folder,
                          env={"MYPYPATH": str(PACKAGE.parent), "PATH": "/usr/bin:/bin"})
    ours = [line for line in done.stdout.splitlines() if ": error:" in line and "/examples/" not in line]
    assert not ours and done.returncode in (0, 1), "\n".join(ours) or done.stdout + done.stderr


def test_the_package(tmp_path):
    strict(tmp_path, *sorted(ROOT.glob("python/invar/*.py")))


def test_what_the_page_shows(tmp_path):
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    shown = "\n".join(re.findall(r"```python\n(.*?)```", page, re.DOTALL))
    first = ("from typing import Any\nimport numpy as np\n\npoints, masses = np.zeros((3, 4)), np.ones(3)\n"
             "task: dict[str, Any]\n")
    shown = "\n".join(line for line in shown.splitlines() if "stpe" not in line)
    (tmp_path / "page.py").write_text(first + shown, encoding="utf-8")
    strict(tmp_path, tmp_path / "page.py")

"""The first session of the README, line by line, and what it promises."""
import re
from importlib.util import find_spec
from pathlib import Path

import numpy as np

import invar

ROOT = Path(__file__).resolve().parents[2]


def readme_session():
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    return re.search(r"```python\n(import invar\n.*?)```", page, re.DOTALL).group(1)


def test_session_of_the_readme_runs_as_it_stands(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {}
    for line in readme_session().splitlines():
        if "to_pandas" in line or "plot" in line:  # further packages
            continue
        exec(line, names)
    crane, run = names["crane"], names["run"]
    assert "index 5, flat" in capsys.readouterr().out
    assert crane.check().index == 5 and crane.check().flat
    assert run.status == "done"
    assert isinstance(run["F"], np.ndarray) and run["F"].shape == run.t.shape
    # The load goes from 0 to 5 m in 3 s and rests at both ends, where the trolley needs no force.
    assert abs(run["load_x"][-1] - 5.0) < 1e-12
    assert abs(run["F"][0]) < 1e-9 and abs(run["F"][-1]) < 1e-9
    files = {f.name for f in (tmp_path / "out/crane").iterdir()}
    assert {"result.csv", "summary.json", "report.html", "inputs.csv"} <= files


def test_a_run_shows_its_report_in_a_notebook():
    run = invar.load("pendulum").simulate(until=0.1, step=0.01)
    shown = run._repr_html_()
    assert shown.startswith("<iframe srcdoc=") and "&lt;script" in shown and "<script" not in shown
    assert run.report().lstrip().lower().startswith("<!doctype html")


def test_the_page_about_python_runs_as_it_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    names = {}
    for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL):
        if "ModelError" in block or ("invar.gym" in block and not find_spec("gymnasium")):
            continue
        if "points" in block:
            names["points"] = np.zeros((3, len(names["crane"].coordinates)))
        lines = [line for line in block.splitlines() if "to_pandas" not in line]
        exec("\n".join(lines), names)
    assert (tmp_path / "out/crane/report.html").exists()
    assert names["M"](q=names["points"]).shape == (3, *names["M"].shape)

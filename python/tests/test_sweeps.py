"""Sweeps: a case gives what a run by itself gives, in whatever thread or process; models pickle to the same bits."""
import json
import multiprocessing
import pickle
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor

import numpy as np
import pytest

import invar

SPRING = {
    "name": "spring",
    "parameters": {"m": 1.0, "k": 4.0, "c": 0.0},
    "system": {"coordinates": ["x"], "kinetic": "m/2*x'^2", "potential": "k/2*x^2",
               "force": {"x": "-c*x'"}},
    "initial": {"x": 1.0},
    "simulate": {"until": 0.5, "step": 0.01, "method": "rk4"},
}
OVER = {"m": "1:3:3", "k": "uniform(3, 5)"}


class Here:
    """As little as an executor can be."""

    def submit(self, function, *arguments):
        future = Future()
        future.set_result(function(*arguments))
        return future


def found(model, **options):
    return model.sweep(OVER, samples=4, record=["x.max", "x.end", "x.series"], **options)


@pytest.fixture(scope="module")
def model():
    return invar.load(SPRING)


@pytest.fixture(scope="module")
def table(model):
    return found(model, threads=1)


def test_a_case_is_what_a_run_by_itself_gives(model, table):
    assert table.cases == 12 and table.varied == ("m", "k") and table.drawn == ("k",)
    assert table.figures == ("x.max", "x.end") and table.done.all()
    assert table["m"].tolist() == [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]
    assert np.array_equal(table["k"][:4], table["k"][8:]), "the same samples at every listed value"
    for case in range(table.cases):
        run = model.with_parameters(table.values_of(case)).simulate()
        assert table["x.end"][case] == run["x"][-1] and table["x.max"][case] == run["x"].max()
        assert np.array_equal(table.series["x"][case], run["x"])
        assert np.array_equal(table.series["t"][case], run.t)


def test_whoever_computes_it_the_bits_are_the_same(model, table):
    spawned = multiprocessing.get_context("spawn")
    with ThreadPoolExecutor(2) as threads, ProcessPoolExecutor(2, mp_context=spawned) as processes:
        others = [found(model, threads=2), found(model, executor=Here()), found(model, executor=threads, portion=1),
                  found(model, executor=processes, portion=5)]
    for other in others:
        assert np.array_equal(other.numbers, table.numbers) and np.array_equal(other.values, table.values)
        assert np.array_equal(other.series["x"], table.series["x"])
        assert other.figures == table.figures


@pytest.mark.parametrize("example, verb", [("pendulum", "simulate"), ("overhead_crane_inverse", "invert"),
                                           ("double_pendulum_bodies", "simulate"), ("hanging_chain", "equilibrium")])
def test_an_unpickled_model_gives_the_same_bits(example, verb):
    one = invar.load(example)
    other = pickle.loads(pickle.dumps(one))
    settings = {"until": 0.2} if verb == "simulate" else {}
    assert np.array_equal(getattr(one, verb)(**settings).array, getattr(other, verb)(**settings).array, equal_nan=True)


def test_parameters_and_settings_travel_with_a_model(model):
    heavy = model.with_parameters(m=2.0)
    there = found(heavy, executor=Here(), until=0.1, method="radau5")
    assert there["m"][0] == 1.0
    alone = heavy.sweep({"k": [4.0]}, record="x.end", executor=Here(), until=0.1, method="radau5")
    assert alone["x.end"][0] == heavy.simulate(until=0.1, method="radau5")["x"][-1]


def test_what_varies_together_and_places_of_the_file(model):
    rows = [[1.0, 3.0], [2.0, 5.0]]
    table = model.sweep({("m", "k"): rows, "initial.x": np.array([1.0, 2.0])}, record=["x.end"])
    assert np.array_equal(table.values, [[1, 3, 1], [1, 3, 2], [2, 5, 1], [2, 5, 2]])
    assert np.allclose(table["x.end"][1::2], 2 * table["x.end"][::2], rtol=1e-14), "a linear system"


def test_a_run_that_fails_is_a_row(model):
    table = model.sweep({"k": [4.0, -1e12]}, record=["x.end"], until=5.0, step=0.1)
    assert table.status.tolist()[0] == "done" and table.status.tolist()[1] == "failed"
    assert list(table.failures) == [1] and table.reasons[1] and "case 1 failed" in str(table)
    assert table.worst("x.end") == [0]


def test_shares_of_the_variance():
    """x(0) = 1 stays there without any force: the figure is a + 2b, of whose variance b has four fifths."""
    model = invar.load({"name": "still", "parameters": {"a": 0.0, "b": 0.0},
                        "system": {"coordinates": ["x"], "kinetic": "x'^2/2"}, "initial": {"x": "a + 2*b"},
                        "simulate": {"until": 0.01, "step": 0.01}})
    unit = "uniform(0, 1)"
    table = model.sweep({"a": unit, "b": unit}, samples=128, sampling="saltelli", record="x.end")
    assert table.cases == 128 * 4
    shares = table.sensitivity("x.end")
    for name, share in (("a", 0.2), ("b", 0.8)):
        for kind in ("first_order", "total"):
            value, low, high = shares[name][kind]
            assert low <= value <= high and abs(value - share) < 0.1
    assert 0.8 < table.correlation("x.end")["b"] < 0.95
    with pytest.raises(invar.ModelError, match="saltelli"):
        model.sweep({"a": [0.0, 1.0]}, record="x.end").sensitivity("x.end")


def test_it_is_stored_and_shown(table, tmp_path):
    table.save(tmp_path / "sweep")
    rows = (tmp_path / "sweep/table.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "case,m,k,status,x.max,x.end,reason" and len(rows) == 13
    assert float(rows[3].split(",")[5]) == table["x.end"][2]
    page = (tmp_path / "sweep/report.html").read_text(encoding="utf-8")
    data = json.loads(page.split('type="application/json">')[1].split("</script>")[0])
    assert data["verdict"] == "12 runs of simulate: 12 done" and data["sweep"]["bands"][0]["name"] == "x"
    assert "iframe" in table._repr_html_() and "12 runs" in str(table)
    again = pickle.loads(pickle.dumps(table))
    assert np.array_equal(again["x.end"], table["x.end"]) and again.words == table.words


def test_pandas_and_xarray(table):
    pandas = pytest.importorskip("pandas")
    frame = table.to_pandas()
    assert isinstance(frame, pandas.DataFrame) and frame["x.end"].tolist() == table["x.end"].tolist()
    pytest.importorskip("xarray")
    assert table.to_xarray()["x.series"].shape == table.series["x"].shape


@pytest.mark.parametrize("options, words", [
    (dict(over={"mm": [1.0]}), "mm"),
    (dict(over={"m": "1:2"}), "from:to:count"),
    (dict(over={"m": "normal(1, 1)"}), "say how many samples"),
    (dict(over={"m": [1.0]}, record="y.max"), "y"),
    (dict(over={"m": ["a"]}), "give numbers"),
    (dict(over={"m": []}), "m"),
    (dict(over={("m", "k"): [[1.0]]}), "each row needs 2"),
    (dict(over={"m": [1.0]}, sampling="grid"), "unknown sampling"),
    (dict(over={"m": [1.0]}, stpe=0.1), "step"),
    (dict(over={"m": [1.0]}, device="gpu"), "device must be \"cpu"),
    (dict(over={"m": [1.0]}, device="cuda", record="x.rms"), "--device cuda: cannot record \"x.rms\""),
    (dict(over={"m": [1.0]}, inputs={"F": abs}), "functions of Python"),
    (dict(over={"m": [1.0]}, task="simulat"), "simulat"),
])
def test_mistakes_are_one_line(model, options, words):
    with pytest.raises(invar.ModelError, match=words) as told:
        model.sweep(**options)
    assert "\n" not in str(told.value)

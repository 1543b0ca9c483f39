"""Comparisons tell what differs; plots and animations show the numbers that are there. Pictures need matplotlib."""
import copy
import pickle

import numpy as np
import pytest

import invar

MASS = {"name": "mass", "parameters": {"m": 2.0}, "units": {"m": ["x"], "N": ["F"]},
        "system": {"coordinates": ["x"], "kinetic": "m/2*x'^2", "input": [{"name": "F", "force": {"x": "1"}}],
                   "output": [{"name": "y", "expr": "2*x"}]},
        "initial": {"x": 1.0}, "simulate": {"until": 1.0, "step": 0.01, "inputs": {"F": "1"}}}


@pytest.fixture
def pyplot():
    matplotlib = pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    yield plt
    plt.close("all")


def test_a_comparison_tells_the_largest_differences():
    """x = 1 + F t²/2m for F = 1 and 3: at t = 1 the difference is 1/2, of the speed 1."""
    model = invar.load(MASS)
    a, b = model.simulate(), model.simulate(inputs={"F": "3"}, step=0.02)
    both = invar.compare(a, b)
    assert both["x"] == pytest.approx(0.5) and both["x'"] == pytest.approx(1.0) and both["F"] == pytest.approx(2.0)
    assert not both.interpolated and "x" in both and "t" not in both
    assert both.names == ["step 0.01", "step 0.02"]
    assert both.relative()["x"] == pytest.approx(0.5 / 1.25)
    assert "step 0.01 against step 0.02" in str(both) and "5.000e-01 m" in str(both)
    assert invar.compare(a, a)["x"] == 0.0 and invar.compare(a, a).names == ["run 1", "run 2"]


def test_instants_that_are_not_shared_are_told():
    model = invar.load(MASS)
    both = invar.compare(model.simulate(until=0.1), model.simulate(until=0.1, step=0.0037))
    assert both.interpolated and both["x'"] < 1e-12 and "interpolated" in str(both)


def test_parameters_name_the_runs():
    model = invar.load(MASS)
    runs = [model.with_parameters(m=m).simulate() for m in (1.0, 2.0, 4.0)]
    both = invar.compare(*runs)
    assert both.names == ["m = 1", "m = 2", "m = 4"] and both["x'"] == pytest.approx(0.75)


def test_a_comparison_is_a_page(tmp_path):
    model = invar.load("pendulum")
    both = invar.compare(model.simulate(until=0.5), model.simulate(until=0.5, method="radau5"), names=["em", "radau"])
    both.save(tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.lstrip().lower().startswith("<!doctype html") and '"radau"' in page
    assert both._repr_html_().startswith("<iframe srcdoc=")


@pytest.mark.parametrize("call, words", [
    (lambda run: invar.compare(run), "two or more"),
    (lambda run: invar.compare(run, 3), "two or more"),
    (lambda run: invar.compare(run, run, names=["a", "a"]), "2 different names"),
    (lambda run: invar.compare(run, run, names="ab"), "different names"),
])
def test_wrong_comparisons_are_named(call, words):
    with pytest.raises(invar.ModelError, match=words):
        call(invar.load(MASS).simulate())
    a = invar.compare(*[invar.load(MASS).simulate()] * 2)
    with pytest.raises(KeyError, match="do not all have"):
        a["z"]


def test_curves_have_units_and_references(pyplot):
    run = invar.load("overhead_crane_inverse").invert(step=0.1)
    places = run.plot()
    assert [p.get_ylabel() for p in places] == ["F [N]", "M [N m]", "[m]"]
    assert places[-1].get_xlabel() == "t [s]"
    labels = places[-1].get_legend_handles_labels()[1]
    assert labels == ["load_x", "reference of load_x", "load_z", "reference of load_z"]
    line = places[0].get_lines()[0]
    assert np.array_equal(line.get_ydata(), run["F"])
    assert np.allclose(run.references["load_x"], run["load_x"], atol=1e-9)
    place = run.plot("load_z", over="load_x")
    assert place.get_xlabel() == "load_x [m]" and place.get_ylabel() == "[m]"
    with pytest.raises(KeyError):
        run.plot("laod_x")
    kept = pickle.loads(pickle.dumps(run))
    assert kept.units == run.units and len(kept.plot()) == 3
    _, axes = pyplot.subplots()
    assert run.plot("F", "M", axes=axes) is axes
    both = invar.compare(run, run)
    assert len(both.plot("F", "M")) == 2


def test_an_animation_shows_the_places_of_the_run(pyplot, tmp_path):
    run = invar.load("overhead_crane_inverse").invert(step=0.05)
    moving = run.animate(speed=2.0, fps=10)
    drawn = moving._fig.axes[0].get_lines()
    for t in (0.0, 1.5, 3.0):
        moving._func(t)
        points = np.concatenate([np.column_stack(line.get_data()) for line in drawn])
        k = int(round(t / 0.05))
        load = np.array([run["load_x"][k], run["load_z"][k]])
        assert np.nanmin(np.abs(points - load).max(axis=1)) < 1e-6
    moving.save(tmp_path / "crane.gif", writer="pillow")
    assert (tmp_path / "crane.gif").stat().st_size > 1000


@pytest.mark.parametrize("name", ["heavy_top", "double_pendulum_bodies", "flexible_pendulum", "engine_mounts",
                                  "mass_spring_chain"])
def test_every_kind_of_thing_is_drawn(pyplot, name):
    run = invar.load(name).simulate(until=0.05, step=0.005)
    moving = run.animate()
    moving._func(run.t[-1])
    for line in moving._fig.axes[0].get_lines():
        data = np.column_stack(line.get_data())
        assert len(data) and np.isfinite(data).any()


def test_what_cannot_be_shown_says_so(pyplot):
    run = invar.load(MASS).simulate()
    with pytest.raises(invar.ModelError, match="positive"):
        invar.load("pendulum").simulate(until=0.1).animate(speed=0.0)
    with pytest.raises(invar.ModelError, match="pickled"):
        copy.deepcopy(pickle.loads(pickle.dumps(run))).animate()
    try:
        run.animate()
    except invar.ModelError as error:
        assert "draw" in str(error)

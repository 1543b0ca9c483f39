"""Models from names, files, text and dicts, and with other parameters: one model, whichever way it came."""
import pickle
import threading
from pathlib import Path

import numpy as np
import pytest

import invar

PENDULUM = {
    "name": "pendulum",
    "parameters": {"m": 1.0, "g": 9.81, "L": 1.0},
    "system": {
        "coordinates": ["x", "y"],
        "kinetic": "m/2*(x'^2 + y'^2)",
        "potential": "m*g*y",
        "constraint": [{"name": "rod", "expr": "(x^2 + y^2 - L^2)/2"}],
    },
    "initial": {"x": "-L", "y": 0},
    "simulate": {"until": 0.5, "step": 0.01},
}


def test_a_dict_its_text_and_its_file_are_one_model(tmp_path):
    from_dict = invar.load(PENDULUM)
    (tmp_path / "pendulum.toml").write_text(from_dict.to_toml(), encoding="utf-8")
    from_text = invar.load(from_dict.to_toml())
    from_file = invar.load(tmp_path / "pendulum.toml")
    assert from_text.to_dict() == from_dict.to_dict() == from_file.to_dict()
    rows = [m.simulate().array for m in (from_dict, from_text, from_file)]
    assert np.array_equal(rows[0], rows[1]) and np.array_equal(rows[0], rows[2])


FILES = sorted(f for f in (Path(invar.__file__).parent / "examples").glob("*/*.toml") if f.name != "expected.toml")


@pytest.mark.parametrize("file", FILES, ids=lambda f: f"{f.parent.name}-{f.stem}")
def test_examples_are_read_back_as_they_are_written(file):
    model = invar.load(file)
    again = invar.load(model.to_toml()) if "file =" not in model.to_toml() else None
    if again is None:  # the data stands beside the example
        assert invar._invar.Document(model.to_toml(), "x").to_dict() == model.to_dict()
        return
    assert again.to_dict() == model.to_dict()
    assert list(again.parameters.items()) == list(model.parameters.items())
    assert again.coordinates == model.coordinates and again.constraints == model.constraints


def test_settings_are_those_of_the_file():
    model = invar.load(PENDULUM)
    in_file = invar.load({**PENDULUM, "simulate": {"until": 0.2, "step": 0.02, "method": "radau5"}}).simulate()
    by_keyword = model.simulate(until=0.2, step="L/50", method="radau5")
    assert np.array_equal(in_file.array, by_keyword.array)
    assert by_keyword.summary["method"] == "radau5" and len(by_keyword.t) == 11
    assert len(model.simulate().t) == 51  # the model itself is as it was


def test_inputs_are_formulas_or_arrays():
    """x'' = F for F rising straight from 0 to 1 in a second, then held: v(1) = 1/2, v(2) = 3/2."""
    mass = invar.System("x", "x'^2/2", inputs={"F": {"x": 1}})
    ramp = {"times": np.array([0.0, 1.0]), "values": np.array([0.0, 1.0])}
    run = mass.simulate(until=2.0, step=0.01, inputs={"F": ramp})
    assert np.isclose(run["x'"][100], 0.5) and np.isclose(run["x'"][-1], 1.5) and run["F"][50] == 0.5
    for wrong in ({"times": [0, 1]}, {"times": [0, 1], "values": [1]}, {"times": [1, 0], "values": [0, 1]},
                  {"times": [0, 1, 2], "values": [0, 1]}, {"times": 0, "values": 1}, {**ramp, "vaules": 1}):
        with pytest.raises(invar.ModelError, match='input "F"'):
            mass.simulate(inputs={"F": wrong})


def test_numpy_numbers_are_numbers():
    model = invar.load({**PENDULUM, "initial": {"x": np.float64(-1.0), "y": np.int64(0)}})
    assert model.simulate(until=np.float32(0.5), step=np.float64(0.25)).t[-1] == 0.5


def test_parameters_are_arguments():
    model = invar.load(PENDULUM)
    longer = model.with_parameters(L=4.0)
    assert longer.parameters == {"m": 1.0, "g": 9.81, "L": 4.0} and model.parameters["L"] == 1.0
    # The start follows the parameter, and energy gives the speed at any height: v² = 2 g (0 - y).
    run = longer.simulate(until=0.5)
    assert run["x"][0] == -4.0
    speed = run["x'"] ** 2 + run["y'"] ** 2
    assert np.allclose(speed, -2 * 9.81 * run["y"], rtol=1e-3, atol=1e-9)
    read_so = invar.load({**PENDULUM, "parameters": {"m": 1.0, "g": 9.81, "L": 4.0}}).simulate(until=0.5)
    assert np.array_equal(run.array, read_so.array)


def test_parameters_that_became_numbers_are_read_again():
    model = invar.load({**PENDULUM, "simulate": {"until": "L", "step": 0.25}})
    assert model.with_parameters(L=2.0).simulate().t[-1] == 2.0


def test_written_text_has_the_new_parameters():
    assert invar.load(invar.load(PENDULUM).with_parameters(m=3).to_toml()).parameters["m"] == 3.0


def test_models_and_runs_are_pickled():
    model = pickle.loads(pickle.dumps(invar.load(PENDULUM).with_parameters(L=2.0)))
    assert model.parameters["L"] == 2.0
    run = model.simulate()
    again = pickle.loads(pickle.dumps(run))
    assert np.array_equal(run.array, again.array) and again.summary == run.summary and str(again) == str(run)
    with pytest.raises(invar.ModelError, match="pickled"):
        again.save("nowhere")


def test_threads_share_a_model():
    model, found = invar.load(PENDULUM), {}
    def simulate(length):
        found[length] = model.with_parameters(L=length).simulate(until=1.0)["y"].min()
    threads = [threading.Thread(target=simulate, args=(1.0 + k,)) for k in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    for length, lowest in found.items():
        assert lowest == model.with_parameters(L=length).simulate(until=1.0)["y"].min()


def test_formulations_of_bodies_agree():
    runs = [invar.load("double_pendulum_bodies", formulation=f).simulate(until=0.2, step=0.001)
            for f in ("director", "minimal")]
    assert [r.summary["formulation"] for r in runs] == ["director", "minimal"]
    assert np.allclose(runs[0]["energy.total"], runs[1]["energy.total"], atol=1e-9)

"""Functions of Python as inputs, trajectories and controllers do what formulas do; wrong ones raise what is wrong."""
import gc
import os
import signal
import sys
import threading
import time
import weakref

import numpy as np
import pytest

import invar

MASS = {"name": "mass", "parameters": {"m": 2.0},
        "system": {"coordinates": ["x", "y"], "kinetic": "m/2*(x'^2 + y'^2)",
                   "input": [{"name": "F", "force": {"x": "1"}}, {"name": "G", "force": {"y": "1"}}],
                   "output": [{"name": "px", "expr": "x"}, {"name": "py", "expr": "y"}]},
        "initial": {"x": 0.0, "y": 0.0}}


@pytest.fixture
def mass():
    return invar.load(MASS)


@pytest.mark.parametrize("settings", [{"step": 0.01}, {"step": 0.1, "adaptive": 1e-8, "method": "dormand-prince"}])
def test_an_input_function_is_the_formula_that_it_computes(mass, settings):
    by_text = mass.simulate(until=1.0, inputs={"F": "4*t^2", "G": "m*t"}, **settings)
    by_function = mass.simulate(until=1.0, inputs={"F": lambda t: 4 * t * t, "G": "m*t"}, **settings)
    assert np.allclose(by_text.array, by_function.array, rtol=1e-14, atol=1e-14)


def test_pairs_of_arrays_are_samples(mass):
    times, values = np.linspace(0, 1, 11), np.linspace(0, 2, 11)
    run = mass.simulate(until=1.0, step=0.05, inputs={"F": (times, values)})
    assert np.allclose(run["F"], 2 * run.t) and not run["G"].any()


def test_functions_replace_the_inputs_of_the_file_and_parameters_reach_the_run():
    model = invar.load({**MASS, "simulate": {"inputs": {"G": "5"}}}).with_parameters(m=1.0)
    run = model.simulate(until=1.0, step=0.1, inputs={"F": lambda t: 1.0})
    assert not run["G"].any() and np.allclose(run["x'"], run.t)
    assert model.simulate(until=1.0, step=0.1)["G"].all()


def test_a_simulator_takes_functions_too(mass):
    sim = mass.simulator(step=0.1, inputs={"F": lambda t: 2.0})
    sim.step(count=10)
    assert np.isclose(sim.v[0], 1.0)


def test_a_trajectory_may_be_a_function():
    def path(t):
        return [np.sin(t) - t * np.exp(-t), 0.5 * t**3]
    model = {**MASS, "trajectory": [{"outputs": ["px", "py"], "expr": path}]}
    model["initial"] = {"x": 0.0, "y": 0.0, "x'": 0.0, "y'": 0.0}
    run = invar.load(model).invert(until=1.0, step=0.1)
    t = run.t
    assert np.allclose(run["F"], 2 * (-np.sin(t) + (2 - t) * np.exp(-t))) and np.allclose(run["G"], 2 * 3 * t)
    one_by_one = invar.load({**model, "trajectory": [{"outputs": ["px", "py"], "expr": ["0", lambda t: t**4]}]})
    assert np.allclose(one_by_one.invert(until=1.0, step=0.1)["G"], 2 * 12 * t**2)


@pytest.mark.parametrize("path, words", [
    (lambda t: [1.0 if t > 1 else 0.0, 0.0], "use operators and functions of NumPy or invar"),
    (lambda t: [float(t), 0.0], "contains symbols"),
    (lambda t: [0.0 if isinstance(t, float) else t, t], "give values"),
    (lambda t: [{}, 0.0], "is asked for a formula"),
])
def test_a_trajectory_that_is_no_formula_is_refused(path, words):
    with pytest.raises(invar.ModelError, match=words):
        invar.load({**MASS, "trajectory": [{"outputs": ["px", "py"], "expr": path}]})


def law(t, q, v):
    return [-30.0 * q[0] - 8.0 * v[0] + 1.0, -30.0 * q[1] - 8.0 * v[1]]


def test_a_controller_is_sampled_and_held(mass):
    """x'' = u/m with u held: x₁ = x₀ + h v₀ + h² u/2m, v₁ = v₀ + h u/m exactly."""
    run = mass.control(controller=law, until=2.0, period=0.05)
    x = v = 0.0
    for k in range(len(run.t)):
        u = law(0, [x, 0], [v, 0])[0]
        assert np.isclose(run["x"][k], x, atol=1e-12) and np.isclose(run.tables["inputs"]["F"][k], u, atol=1e-10)
        x, v = x + 0.05 * v + 0.05**2 * u / 4, v + 0.05 * u / 2
    assert run.summary["method"] == "own"


def test_a_controller_sees_every_coordinate():
    model, seen = invar.load({**MASS, "initial": {"x": 1.0, "y": 2.0, "x'": 3.0, "y'": 4.0}}), []
    model.control(controller=lambda t, q, v: seen.append((*q, *v)) or [0.0, 0.0], until=1.0, period=0.5)
    assert np.allclose(seen, [[1 + 3 * t, 2 + 4 * t, 3, 4] for t in (0.0, 0.5, 1.0)])


def test_limits_noise_and_delay_hold_for_it_too(mass):
    asked = []
    def watched(t, q, v):
        asked.append((t, q.copy()))
        return {"F": 10.0}
    run = mass.control(controller=watched, until=1.0, period=0.1, limits={"F": [-3, 3]}, noise={"x": 0.1}, delay=2)
    assert run["F"].max() == 3.0 and not run["G"].any()
    assert len(asked) == 12 and np.std([q[0] for _, q in asked[1:]] - run["x"]) > 0.02  # one to find where it begins


@pytest.mark.parametrize("function, words", [
    (lambda t: "much", "input \"F\": what its function returns must be a number, not str"),
    (lambda t: np.ones(3), "must be a number"),
    (lambda t: float("nan"), "input \"F\": its function gives nan"),
    (lambda t: 1.0 if t < 0.5 else float("inf"), "gives inf at t = 0.5"),
])
def test_an_input_function_that_gives_nonsense_is_named(mass, function, words):
    with pytest.raises(invar.ModelError) as found:
        mass.simulate(until=1.0, step=0.1, inputs={"F": function})
    assert words in str(found.value)
    with pytest.raises(invar.ModelError, match="unknown input \"H\""):
        mass.simulate(inputs={"H": function})
    assert mass.simulate(until=0.1).status == "done"


@pytest.mark.parametrize("function, words", [
    (lambda t, q, v: [1.0], "must have shape (2,)"),
    (lambda t, q, v: "much", "must be numbers"),
    (lambda t, q, v: {"H": 1.0}, "unknown input \"H\""),
    (lambda t, q, v: {"F": "1"}, "must be a number"),
    (lambda t, q, v: None, "controller: what it returns must"),
])
def test_a_controller_that_gives_nonsense_is_named(mass, function, words):
    with pytest.raises(invar.ModelError) as found:
        mass.control(controller=function)
    assert words in str(found.value)


def test_a_controller_that_gives_nan_ends_the_run_with_what_was_computed(mass):
    with pytest.raises(invar.NumericsError, match="not finite at t = 0.5") as found:
        mass.control(controller=lambda t, q, v: [1.0 if t < 0.45 else np.nan, 0.0], until=1.0, period=0.1)
    assert len(found.value.run.t) == 5


def test_what_a_function_raises_comes_through(mass):
    class Mine(Exception):
        pass
    def bad(*arguments):
        if arguments[0] > 0.3:
            raise Mine("at the third step")
        return 0.0 if len(arguments) == 1 else [0.0, 0.0]
    for call in (lambda: mass.simulate(until=1.0, step=0.1, inputs={"F": bad}),
                 lambda: mass.control(controller=bad, until=1.0, period=0.1),
                 lambda: mass.simulator(step=0.1, inputs={"F": bad}).step(count=10)):
        with pytest.raises(Mine, match="third step"):
            call()
    with pytest.raises(TypeError):
        mass.control(controller=lambda: None)


def test_control_c_within_a_function_keeps_what_was_computed(mass):
    def slow(t):
        time.sleep(1e-3)
        return 1.0
    pressed = []
    def press():
        time.sleep(0.5)
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    thread = threading.Thread(target=press)
    thread.start()
    with pytest.raises(invar.Interrupted) as found:
        mass.simulate(until=1e3, step=1e-2, inputs={"F": slow})
    thread.join()
    assert time.monotonic() - pressed[0] < 1.0
    run = found.value.run
    assert run.status == "interrupted" and len(run.t) > 10 and np.allclose(run["F"], 1.0)


def test_functions_are_called_in_the_thread_that_runs(mass):
    found = {}
    def simulate(k):
        seen = set()
        def force(t):
            seen.add(threading.get_ident())
            return float(k)
        found[k] = mass.simulate(until=1.0, step=0.01, inputs={"F": force})["x'"][-1], seen == {threading.get_ident()}
    threads = [threading.Thread(target=simulate, args=(k,)) for k in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    for k, (speed, own) in found.items():
        assert np.isclose(speed, k / 2) and own


def test_functions_do_not_outlive_their_run():
    class Force:
        def __init__(self, model):
            self.model = model
        def __call__(self, t):
            return 1.0
    model = invar.load(MASS)
    force = Force(model)
    gone = weakref.ref(force)
    run = model.simulate(until=0.1, inputs={"F": force})
    before = sys.getrefcount(Force)
    del force, run
    gc.collect()
    assert gone() is None and sys.getrefcount(Force) < before

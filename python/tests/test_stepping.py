"""A simulation step by step is the simulation as a whole."""
import pickle
import threading

import numpy as np
import pytest

import invar

CART = {
    "name": "cart",
    "parameters": {"m": 2.0},
    "system": {"coordinates": ["x"], "kinetic": "m/2*x'^2", "input": [{"name": "F", "force": {"x": "1"}}]},
    "initial": {"x": 0.0},
}


@pytest.mark.parametrize("name, settings", [
    ("pendulum", {"step": 0.01}),
    ("double_pendulum", {"step": 0.01, "method": "rk4"}),
    ("heavy_top", {"step": 0.001}),
    ("andrews_squeezer", {"step": 1e-4}),
])
def test_steps_are_those_of_a_simulation(name, settings):
    model = invar.load(name)
    run = model.simulate(until=20 * settings["step"], every=1, **settings)
    sim = model.simulator(**settings)
    rows = [sim.row()]
    for _ in range(20):
        sim.step()
        rows.append(sim.row())
    assert tuple(sim.columns) == run.columns
    assert np.array_equal(np.array(rows), run.array)


def test_inputs_are_held():
    """x'' = F/m exactly, whatever the step."""
    sim = invar.load(CART).simulator(step=0.1)
    sim.step([4.0], count=10)
    assert np.isclose(sim.t, 1.0) and np.allclose(sim.q, 1.0) and np.allclose(sim.v, 2.0)
    sim.step({"F": -4.0}, count=10)
    assert np.allclose(sim.v, 0.0, atol=1e-12) and np.allclose(sim.q, 2.0) and sim["F"] == -4.0
    assert sim.inputs.tolist() == [-4.0]


def test_parameters_reach_the_steps():
    sim = invar.load(CART).with_parameters(m=1.0).simulator(step=0.5)
    sim.step([1.0], count=2)
    assert np.allclose(sim.v, 1.0)


def test_a_snapshot_leads_back():
    sim = invar.load("double_pendulum").simulator(step=0.01)
    sim.step(count=10)
    there = pickle.loads(pickle.dumps(sim.snapshot()))
    sim.step(count=25)
    first = sim.state
    sim.restore(there)
    assert sim.t == there.t
    sim.step(count=25)
    assert np.allclose(sim.q, first.q, rtol=1e-9) and np.isclose(sim.t, first.t)
    other = invar.load("double_pendulum").simulator(step=0.01)
    other.restore(there)
    other.step(count=25)
    assert np.array_equal(other.q, sim.q)


def test_reset_begins_again_and_elsewhere():
    sim = invar.load("pendulum").simulator(step=0.01)
    start = sim.state
    sim.step(count=5)
    sim.reset()
    assert sim.t == 0.0 and np.array_equal(sim.q, start.q)
    sim.reset(q=[0.0, -1.1], v=[0.5, 0.0])
    assert abs(np.hypot(*sim.q) - 1.0) < 1e-9  # the rod has length 1
    sim.step(count=5)
    assert abs(np.hypot(*sim.q) - 1.0) < 1e-9


@pytest.mark.parametrize("call, words", [
    (lambda s: s.step([1.0, 2.0]), "u must have shape (1,)"),
    (lambda s: s.step([[1.0]]), "u must have shape (1,)"),
    (lambda s: s.step([np.nan]), "u must be finite"),
    (lambda s: s.step("much"), "u must be numbers"),
    (lambda s: s.step({"G": 1.0}), 'unknown input "G"'),
    (lambda s: s.step([1.0], count=-1), "count"),
    (lambda s: s.reset(q=[1.0, 2.0]), "q must have shape (1,)"),
    (lambda s: s.restore(invar.load("pendulum").simulator().snapshot()), "of another model"),
])
def test_wrong_arguments_leave_it_where_it_is(call, words):
    sim = invar.load(CART).simulator(step=0.1)
    sim.step([1.0])
    before = sim.state
    with pytest.raises(invar.ModelError) as found:
        call(sim)
    assert words in str(found.value)
    assert sim.t == before.t and np.array_equal(sim.q, before.q)


def test_unequal_steps_are_refused():
    with pytest.raises(invar.ModelError, match="adaptive"):
        invar.load(CART).simulator(adaptive=1e-6)


def test_a_step_that_fails_raises_and_stays():
    sim = invar.load({"name": "fall", "system": {"coordinates": ["x"], "kinetic": "x'^2/2", "potential": "-1/x"},
                      "initial": {"x": 1}}).simulator(step=0.01)
    with pytest.raises(invar.NumericsError) as found:
        sim.step(count=1000)
    assert found.value.run is None and 1.0 < sim.t < 1.2  # π/2/√2 = 1.11 s


def test_threads_do_not_share_a_simulator():
    sim, told = invar.load("pendulum").simulator(step=1e-4), []
    def run():
        try:
            for _ in range(20):
                sim.step(count=2000)
        except invar.ModelError as error:
            told.append(str(error))
    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    assert all("another thread" in words for words in told)
    sim.reset()
    sim.step()


def swarm(count=3):
    problem, _ = invar.load(CART)._readings.problem("simulate", {"step": 0.1, "method": "rk4"}, {})
    return invar._invar.Swarm(problem, count)


def test_a_swarm_goes_as_simulators_do():
    """x'' = F/m exactly, also by rk4."""
    many = swarm()
    many.start(1, np.array([1.0]), np.array([2.0]))
    many.advance(np.array([[4.0], [0.0], [-4.0]]), 10, 2)
    t, q, v, failed = many.state()
    assert np.allclose(t, 1.0) and np.allclose(q[:, 0], [1, 3, -1]) and np.allclose(v[:, 0], [2, 2, -2])
    assert not failed.any() and many.in_lanes


@pytest.mark.parametrize("call, words", [
    (lambda s: s.advance(np.zeros((2, 1)), 1, 1), "u must have shape (3, 1)"),
    (lambda s: s.advance(np.zeros(3), 1, 1), "u must have shape (3, 1)"),
    (lambda s: s.advance(np.full((3, 1), np.nan), 1, 1), "u must be finite"),
    (lambda s: s.start(3, np.zeros(1), np.zeros(1)), "no such simulation"),
    (lambda s: s.start(0, np.zeros(2), np.zeros(1)), "q must have shape (1,)"),
])
def test_wrong_arguments_of_a_swarm_are_named(call, words):
    with pytest.raises(invar.ModelError) as found:
        call(swarm())
    assert words in str(found.value)


def test_threads_do_not_share_a_swarm():
    many, told = swarm(500), []
    def run():
        try:
            for _ in range(20):
                many.advance(np.zeros((500, 1)), 100, 1)
        except invar.ModelError as error:
            told.append(str(error))
    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    assert all("another thread" in words for words in told)
    many.state()

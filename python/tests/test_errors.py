"""Whatever is wrong is an exception that names it, and the interpreter lives on."""
import gc
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import invar
from test_models import PENDULUM

MASS = """name = "mass"
[system]
coordinates = ["x"]
kinetic = "x'^2/2"
[[system.input]]
name = "F"
force = { x = "1" }
[initial]
x = 0
"""


def test_a_mistake_in_a_file_has_a_place():
    with pytest.raises(invar.ModelError) as found:
        invar.load(MASS.replace('kinetic = "x\'^2/2"', 'kinetic = "w\'^2/2"'))
    error = found.value
    assert (error.file, error.line, error.column) == ("<text>", 4, 12)
    assert 'unknown name "w' in error.words and isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert (again.line, again.words) == (4, error.words)


@pytest.mark.parametrize("call, words", [
    (lambda m: m.simulate(stpe=0.1), '[simulate]: unknown key "stpe"; did you mean "step"?'),
    (lambda m: m.simulate(step=-1.0), '"step" must be'),
    (lambda m: m.simulate(step=float("nan")), 'simulate: "step": numbers must be finite, not nan'),
    (lambda m: m.simulate(step=10**30), 'simulate: "step": the number is too large'),
    (lambda m: m.simulate(method="radua5"), "radau5"),
    (lambda m: m.simulate(inputs={"G": 1}), 'unknown input "G"'),
    (lambda m: m.simulate(inputs={"F": lambda t: None}),
     "input \"F\": what its function returns must be a number, not NoneType"),
    (lambda m: m.simulate(inputs={"F": None}), "input 'F' must be a formula, samples or a function, not None"),
    (lambda m: m.control(controller=lambda t, q, v: None), "controller: what it returns must be numbers"),
    (lambda m: m.simulate(progress=3), "progress: give True, False or a function, not int"),
    (lambda m: m.simulator(step=0.1).step([None]), "simulator: u must be numbers"),
    (lambda m: m.simulate(inputs={3: 1}), "names must be strings, not 3"),
    (lambda m: m.with_parameters(q=1), 'unknown parameter "q"'),
    (lambda m: m.with_parameters(m=float("inf")), "finite"),
    (lambda m: m.with_parameters(m="heavy"), 'parameter "m" must be a number'),
    (lambda m: m.with_parameters(m=np.ones(2)), 'parameter "m" must be a number, not ndarray'),
    (lambda m: m.invert(), "trajector"),
    (lambda m: m.optimize(), "optimize"),
    (lambda m: invar.load("pendulm"), "did you mean \"pendulum\"?"),
    (lambda m: invar.load("/no/such/file.toml"), "/no/such/file.toml"),
    (lambda m: invar.load(3.0), "not float"),
    (lambda m: invar.load({"name": "x", "system": {"coordinates": object()}}), "must be a number, a string"),
    (lambda m: invar.load({"name": "\x00"}), "control characters"),
    (lambda m: invar.load(""), "load: the text is empty"),
    (lambda m: invar.load("pendulum", parameters=[3]), "parameters: give a dict of names and values, not list"),
    (lambda m: m.with_parameters("m=3"), "with_parameters: give a dict or keywords, not str"),
    (lambda m: invar.load({"name": "x", "body": [{"name": "a", "position": [float("nan")]}]}),
     "model: \"body\" 'a': \"position\": numbers must be finite, not nan"),
    (lambda m: invar.coordinates(3), "give names, as a text or a list, not int"),
    (lambda m: invar.formula(None), "formula: give a text, a number or a formula, not NoneType"),
    (lambda m: invar.System("x", "x'^2/2", constrains={"c": "x"}),
     'unknown argument \'constrains\'; did you mean "constraints"?'),
    (lambda m: invar.System("x", "x'^2/2", constraints=["x"]), 'give {name: expr}, or a list of tables with "name"'),
    (lambda m: m.simulator(step=0.1).reset(t=float("nan")), "simulator: t must be finite"),
    (lambda m: m.function("mass_matrx"), 'there is no "mass_matrx"; did you mean "mass_matrix"?'),
    (lambda m: m.simulate(until=0.1).save("/tmp/never", format="xml"), "save: there is no format 'xml'"),
    (lambda m: m.simulate(until=0.1).save("/tmp/never", snapshots=[9]), "there is no picture at t = 9; the run goes"),
    (lambda m: m.simulate(until=0.1).save("/tmp/never", snapshots="a"), "snapshots must be a list of times"),
    (lambda m: m.sweep({}), "sweep: say what is varied"),
    (lambda m: m.sweep([("m", [1])]), "sweep: say what is varied"),
    (lambda m: m.sweep({"m": "normal(1, 0.1)"}, samples=-3), "samples must be a whole number from 0, not -3"),
    (lambda m: m.sweep({"m": [1]}, threads=0), "threads must be a whole number from 1, not 0"),
    (lambda m: m.sweep({"m": [1]}, limit=float("nan")), "limit must be a number of seconds, not nan"),
])
def test_wrong_arguments_are_named(call, words):
    model = invar.load({**PENDULUM, "system": {**PENDULUM["system"], "input": [{"name": "F", "force": {"x": "1"}}]}})
    with pytest.raises(invar.ModelError) as found:
        call(model)
    assert words in str(found.value)
    assert model.simulate(until=0.02).status == "done"


def test_nests_without_end_are_refused():
    endless = {"name": "x"}
    endless["self"] = endless
    with pytest.raises(invar.ModelError, match="nested too deeply"):
        invar.load(endless)


def test_a_failed_run_carries_what_was_computed():
    """x'' = -1/x² from rest falls into the pole at x = 0 after t = π/2/√2."""
    with pytest.raises(invar.NumericsError) as found:
        invar.load("""name = "fall"
[system]
coordinates = ["x"]
kinetic = "x'^2/2"
potential = "-1/x"
[initial]
x = 1
""").simulate(until=2.0, step=0.01)
    run = found.value.run
    assert run.status == "failed" and run.message == str(found.value)
    assert len(run.t) > 50 and np.isfinite(run.array).all()


def test_a_column_that_is_not_there_has_a_neighbour():
    run = invar.load(PENDULUM).simulate()
    with pytest.raises(KeyError, match='did you mean "energy.total"'):
        run["energy.totl"]
    with pytest.raises(KeyError):
        run[3]
    with pytest.raises(ValueError):
        run["x"][0] = 1.0  # views are read-only


def test_a_folder_that_is_not_ours_is_not_touched(tmp_path):
    (tmp_path / "letter.txt").write_text("dear")
    run = invar.load(PENDULUM).simulate()
    with pytest.raises(invar.ModelError):
        run.save(tmp_path)
    assert (tmp_path / "letter.txt").read_text() == "dear"
    (tmp_path / "shut").write_text("")
    with pytest.raises((OSError, invar.ModelError)):
        run.save(tmp_path / "shut" / "inside")


def test_a_progress_function_that_raises_ends_the_run():
    def stop(fraction):
        raise RuntimeError("enough")
    begin = time.monotonic()
    with pytest.raises(RuntimeError, match="enough"):
        invar.load(PENDULUM).simulate(until=9e4, step=1e-3, every=1000, progress=stop)
    assert time.monotonic() - begin < 30.0


def test_progress_is_told():
    told = []
    invar.load(PENDULUM).simulate(until=300.0, step=1e-3, every=1000, progress=told.append)
    assert told == sorted(told) and all(0.0 <= f <= 1.0 for f in told)


def test_control_c_ends_a_run_with_what_was_computed():
    pressed = []
    def press():
        time.sleep(0.5)
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    model = invar.load(PENDULUM)
    model.simulate(until=0.01)
    threading.Thread(target=press).start()
    with pytest.raises(KeyboardInterrupt) as found:
        model.simulate(until=9e4, step=1e-3, every=1000)
    late = time.monotonic() - pressed[0]
    assert isinstance(found.value, invar.Interrupted)
    run = found.value.run
    assert run.status == "interrupted" and len(run.t) > 1 and np.isfinite(run.array).all()
    assert late < 1.0  # 0.1 s on an idle machine


def test_the_command_is_there():
    done = subprocess.run([sys.executable, "-m", "invar", "check", "pendulum"], capture_output=True, text=True)
    assert done.returncode == 0 and "1 degree of freedom" in done.stdout
    done = subprocess.run([sys.executable, "-m", "invar", "chekc", "pendulum"], capture_output=True, text=True)
    assert done.returncode == 1 and 'did you mean "check"' in done.stderr


def test_other_threads_run_meanwhile():
    counted, going = [0], threading.Event()
    def count():
        while not going.is_set():
            counted[0] += 1
            time.sleep(1e-4)
    thread = threading.Thread(target=count)
    thread.start()
    model = invar.load(PENDULUM)
    before = counted[0]
    model.simulate(until=100.0, step=1e-3, every=1000)
    during = counted[0] - before
    going.set()
    thread.join()
    assert during > 10


def test_nothing_is_kept_of_what_is_gone():
    def work(count):
        for i in range(count):
            model = invar.load(PENDULUM)
            model.with_parameters(L=2.0 + i).simulate(until=0.02)
            with pytest.raises(invar.ModelError):
                model.simulate(stpe=1.0)
            model.function("mass_matrix").jacobian("q")
            sim = model.simulator(step=0.01)
            sim.step(count=3)
            sim.restore(sim.snapshot())
    def kilobytes():
        gc.collect()
        return 4 * int(open("/proc/self/statm").read().split()[1])
    work(30)
    before = kilobytes()
    work(100)
    assert kilobytes() - before < 2000


@pytest.mark.parametrize("what", ["steps", "points"])
def test_control_c_ends_steps_and_functions(what):
    sim = invar.load(PENDULUM).simulator(step=1e-5)
    energy = invar.load("andrews_squeezer").function("residual")
    points = {name: np.zeros((4_000_000, size)) for name, size, needed, _ in energy._arguments if needed}
    pressed = []
    def press():
        time.sleep(0.3)
        pressed.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)
    thread = threading.Thread(target=press)
    thread.start()
    with pytest.raises(KeyboardInterrupt):
        sim.step(count=10**9) if what == "steps" else energy(**points)
    late = time.monotonic() - pressed[0]
    thread.join()
    assert late < 1.0  # 0.1 s on an idle machine
    before = sim.t
    sim.step()
    assert sim.t > before


def test_a_run_without_rows_has_no_times():
    assert len(invar.Table([], np.empty((0, 0))).t) == 0

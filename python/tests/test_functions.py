"""Functions of arrays against formulas that are known, and against each other."""
import copy
import subprocess
import shutil

import numpy as np
import pytest

import invar

# Two links of length 1 with point masses m at their ends: M = m [[2 + …]], known in closed form.
DOUBLE = {
    "name": "double pendulum",
    "parameters": {"m": 1.5, "g": 9.81},
    "system": {
        "coordinates": ["a", "b"],
        "kinetic": "m/2*a'^2 + m/2*(a'^2 + b'^2 + 2*a'*b'*cos(a - b))",
        "potential": "-m*g*cos(a) - m*g*(cos(a) + cos(b))",
        "input": [{"name": "M", "force": {"a": "1", "b": "-1"}}],
        "output": [{"name": "tip", "expr": "sin(a) + sin(b)"}],
    },
    "initial": {"a": 0.1, "b": 0.2},
}


@pytest.fixture(scope="module")
def model():
    return invar.load(DOUBLE)


def points(count, seed=1):
    return np.random.default_rng(seed).normal(size=(count, 2))


def test_mass_matrix_at_one_point_and_many(model):
    M = model.function("mass_matrix")
    q = points(1000)
    found = M(q=q)
    c = 1.5 * np.cos(q[:, 0] - q[:, 1])
    assert found.shape == (1000, 2, 2) and M.shape == (2, 2) and M.arguments == ("q",)
    assert np.allclose(found[:, 0, 0], 3.0) and np.allclose(found[:, 1, 1], 1.5)
    assert np.allclose(found[:, 0, 1], c) and np.allclose(found[:, 1, 0], c)
    assert np.array_equal(M(q[7]), found[7])
    assert np.array_equal(M(q.reshape(10, 20, 5, 2)), found.reshape(10, 20, 5, 2, 2))
    assert np.array_equal(M(q=np.asfortranarray(q)), found) and np.array_equal(M(q=q[::-1]), found[::-1])


def test_what_is_constant_is_so_at_every_point(model):
    B = model.function("input_matrix")
    assert B.arguments == () and B(q=points(7)).shape == (7, 2, 1)
    assert B(q=points(7), t=np.zeros((3, 7))).shape == (3, 7, 2, 1)
    x, y = invar.coordinates("x y")
    assert np.array_equal(invar.function([x, y], [x, 1])(np.ones(4), np.zeros(4)), np.ones((4, 2)))


def test_threads_share_the_points(model):
    q = points(5000)
    potential = model.function("potential")
    assert np.array_equal(potential(q=q, threads=3), potential(q=q))
    assert potential(q=np.zeros((0, 2))).shape == (0,) and potential(q=q[:1], threads=8).shape == (1,)


def test_forces_residual_and_energy(model):
    q, v, a, u = points(50), points(50, 2), points(50, 3), points(50, 4)[:, :1]
    forces = model.function("forces")(q=q, u=u)
    assert np.allclose(forces[:, 0], -2 * 1.5 * 9.81 * np.sin(q[:, 0]) + u[:, 0])
    assert np.allclose(forces[:, 1], -1.5 * 9.81 * np.sin(q[:, 1]) - u[:, 0])
    s = 1.5 * np.sin(q[:, 0] - q[:, 1])
    inertia = np.einsum("nij,nj->ni", model.function("mass_matrix")(q=q), a)
    inertia += np.stack([s * v[:, 1] ** 2, -s * v[:, 0] ** 2], axis=1)
    residual = model.function("residual")
    assert np.allclose(residual(q=q, v=v, a=a, u=u), inertia - forces)
    assert np.isclose(model.function("energy")(q=[0.0, 0.0], v=[0.0, 0.0]), -3 * 1.5 * 9.81)
    assert np.allclose(model.function("input_matrix")(), [[1], [-1]])
    assert np.allclose(model.function("tip")(q=q), np.sin(q).sum(axis=1))
    assert np.allclose(model.function("output_jacobian")(q=q), np.cos(q)[:, None, :])


def test_a_list_of_formulas_gives_their_numbers_side_by_side(model):
    f = model.function(["a + b", "tip", "energy", "2"])
    q, v = points(10), points(10, 2)
    found = f(q=q, v=v)
    assert f.shape == (4,) and found.shape == (10, 4) and (found[:, 3] == 2).all()
    assert np.allclose(found[:, 0], q.sum(axis=1)) and np.allclose(found[:, 1], model.function("tip")(q=q))
    assert np.allclose(f.jacobian("q")(q=q, v=v)[:, 1, :], np.cos(q))
    with pytest.raises(invar.ModelError, match="is not a number"):
        model.function(["a", "mass_matrix"])


def test_outputs_stand_in_formulas(model):
    q, v = points(10), points(10, 2)
    assert np.allclose(model.function("2*tip + a")(q=q), 2 * np.sin(q).sum(axis=1) + q[:, 0])
    assert np.allclose(model.function("tip'")(q=q, v=v), (np.cos(q) * v).sum(axis=1))


def test_what_cannot_be_asked_for_is_named(model):
    with pytest.raises(invar.ModelError, match="not NoneType"):
        model.function(None)


def test_formulas_are_copied_as_they_are():
    x, y = invar.coordinates("x y")
    both = copy.deepcopy(np.array([x * y, x]))
    assert both[0] == x * y and copy.copy(x) == x


def test_constraints_of_a_pendulum():
    G = invar.load("pendulum").function("constraint_jacobian")
    q = points(10)
    assert np.allclose(G(q)[:, 0, :], q)  # Φ = (x² + y² − 1)/2
    reactions = invar.load("pendulum").function("reactions")(q=[0.6, 0.8], lam=[2.0])
    assert np.allclose(reactions, [1.2, 1.6])


def test_any_formula_and_its_exact_derivatives(model):
    f = model.function("m*sin(a)*b' + t^2")
    assert f.arguments == ("t", "q", "v") and f.parameters == {"m": 1.5}
    q, v = points(20), points(20, 2)
    assert np.allclose(f(0.5, q, v), 1.5 * np.sin(q[:, 0]) * v[:, 1] + 0.25)
    gradient = f.jacobian("q")
    assert gradient.shape == (2,)
    assert np.allclose(gradient(q=q, v=v)[:, 0], 1.5 * np.cos(q[:, 0]) * v[:, 1])
    assert np.allclose(gradient(q=q, v=v)[:, 1], 0.0)
    assert np.allclose(f.jacobian("b'")(q=q), 1.5 * np.sin(q[:, 0]))
    assert np.allclose(f.jacobian("m")(q=q, v=v), np.sin(q[:, 0]) * v[:, 1])
    assert np.allclose(f.jacobian("q").jacobian("v")(q=q)[:, 0, 1], 1.5 * np.cos(q[:, 0]))


def test_parameters_may_be_arrays(model):
    potential = model.function("potential")
    masses = np.linspace(1.0, 2.0, 5)
    assert np.allclose(potential(q=[0.0, 0.0], parameters={"m": masses}), -3 * masses * 9.81)
    assert np.isclose(model.with_parameters(m=3.0).function("potential")(q=[0.0, 0.0]), -9 * 9.81)


def test_signals_follow_the_time():
    """A move by poly3 goes as 3τ² − 2τ³ and then stands still."""
    system = {**DOUBLE["system"], "output": [{"name": "moved", "expr": "c*a"}]}
    signal = {"name": "c", "from": 0.0, "to": 1.0, "duration": 1.0, "profile": "poly3"}
    moved = invar.load({**DOUBLE, "system": system, "signal": [signal]}).function("moved")
    times = np.linspace(0.0, 2.0, 21)
    tau = np.minimum(times, 1.0)
    assert moved.arguments == ("t", "q")
    assert np.allclose(moved(t=times, q=[2.0, 0.0]), 2.0 * (3 * tau**2 - 2 * tau**3))
    assert np.allclose(moved.jacobian("q")(t=times)[:, 0], 3 * tau**2 - 2 * tau**3)


def test_the_c_source_computes_the_same(model, tmp_path):
    f = model.function("residual")
    source = f.c_source("residual")
    assert "void residual(const double *in, double *out)" in source
    if shutil.which("cc") is None:
        pytest.skip("no C compiler")
    import ctypes
    (tmp_path / "f.c").write_text(source)
    command = ["cc", "-O1", "-ffp-contract=off", "-shared", "-fPIC", "f.c", "-o", "f.so", "-lm"]
    subprocess.run(command, cwd=tmp_path, check=True)
    compiled = ctypes.CDLL(str(tmp_path / "f.so")).residual
    values = {"a": 0.3, "b": -0.4, "a'": 0.5, "b'": 0.6, "a''": -0.7, "b''": 0.8, "M": 2.0, "m": 1.5, "g": 9.81}
    given = (ctypes.c_double * len(f.symbols))(*(values[name] for name in f.symbols))
    found = (ctypes.c_double * 2)()
    compiled(given, found)
    assert np.array_equal(list(found), f(q=[0.3, -0.4], v=[0.5, 0.6], a=[-0.7, 0.8], u=[2.0]))


@pytest.mark.parametrize("call, words", [
    (lambda m: m.function("mass_matrix")(q=[1.0]), "argument 'q' must have shape (…, 2), not (1,)"),
    (lambda m: m.function("mass_matrix")(q="a"), "argument 'q' must be numbers"),
    (lambda m: m.function("mass_matrix")(q=[None, 1.0]), "argument 'q' must be numbers"),
    (lambda m: m.function("mass_matrix")(q=["1", "2"]), "argument 'q' must be numbers"),
    (lambda m: m.function("mass_matrix")(q=[0, 0], threads=0), "threads must be a whole number from 1, not 0"),
    (lambda m: m.function("mass_matrix")(q=[0, 0], threads="all"), "not 'all'"),
    (lambda m: invar.function(invar.coordinates("x") * 2, 1.0), "argument \"x\" is given twice"),
    (lambda m: m.function("mass_matrix")(), "argument 'q' is missing"),
    (lambda m: m.function("mass_matrix")([0, 0], q=[0, 0]), "given twice"),
    (lambda m: m.function("mass_matrix")([0, 0], [0, 0], 3), "too many"),
    (lambda m: m.function("mass_matrix")(q=[0, 0], w=1), "no argument 'w'"),
    (lambda m: m.function("mass_matrix")(q=[0, 0], parameters={"k": 1}), "no parameter 'k'"),
    (lambda m: m.function("forces")(q=np.zeros((3, 2)), u=np.zeros((4, 1))), "do not fit together"),
    (lambda m: m.function("mass_matrix").jacobian("w"), 'no argument, symbol or parameter "w"'),
    (lambda m: m.function("mass_matrx"), "mass_matrx"),
    (lambda m: m.function("a +"), "a +"),
    (lambda m: m.function("mass_matrix").c_source("a b"), "is no name of C"),
])
def test_wrong_arguments_are_named(model, call, words):
    with pytest.raises(invar.ModelError) as found:
        call(model)
    assert words in str(found.value)


def test_no_points_are_points(model):
    f = model.function("mass_matrix")
    assert f(q=np.zeros((0, 2))).shape == (0, 2, 2) and f(q=np.zeros((4, 0, 2))).shape == (4, 0, 2, 2)


def test_nan_goes_through():
    f = invar.load(DOUBLE).function("sin(a)")
    assert np.isnan(f(q=[np.nan, 0.0])) and np.isnan(f(q=[[np.nan, 0.0], [0.0, 0.0]])).tolist() == [True, False]


def test_expressions_are_formulas():
    x, y = invar.coordinates("x y")
    m, = invar.parameters("m")
    kinetic = m / 2 * (x.dt**2 + y.dt**2)
    assert invar.formula("m/2*(x'^2 + y'^2)") == kinetic and invar.formula(str(kinetic)) == kinetic
    assert kinetic.diff(x.dt) == m * x.dt
    assert (invar.sin(x) * y).diff(x) == invar.cos(x) * y
    assert (x**2).dt == 2 * x * x.dt and (3 * invar.t).dt == 3
    assert invar.coordinates("x")[0] == x and float(invar.formula("2^3")) == 8.0
    assert np.sin(np.array([x, y]))[1] == invar.sin(y)
    rows = invar.jacobian([x * y, x + 2 * y], [x, y])
    assert rows[0, 0] == y and rows[0, 1] == x and rows[1, 0] == 1 and rows[1, 1] == 2
    f = invar.function([x, y], [[x * y, x], [y, invar.atan2(y, x)]])
    a, b = points(9).T
    assert np.allclose(f(a, b)[:, 0, 0], a * b) and np.allclose(f(a, b)[:, 1, 1], np.arctan2(b, a))
    assert f(1.0, 2.0).shape == (2, 2)


@pytest.mark.parametrize("call, error", [
    (lambda x: invar.coordinates("sin"), invar.ModelError),
    (lambda x: invar.coordinates("a b"[1:2] + "1+"), invar.ModelError),
    (lambda x: invar.parameters("x"), invar.ModelError),
    (lambda x: x.diff(x * 2), invar.ModelError),
    (lambda x: invar.formula("x + nonsense"), invar.ModelError),
    (lambda x: invar.function([x], [x + invar.coordinates("other")[0]]), invar.ModelError),
    (lambda x: x / 0, invar.ModelError),
    (lambda x: 1 / (x - x), invar.ModelError),
    (lambda x: x * float("nan"), invar.ModelError),
    (lambda x: float("inf") + x, invar.ModelError),
    (lambda x: (x - x)**-1, invar.ModelError),
    (lambda x: invar.log(0 * x), invar.ModelError),
    (lambda x: x + "1", TypeError),
    (lambda x: bool(x), TypeError),
    (lambda x: float(x), TypeError),
])
def test_what_is_no_formula_is_refused(call, error):
    x, = invar.coordinates("x")
    with pytest.raises(error):
        call(x)

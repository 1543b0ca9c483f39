"""Models built in Python mean the file that they write."""
import numpy as np
import pytest

import invar


def test_a_system_from_expressions_is_the_example():
    x, y = invar.coordinates("x y")
    m, g = invar.parameters("m g")
    built = invar.System([x, y], m / 2 * (x.dt**2 + y.dt**2), potential=m * g * y, name="pendulum",
                         parameters={"m": 1.0, "g": 9.81}, constraints={"rod": (x**2 + y**2 - 1) / 2},
                         initial={"x": -1.0, "y": 0.0})
    text = invar.System("x y", "m/2*(x'^2 + y'^2)", potential="m*g*y", name="pendulum",
                        parameters={"m": 1.0, "g": 9.81},
                        constraints={"rod": "(x^2 + y^2 - 1)/2"}, initial={"x": -1.0, "y": 0.0})
    runs = [model.simulate(until=1.0, step=0.01) for model in (built, text, invar.load(built.to_toml()))]
    assert np.array_equal(runs[0].array, runs[1].array) and np.array_equal(runs[0].array, runs[2].array)
    assert abs(runs[0]["energy.total"]).max() < 1e-9  # it starts at rest at height zero


def test_all_parts_of_a_system():
    crane = invar.System("s l x z", "5*s'^2 + 5*l'^2 + 50*(x'^2 + z'^2)", potential="981*z", name="crane",
                         force={"s": "-0.1*s'"},
                         constraints={"cable": {"expr": "((x - s)^2 + z^2 - l^2)/2", "tension": "l"}},
                         inputs={"F": {"s": 1}, "M": {"force": {"l": 10}}}, outputs={"load_x": "x", "load_z": "z"},
                         invariants=[{"name": "none", "expr": "0*x"}], initial={"s": 0, "l": 4, "x": 0, "z": -4},
                         trajectory=[{"outputs": ["load_x", "load_z"], "from": np.array([0.0, -4.0]), "to": [5.0, -1.0],
                                      "duration": 3.0, "profile": "poly9"}], units={"m": ["s", "l", "x", "z"]})
    assert crane.inputs == ["F", "M"] and crane.check().flat
    run = crane.invert(step=0.05)
    assert run.units["s"] == "m" and abs(run["load_x"][-1] - 5.0) < 1e-9


def crane():
    m = invar.Mechanism("crane", dimension=2, gravity=[0, -9.81], parameters={"m": 100.0})
    m.body("trolley", mass=10, inertia=1, position=[0, 0])
    m.point("load", mass="m", position=[0, -4])
    m.joint("track", "prismatic", between=["ground", "trolley"], at=[0, 0], axis=[1, 0], coordinate="s")
    m.cable("hoist", route=[{"on": "trolley"}, {"on": "load"}],
            winch={"coordinate": "l", "inertia": 0.1, "radius": 0.1})
    m.actuator("F", on="s").actuator("M", on="l", gain=10)
    m.output("load", point="load")
    return m.trajectory(["load.x", "load.y"], from_=[0, -4], to=[5, -1], duration=3.0, profile="poly9")


def test_a_mechanism_inverts_as_the_library_says():
    """The same crane as in docs/library.md: F from -509.3 to 479.2 N, M from -145.8 to -79.8 N m."""
    run = crane().model().invert(step=0.01)
    assert np.isclose(run["F"].min(), -509.3, atol=0.05) and np.isclose(run["F"].max(), 479.2, atol=0.05)
    assert np.isclose(run["M"].min(), -145.8, atol=0.05) and np.isclose(run["M"].max(), -79.8, atol=0.05)


def test_a_mechanism_writes_its_file():
    built = crane()
    again = invar.load(built.to_toml())
    assert again.to_dict() == built.model().to_dict()
    # A mass is a number once a model is made: the model is read again.
    heavy = built.model().with_parameters(m=120.0)
    light = built.model()
    assert heavy.invert(step=0.1)["M"][0] / light.invert(step=0.1)["M"][0] == pytest.approx(1.2)


def test_springs_and_what_has_no_name():
    m = invar.Mechanism("mass on a spring", dimension=2)
    m.point("p", mass=1.0, position=[1.5, 0.0])
    m.spring(between=[{"on": "ground", "at": [0, 0]}, {"on": "p"}], stiffness=100.0, rest=1.0)
    run = m.set("simulate", until=0.1, step=0.001).model().simulate()
    assert np.allclose(run["p.x"], 1.0 + 0.5 * np.cos(10 * run.t), atol=1e-4)


@pytest.mark.parametrize("call, words", [
    (lambda m: m.model(), "no bodies"),
    (lambda m: m.point("p", mass=1.0, position=[0, 0], veloctiy=[1, 0]).model(), 'did you mean "velocity"'),
    (lambda m: m.point("p", mass=float("nan"), position=[0, 0]).model(), "numbers must be finite"),
    (lambda m: m.point("p", mass=1.0, position=np.zeros((2, 2))).model(), "position"),
    (lambda m: m.point("p", mass=1.0, position=[0, 0]).add("jiont", "j").model(), "joint"),
])
def test_wrong_parts_are_named(call, words):
    with pytest.raises(invar.ModelError) as found:
        call(invar.Mechanism("m", dimension=2))
    assert words in str(found.value)


def test_a_mechanism_may_be_a_beam_alone():
    parts = invar.Mechanism("rod", gravity=[0, 0, -9.81])
    with pytest.raises(invar.ModelError, match="no bodies, points, beams or strings yet"):
        parts.model()
    parts.beam("rod", points=[[0, 0, 0], [1, 0, 0]], normal=[0, 0, 1], EA=1e4, GA=4e3, EI=1.0, GJ=1.0,
               mass_per_length=1.0, elements=4, from_="ground")
    assert parts.model().equilibrium().status == "done"


def test_symbols_stand_for_their_names():
    x, y = invar.coordinates("x y")
    m, = invar.parameters("m")
    by_symbols = invar.System([x, y], m / 2 * (x.dt**2 + y.dt**2), parameters={m: 2.0}, inputs={"F": {x: 1, y: "x"}},
                              initial={x: 1.0, y: 2.0, x.dt: 3.0})
    by_names = invar.System("x y", "0.5*m*(x'^2 + y'^2)", parameters={"m": 2.0}, inputs={"F": {"x": 1, "y": "x"}},
                            initial={"x": 1.0, "y": 2.0, "x'": 3.0})
    assert by_symbols.to_toml() == by_names.to_toml()
    assert (x * y + m).subs({x: y, m: 1.0}) == y**2 + 1.0
    assert (x**2 * x.dt).diff("x'") == x**2 and (x**2).diff("x") == 2 * x
    with pytest.raises(invar.ModelError, match="symbols can be replaced"):
        (x * y).subs({x * y: 1.0})


def test_inertia_may_be_a_matrix():
    tensor = np.array([[2.0, 0.1, 0.0], [0.1, 3.0, 0.2], [0.0, 0.2, 4.0]])
    def spinning(inertia):
        parts = invar.Mechanism("one", gravity=[0, 0, 0])
        parts.body("b", mass=1.0, inertia=inertia, position=[0, 0, 0], angular_velocity=[1, 2, 3])
        return parts.model().simulate(until=0.1, step=0.01)
    assert np.array_equal(spinning(tensor).array, spinning([2.0, 3.0, 4.0, 0.1, 0.0, 0.2]).array)

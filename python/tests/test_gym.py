"""Environments of Gymnasium go as simulations do, one as many side by side. Needs gymnasium."""
import warnings

import numpy as np
import pytest

import invar

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")
import invar.gym  # noqa: E402

SWING_UP = dict(limits={"F": [-20, 20]}, observations=["x", "sin(phi)", "cos(phi)", "x'", "phi'"],
                reward="-cos(phi) - 0.001*F^2", terminated="abs(x) - 2", until=1.0, step=0.02,
                spread={"phi": 0.1, "x'": 0.05})
CRANE = dict(limits={"F": [-500, 500], "M": [-200, 0]}, reward="-(x - 5)^2", until=0.5, step=0.05, substeps=2,
             spread={"x": 0.1})


@pytest.fixture(scope="module")
def cart():
    return invar.load("cart_pole_swing_up")


@pytest.mark.parametrize("name, how", [("cart_pole_swing_up", SWING_UP), ("overhead_crane", CRANE)])
def test_gymnasium_finds_nothing_wrong(name, how):
    from gymnasium.utils.env_checker import check_env
    env = invar.gym.Environment(invar.load(name), **how)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        check_env(env, skip_render_check=True)
    advice = ("spec", "infinity", "recommend")
    bad = [str(w.message) for w in told if not any(word in str(w.message) for word in advice)]
    assert not bad, bad


def test_an_environment_goes_as_a_simulation_with_held_inputs(cart):
    env = invar.gym.Environment(cart, **{**SWING_UP, "spread": {}, "substeps": 4})
    sim = cart.simulator(step=0.005, method="rk4")
    seen, info = env.reset(seed=1)
    assert np.allclose(seen, [0, 0, 1, 0, 0]) and info == {"t": 0.0}
    for k in range(50):
        force = 15.0 * np.sin(0.3 * k)
        seen, reward, terminated, truncated, info = env.step(np.array([force], dtype=np.float32))
        sim.step([np.float32(force)], count=4)
        (x, phi), (vx, vphi) = sim.q, sim.v
        assert np.allclose(seen, [x, np.sin(phi), np.cos(phi), vx, vphi], atol=1e-9)
        assert np.isclose(reward, -np.cos(phi) - 0.001 * np.float32(force)**2)
        assert terminated == (abs(x) > 2) and truncated == (k >= 49) and np.isclose(info["t"], sim.t)


def test_actions_beyond_the_limits_are_cut_off(cart):
    a, b = (invar.gym.Environment(cart, **SWING_UP) for _ in range(2))
    a.reset(seed=3), b.reset(seed=3)
    assert np.array_equal(a.step([100.0])[0], b.step([20.0])[0])


@pytest.mark.parametrize("name, how, in_lanes", [("cart_pole_swing_up", SWING_UP, True),
                                                 ("overhead_crane", CRANE, False)])
def test_many_environments_go_as_one(name, how, in_lanes):
    model, count = invar.load(name), 7
    envs = invar.gym.Environments(model, count, **how, threads=2)
    assert envs.in_lanes == in_lanes
    alone = [invar.gym.Environment(model, **how) for _ in range(count)]
    seen, _ = envs.reset(seed=5)
    seen_alone = np.array([env.reset(seed=5 + p)[0] for p, env in enumerate(alone)])
    assert np.allclose(seen, seen_alone, atol=1e-12) and np.ptp(seen, axis=0).max() > 1e-3
    rng = np.random.default_rng(0)
    for _ in range(10):
        actions = rng.uniform(envs.single_action_space.low, envs.single_action_space.high, (count, len(how["limits"])))
        seen, reward, terminated, truncated, info = envs.step(actions)
        each = [env.step(action) for env, action in zip(alone, actions)]
        assert np.allclose(seen, [e[0] for e in each], atol=1e-8)
        assert np.allclose(reward, [e[1] for e in each], atol=1e-8)
        assert [tuple(x) for x in zip(terminated, truncated)] == [(e[2], e[3]) for e in each]


def test_who_has_ended_begins_again_with_the_next_step(cart):
    envs = invar.gym.Environments(cart, 3, **{**SWING_UP, "until": 0.06})
    envs.reset(seed=1)
    zeros = np.zeros((3, 1))
    assert not envs.step(zeros)[3].any() and not envs.step(zeros)[3].any()
    assert envs.step(zeros)[3].all()
    seen, reward, terminated, truncated, info = envs.step(zeros)
    assert (info["t"] == 0).all() and not reward.any() and not truncated.any() and not terminated.any()
    assert np.isclose(envs.step(zeros)[4]["t"], 0.02).all()


def test_random_starts_repeat_and_differ(cart):
    env = invar.gym.Environment(cart, **SWING_UP)
    a, b, c = env.reset(seed=1)[0], env.reset()[0], env.reset(seed=1)[0]
    assert np.array_equal(a, c) and not np.array_equal(a, b)


def test_a_step_that_fails_ends_the_episode():
    falling = invar.load({"name": "fall", "system": {"coordinates": ["x"], "kinetic": "x'^2/2",
                                                     "force": {"x": "-3*sqrt(x)"},
                                                     "input": [{"name": "F", "force": {"x": "1"}}]},
                          "initial": {"x": 1.0, "x'": -3.0}})
    env = invar.gym.Environment(falling, limits={"F": [-1, 1]}, reward="x", failure=-100.0, until=5.0)
    env.reset(seed=1)
    for _ in range(30):
        seen, reward, terminated, truncated, info = env.step([0.0])
        if terminated:
            break
    assert terminated and info["failed"] and reward == -100.0 and np.isfinite(seen).all() and info["t"] < 0.4
    assert env.reset()[0][0] == 1.0 and not env.step([0.0])[2]


@pytest.mark.parametrize("how, words", [
    ({"limits": {}}, "give \\[least, most\\] for input 'F'"),
    ({"limits": {"F": [1, -1]}}, "least below the most"),
    ({"limits": {"F": [-1, 1], "G": [0, 1]}}, "unknown input 'G'"),
    ({"reward": "x +"}, "x \\+"),
    ({"reward": "x''"}, "accelerations"),
    ({"observations": ["mass_matrix"]}, "is not a number"),
    ({"spread": {"y": 1.0}}, "unknown coordinate or velocity 'y'"),
    ({"spread": {"x": -1.0}}, "must not be negative"),
    ({"step": 0.0}, "must be positive"),
    ({"substeps": 2.5}, "must be whole numbers"),
    ({"failure": float("nan")}, "failure must be finite"),
    ({"method": "rk5"}, "rk4"),
    ({"render_mode": "human"}, "rgb_array"),
])
def test_wrong_environments_are_named(cart, how, words):
    with pytest.raises(invar.ModelError, match=words):
        invar.gym.Environment(cart, **{**SWING_UP, **how})


def test_wrong_actions_are_named(cart):
    env, envs = invar.gym.Environment(cart, **SWING_UP), invar.gym.Environments(cart, 2, **SWING_UP)
    env.reset()
    for call in (lambda: env.step([1.0, 2.0]), lambda: env.step([np.nan]), lambda: envs.step(np.zeros((2, 1)))):
        with pytest.raises(invar.ModelError):
            call()
    envs.reset()
    with pytest.raises(invar.ModelError, match="must have shape"):
        envs.step(np.zeros((3, 1)))


@pytest.mark.parametrize("name, how", [("cart_pole_swing_up", SWING_UP), ("overhead_crane", CRANE)])
def test_pictures_show_where_it_is(name, how):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    env = invar.gym.Environment(invar.load(name), **how, render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    for _ in range(5):
        env.step(env.action_space.high)
    second = env.render()
    assert first.dtype == np.uint8 and first.shape == second.shape and first.shape[2] == 3
    assert (first != second).any() and first.std() > 1

"""Optimal control with CasADi and IPOPT: the mid-point rule as Invar's `midpoint` writes it, exact derivatives.

    casadi_optimal.py unrolled|mapped < model.toml

    min Σ h L(m_k, u_k),   q1 − q0 = h v_m,   M(q_m)(v1 − v0) + h(…) = 0 at the middle,   Φ(q1) = 0

Prints JSON: processor seconds of building (equations, derivatives, solver) and of solving, cost, iterations, what the
solver said. "mapped" keeps one function for all intervals, "unrolled" expands the program into scalar operations.
"""
import json
import sys
import time
import tomllib

import casadi as ca
import casadi_model
import numpy as np

# Those of Invar; MUMPS orders its matrices by the nested dissection that came with it.
OPTIONS = {"tol": 1e-10, "mu_strategy": "adaptive", "bound_relax_factor": 0.0, "max_iter": 300, "mumps_pivtol": 1e-3,
           "mumps_permuting_scaling": 0, "print_level": 0, "sb": "yes"}


class Task:
    """What [optimize] asks for."""
    def __init__(self, text, mechanics):
        self.mechanics = m = mechanics
        self.wish = tomllib.loads(text)["optimize"]
        self.intervals = self.wish.get("intervals", 40)
        horizon = self.wish["horizon"]
        self.horizon = [self.number(horizon[k]) for k in ("min", "max")] if isinstance(horizon, dict) else \
            [self.number(horizon)] * 2
        self.size = len(m.names)
        self.final = {name: self.number(x) for name, x in self.wish.get("final", {}).items()}
        if self.wish.get("rest"):
            self.final.update({n + "'": 0.0 for n in m.names})
        self.limits = {name: self.range(x) for name, x in self.wish.get("bounds", {}).items()}

    def number(self, value):
        return float(self.mechanics.formula(value)) if isinstance(value, str) else float(value)

    def range(self, value):
        if isinstance(value, list):
            return [self.number(x) for x in value]
        return [self.number(value[k]) if k in value else sign * np.inf for k, sign in (("min", -1), ("max", 1))]

    def state_names(self):
        return [*self.mechanics.names, *(n + "'" for n in self.mechanics.names)]

    def cost(self):
        m, wish = self.mechanics, self.wish.get("cost", "effort")
        named = {"effort": ca.dot(m.u, m.u) / 2, "time": ca.SX(1)}
        return ca.Function("cost", [m.q, m.v, m.u], [named[wish] if wish in named else m.formula(wish)])


def interval(task):
    """Residual and cost of one interval as a function of x0, x1, w = (λ, u) and h."""
    m, n = task.mechanics, task.size
    x0, x1, h = ca.SX.sym("x0", 2 * n), ca.SX.sym("x1", 2 * n), ca.SX.sym("h")
    held = m.constraints.numel()
    w = ca.SX.sym("w", held + len(m.inputs))
    q, v, a = (x0[:n] + x1[:n]) / 2, (x0[n:] + x1[n:]) / 2, (x1[n:] - x0[n:]) / h
    rows = [x1[:n] - x0[:n] - h * v, h * m.dynamics()(q, v, a, w[:held], w[held:])]
    return ca.Function("interval", [x0, x1, w, h], [ca.vertcat(*rows), h * task.cost()(q, v, w[held:])])


def program(task):
    m, n, count = task.mechanics, task.size, task.intervals
    held = m.constraints.numel()
    x, w = ca.MX.sym("x", 2 * n, count), ca.MX.sym("w", held + len(m.inputs), count)
    free = task.horizon[0] < task.horizon[1]
    horizon = ca.MX.sym("horizon") if free else ca.MX(task.horizon[0])
    before = ca.horzcat(ca.DM(m.start), x[:, :-1])
    rows, costs = interval(task).map(count)(before, x, w, ca.repmat(horizon / count, 1, count))
    g = [ca.vec(rows)]
    if held:  # a row that given final coordinates satisfy anyway would leave no direction to go
        nodes = count - all(name in task.final for name in m.names)
        g.append(ca.vec(ca.Function("held", [m.q], [m.constraints]).map(nodes)(x[:n, :nodes])))
    for condition in task.wish.get("conditions", []):
        g.append(ca.Function("end", [m.q, m.v], [m.formula(condition["expr"])])(x[:n, -1], x[n:, -1]))
    variables = [ca.vec(x), ca.vec(w)] + ([horizon] if free else [])
    return {"x": ca.vertcat(*variables), "f": ca.sum2(costs), "g": ca.vertcat(*g)}


def limits_and_guess(task):
    """Bounds of the variables; the guess runs straight to the goal, or rests at the start (`guess = "hold"`)."""
    m, n, count, held = task.mechanics, task.size, task.intervals, task.mechanics.constraints.numel()
    names = task.state_names()
    low, high = np.full((2 * n, count), -np.inf), np.full((2 * n, count), np.inf)
    guess = np.tile(np.array(m.start)[:, None], (1, count))
    mean = sum(task.horizon) / 2
    for k, name in enumerate(names):
        if name in task.limits:
            low[k], high[k] = task.limits[name]
        if name in task.final:
            low[k, -1] = high[k, -1] = task.final[name]
            if k < n and task.wish.get("guess") != "hold":
                guess[k] = m.start[k] + (task.final[name] - m.start[k]) * np.arange(1, count + 1) / count
                guess[n + k] = (task.final[name] - m.start[k]) / mean
    below, above = (np.full((held + len(m.inputs), count), s * np.inf) for s in (-1, 1))
    for k, name in enumerate(m.inputs):
        if name in task.limits:
            below[held + k], above[held + k] = task.limits[name]
    free = task.horizon[0] < task.horizon[1]

    def flat(a, b, more):
        return np.concatenate([a.T.ravel(), b.T.ravel(), [more] if free else []])
    return (flat(low, below, task.horizon[0]), flat(high, above, task.horizon[1]),
            flat(guess, np.zeros_like(below), mean))


def main():
    text = sys.stdin.read()
    begin = time.process_time()
    task = Task(text, casadi_model.read(text))
    settings = {"print_time": False, "expand": sys.argv[1] == "unrolled",
                **{f"ipopt.{k}": v for k, v in OPTIONS.items()}}
    solver = ca.nlpsol("solver", "ipopt", program(task), settings)
    low, high, guess = limits_and_guess(task)
    built = time.process_time()
    found = solver(x0=guess, lbx=low, ubx=high, lbg=0.0, ubg=0.0)
    done = time.process_time()
    stats = solver.stats()
    print(json.dumps({"build": built - begin, "solve": done - built, "cost": float(found["f"]),
                      "iterations": stats["iter_count"], "said": stats["return_status"]}))


main()

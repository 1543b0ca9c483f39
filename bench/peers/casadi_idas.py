"""Integrates a system of formulas with constraints by IDAS of SUNDIALS through CasADi, at index 1.

    q' = v,   v' = a,   M a + … + Gᵀλ = 0,   G a + (G v)_q v = 0

    casadi_idas.py TOLERANCE DURATION ROUNDS COORDINATE < model.toml

Prints processor seconds of one integration, the mean of the rounds, and the coordinate at the end. Building the
integrator does not count.
"""
import sys
import time

import casadi as ca
import casadi_model


def main():
    tolerance, duration, rounds, watched = float(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    m = casadi_model.read(sys.stdin.read())
    n, held = len(m.names), m.constraints.numel()
    a, multipliers = ca.SX.sym("a", n), ca.SX.sym("l", held)
    rate = ca.jacobian(m.constraints, m.q) @ m.v
    bend = ca.jacobian(rate, m.q) @ m.v + ca.jacobian(m.constraints, m.q) @ a
    algebraic = ca.vertcat(m.dynamics()(m.q, m.v, a, multipliers, m.u), bend)
    z = ca.vertcat(a, multipliers)
    dae = {"x": ca.vertcat(m.q, m.v), "z": z, "ode": ca.vertcat(m.v, a), "alg": algebraic}
    # Linear in z: one solution of the system gives a consistent start.
    matrix = ca.Function("matrix", [m.q, m.v], [ca.jacobian(algebraic, z), ca.substitute(algebraic, z, 0)])
    jacobian, rest = matrix(m.start[:n], m.start[n:])
    first = ca.solve(jacobian, -rest)
    steps = ca.integrator("steps", "idas", dae, 0.0, duration,
                          {"reltol": tolerance, "abstol": tolerance, "max_num_steps": 10**6})
    begin = time.process_time()
    for _ in range(rounds):
        end = steps(x0=m.start, z0=first)["xf"]
    print(f"{(time.process_time() - begin) / rounds:.9g} {float(end[m.names.index(watched)]):.17g}")


main()

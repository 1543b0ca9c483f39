"""R. Siebert, Mechanical integrators for the optimal control in multibody dynamics (Siegen 2012).

The thesis prints data and shows curves; no costs are printed. Where its text says how a quantity behaves, the figure
that comes out here stands beside it.
"""

from page import Figure, Run

SOURCE = "Siebert"
REFERENCES = {SOURCE: "R. Siebert: Mechanical integrators for the optimal control in multibody dynamics. Dissertation, "
                      "Universität Siegen (2012)"}
SATELLITE = "examples/satellite_reorientation/directors.toml"


def cost(name, factor=1.0):
    return (f"cost, {name}", "not printed", lambda r: f"{factor * r[name].summary['optimization']['cost']:.10g}")


def balance(name, words):
    return (f"energy minus work and losses, {name}", words,
            lambda r: f"{r[name].summary['optimization']['energy_balance_relative']:.1e} of the energies")


def hamiltonian(name, words):
    def text(results):
        values = results[name].costates["hamiltonian"]
        return f"{sum(values) / len(values):.8g}, varies by {max(values) - min(values):.2g}"
    return (f"control Hamiltonian, {name}", words, text)


def satellite_motion(number, title, model, plain):
    runs = {"nonconsistent, 1 s": Run("simulate", plain, "--step", 1),
            "consistent, 1 s": Run("simulate", model, "--step", 1),
            "consistent, 0.25 s": Run("simulate", model, "--step", 0.25)}
    said = {"nonconsistent, 1 s": "not constant", "consistent, 1 s": "constant", "consistent, 0.25 s": "constant"}
    return Figure(SOURCE, number, title, runs, [["energy.kinetic"], ["angular_momentum.z"]], [
        *[(f"angular momentum, largest change: {n}", said[n], lambda r, n=n: r[n].spread("angular_momentum.z"))
          for n in runs],
        *[(f"kinetic energy at 5 s: {n}", "5 steps are already good" if n.startswith("consistent, 1") else "figure",
           lambda r, n=n: r[n]["energy.kinetic"][-1]) for n in runs]])


def gyro_top():
    runs = {f"{m}, {h:g} s": Run("simulate", "gyro_top", "--method", m, "--step", h)
            for m in ("energy-momentum", "quaternion-energy-momentum") for h in (0.01, 0.005)}
    exact = (-0.035335207667, 0.054499294483, 0.0375)

    def error(result):
        return sum((result[f"top.{c}"][-1] - e) ** 2 for c, e in zip("xyz", exact)) ** 0.5 / 0.075
    return Figure(SOURCE, "Figure 5.2", "Steady precession of a top", runs, [["energy.total"], ["top.z"]], [
        *[(f"energy, largest change: {n}", "conserved", lambda r, n=n: r[n].spread("energy.total")) for n in runs],
        *[(f"relative error at 1 s: {n}", "directors more accurate; both converge", lambda r, n=n: error(r[n]))
          for n in runs]])


def arm(number, title, option, words):
    rem = Run("optimize", "arm_torques", "--method", "reduced-energy-momentum", *option)
    gc = Run("optimize", "arm_torques", "--formulation", "minimal", "--method", "midpoint", *option)
    return Figure(SOURCE, number, title, {"REM": rem, "GC": gc}, [["u1"], ["u2"], ["u3"], ["a1"], ["a2"], ["a3"]],
                  [cost("REM"), cost("GC"), balance("REM", words), balance("GC", "not constant")])


def hamiltonians(number, title, runs, panels, statements):
    return Figure(SOURCE, number, title, runs, [*panels, ["hamiltonian"]], statements)


FIGURES = [
    satellite_motion("Figure 4.8", "Satellite with rotors: torques", "satellite_rotors",
                     "examples/satellite_rotors/plain_motors.toml"),
    satellite_motion("Figure 4.9", "Satellite with rotors: friction", "examples/satellite_rotors/friction.toml",
                     "examples/satellite_rotors/plain_friction.toml"),
    gyro_top(),
    arm("Figures 6.2, 6.4", "Arm with a limited torque, N = 20", ["--set", "u3_most=0"], "T + V + W constant"),
    arm("Figures 6.3, 6.5", "Arm with friction, N = 20", ["--set", "k=300"], "T + V + W + D constant"),
    Figure(SOURCE, "Figures 6.6–6.9", "Turning a satellite, N = 40 (REM) and 20",
           {"REM": Run("optimize", SATELLITE, "--intervals", 40),
            "REM, friction": Run("optimize", SATELLITE, "--intervals", 40, "--set", "k=100"),
            "GC, angles 3-1-3": Run("optimize", "examples/satellite_reorientation/zxz.toml", "--intervals", 20)},
           [["energy.kinetic"], ["u1"], ["u2"], ["u3"]],
           [cost("REM"), cost("REM, friction"), cost("GC, angles 3-1-3", 1e-6), balance("REM", "T + W constant"),
            balance("GC, angles 3-1-3", "not constant")],
           "Inputs in kN m.", units={"GC, angles 3-1-3": {u: 1e-3 for u in ("u1", "u2", "u3")}}),
    Figure(SOURCE, "Figures 7.2, 7.3", "Overhead crane, N = 40", {"BEM": Run("optimize", "overhead_crane_optimal")},
           [["F"], ["M"], ["s", "x"], ["z"], ["energy.total"]], [cost("BEM"), balance("BEM", "T + V + W constant")]),
    Figure(SOURCE, "Figures 7.4, 7.5", "Arm in redundant coordinates, N = 20",
           {"BEM": Run("optimize", "arm_torques"),
            "REM": Run("optimize", "arm_torques", "--method", "reduced-energy-momentum")},
           [["u1"], ["u2"], ["u3"], ["a1"], ["a2"], ["a3"]],
           [cost("BEM"), cost("REM"), balance("BEM", "constant"),
            ("difference of both costs", "BEM and REM agree",
             lambda r: abs(r["BEM"].summary["optimization"]["cost"] - r["REM"].summary["optimization"]["cost"]))]),
    hamiltonians("Figure 7.6", "Control Hamiltonian of the direct method",
                 {f"N = {n}": Run("optimize", "arm_torques", "--method", "reduced-energy-momentum", "--intervals", n)
                  for n in (10, 20, 40)}, [],
                 [hamiltonian(f"N = {n}", "constant only in the limit") for n in (10, 20, 40)]),
    hamiltonians("Figures 8.2–8.4", "Pendulum, N = 20",
                 {"direct": Run("optimize", "pendulum_turn"),
                  "indirect": Run("optimize", "examples/pendulum_turn/indirect.toml")},
                 [["u"], ["q"], ["energy.total"]],
                 [cost("direct"), cost("indirect"), hamiltonian("direct", "not constant"),
                  hamiltonian("indirect", "constant")]),
    hamiltonians("Figure 8.5", "Particle in a central field, N = 20",
                 {"direct": Run("optimize", "central_transfer"),
                  "indirect": Run("optimize", "examples/central_transfer/indirect.toml")},
                 [["x", "y", "z"], ["energy.total"]],
                 [cost("indirect"), hamiltonian("direct", "not constant"), hamiltonian("indirect", "constant")]),
    hamiltonians("Figures 8.6–8.8", "Arm, energy and Hamiltonian conserved, N = 40",
                 {"indirect": Run("optimize", "examples/arm_swing/indirect.toml", "--intervals", 40)},
                 [["u1"], ["u2"], ["u3"], ["a1"], ["a2"], ["a3"]],
                 [cost("indirect"), balance("indirect", "constant"), hamiltonian("indirect", "constant")]),
]

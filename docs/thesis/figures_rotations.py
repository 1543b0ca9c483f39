"""I. Zenzerović (Zagreb 2012), A. Zelei and G. Stépán (ACROBOTER, 2011), S. K. Ider."""

from page import Figure, Run, difference

ZENZEROVIC, ACROBOTER, IDER = "Zenzerović", "Zelei, Stépán", "Ider"
REFERENCES = {
    ZENZEROVIC: "I. Zenzerović: Numerical modelling of dynamics of multibody systems in Lie-group setting. "
                "Master thesis, University of Zagreb (2012)",
    ACROBOTER: "A. Zelei, G. Stépán: The ACROBOTER platform, part 2: servo-constraints in computed torque control. "
               "In: IUTAM Symposium on Dynamics Modeling and Interaction Control, Springer (2011)",
    IDER: "S. K. Ider: Modeling of control forces for kinematical constraints in the dynamics of multibody systems: "
          "a new approach. Middle East Technical University, Ankara",
}
FOLDER = "examples/satellite_manipulator"
ROD = [["slider_rod.x"], ["slider_rod.y"], ["slider_rod.z"]]


def case(number, title, model, runs, statements):
    return Figure(ZENZEROVIC, number, title,
                  {name: Run("simulate", model, "--method", method, "--step", h) for name, (method, h) in runs.items()},
                  [*ROD, ["s"]], statements)


def apart(a, b):
    return lambda r: f"{max(difference(r[a], r[b], f'slider_rod.{c}') for c in 'xyz'):.2g} m"


def orthogonality(result):
    """Largest deviation of the columns of a rotation matrix from unit length and right angles."""
    worst = 0.0
    for body in ("satellite", "base_rod", "slider_rod", "slider"):
        d = {(i, c): result[f"{body}.d{i}.{c}"] for i in (1, 2, 3) for c in "xyz"}
        for k in range(len(result["t"])):
            for i in (1, 2, 3):
                for j in range(i, 4):
                    dot = sum(d[i, c][k] * d[j, c][k] for c in "xyz")
                    worst = max(worst, abs(dot - (i == j)))
    return worst


def angles_at_the_end(name):
    return (f"angles at 1 s, {name}", "figure",
            lambda r: ", ".join(f"{r[name][f'th{k}'][-1]:.6f}" for k in (1, 2, 3)))


FIGURES = [
    case("Figures 4.15–4.18, 4.20", "Motion 1: rates about one axis each", "satellite_manipulator",
         {"h = 0.1 s": ("lie-rk4", 0.1), "h = 0.02 s": ("lie-rk4", 0.02), "Euler": ("lie-euler", 0.1)},
         [("place of body 3 with h = 0.1 s against the finer step", "visibly different at 0.1 s",
           apart("h = 0.1 s", "h = 0.02 s")),
          ("Euler against Munthe-Kaas", "about 1e-3 m", apart("Euler", "h = 0.1 s"))]),
    case("Figures 4.21–4.23", "Motion 2: slider free", f"{FOLDER}/free_slider.toml",
         {"h = 0.1 s": ("lie-rk4", 0.1), "h = 0.05 s": ("lie-rk4", 0.05)},
         [("place of body 3 with h = 0.1 s against the finer step", "agrees with ADAMS",
           apart("h = 0.1 s", "h = 0.05 s"))]),
    case("Figures 4.24–4.26", "Motion 3: rotations that do not commute", f"{FOLDER}/two_axes.toml",
         {"h = 0.1 s": ("lie-rk4", 0.1), "h = 0.05 s": ("lie-rk4", 0.05)},
         [("place of body 3, h = 0.1 s against 0.05 s", "not said", apart("h = 0.1 s", "h = 0.05 s")),
          ("rotation matrices: largest deviation from orthogonal", "orthogonal, determinant 1 (figure)",
           lambda r: orthogonality(r["h = 0.1 s"]))]),
    Figure(ACROBOTER, "Figure 3", "Computed torque by servo-constraints",
           {"gains exchanged": Run("control", "acroboter_control")},
           [["error.carriage"], ["error.unit_x"], ["error.unit_z"], ["error.connector_height"], ["drift.position"]],
           [("error of the carriage at 2 s, from 0.05 m", "decays within 2 s",
             lambda r: f"{abs(r['gains exchanged'].at('error.carriage', 2.0)):.2g} m"),
            ("violation of the constraint", "up to 4 mm",
             lambda r: f"{max(abs(x) for x in r['gains exchanged']['drift.position']):.1g} m²")],
           "With the printed gains the loop is unstable, see docs/literature.md; shown is the reading that is stable."),
    Figure(IDER, "Figures 2–4", "Straight path of the tip of an arm",
           {"chosen joints": Run("invert", "ider_arm"),
            "conventional": Run("invert", "examples/ider_arm/conventional.toml")},
           [["th1"], ["th2"], ["th3"], ["th1'"], ["th2'"], ["th3'"], ["M1"], ["M2"], ["M3"]],
           [angles_at_the_end("chosen joints"), angles_at_the_end("conventional"),
            ("matrix of masses, directions and gradients", "full rank as expected",
             lambda r: f"condition number at most {1 / min(r['chosen joints']['conditioning']):.0f}")]),
]

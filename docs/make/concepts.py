#!/usr/bin/env python3
"""Draws the pictures of docs/concepts from results of Invar. Usage: concepts.py INVAR; needs nothing else."""
import csv
import math
import subprocess
import sys
import tempfile
from pathlib import Path

root = Path(__file__).resolve().parent.parent.parent
INK, SOFT, BLUE, RED, GREEN = "#333", "#bbb", "#2867b2", "#c0392b", "#2e8b57"


class Picture:
    """An SVG of the given size; text keeps to the system's sans serif."""

    def __init__(self, width, height):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
                      f'height="{height}" font-family="sans-serif" font-size="14"><rect width="100%" height="100%" '
                      'fill="white"/>']

    def line(self, points, color=INK, width=1.5, dash=""):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashed = f' stroke-dasharray="{dash}"' if dash else ""
        self.parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="{width}"{dashed}/>')

    def text(self, x, y, words, color=INK, anchor="start", size=14):
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" fill="{color}" text-anchor="{anchor}" font-size="{size}">'
                          f"{words}</text>")

    def box(self, x, y, width, height, color=INK, fill="none"):
        self.parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{width}" height="{height}" fill="{fill}" '
                          f'stroke="{color}" stroke-width="1.5"/>')

    def dot(self, x, y, radius=4, color=INK):
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{color}"/>')

    def arrow(self, x0, y0, x1, y1, color=INK, width=2):
        self.line([(x0, y0), (x1, y1)], color, width)
        length = max(((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5, 1e-9)
        ex, ey = (x1 - x0) / length, (y1 - y0) / length
        left = (x1 - 8 * ex - 5 * ey, y1 - 8 * ey + 5 * ex)
        right = (x1 - 8 * ex + 5 * ey, y1 - 8 * ey - 5 * ex)
        self.line([left, (x1, y1), right],
                  color, width)

    def save(self, name):
        text = "\n".join([*self.parts, "</svg>", ""])
        (root / "docs/concepts" / f"{name}.svg").write_text(text, encoding="utf-8")


def run(invar, *words):
    """The columns of a run; a run that ends early is one, too."""
    with tempfile.TemporaryDirectory() as place:
        subprocess.run([invar, *words, "--quiet", "--no-report", "--out", place], stderr=subprocess.DEVNULL)
        with open(Path(place) / "result.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


class Axes:
    """A plot in a part of a picture."""

    def __init__(self, picture, x, y, width, height, xs, ys, title):
        self.picture, self.place, self.xs, self.ys = picture, (x, y, width, height), xs, ys
        picture.box(x, y, width, height, SOFT)
        picture.text(x, y - 8, title)
        for value in xs:
            picture.text(self.at(value, ys[0])[0], y + height + 16, f"{value:g}", anchor="middle", size=12)
        for value in ys:
            picture.text(x - 6, self.at(xs[0], value)[1] + 4, f"{value:g}", anchor="end", size=12)

    def at(self, x, y):
        left, top, width, height = self.place
        low, high = min(self.ys), max(self.ys)
        y = min(max(y, low), high)
        return (left + width * (x - self.xs[0]) / (self.xs[-1] - self.xs[0]), top + height * (high - y) / (high - low))

    def curve(self, xs, ys, color, width=2.0, dash=""):
        low, high = min(self.ys), max(self.ys)
        points = []
        for x, y in zip(xs, ys):
            if not self.xs[0] <= x <= self.xs[-1]:
                continue
            points.append(self.at(x, y))
            if y > high or y < low:
                break  # it has left the picture
        self.picture.line(points, color, width, dash)


def servo_constraints(invar):
    p = Picture(720, 300)
    titles = ((20, "a joint: what forbids also pushes"), (380, "a servo constraint: who pushes is elsewhere"))
    for left, title in titles:
        p.text(left, 24, title)
    p.line([(40, 230), (320, 90)], SOFT, 3)
    p.dot(180, 160, 9, BLUE)
    p.arrow(180, 160, 210, 220, RED)
    p.arrow(180, 160, 240, 130, GREEN)
    p.text(216, 222, "reaction −Gᵀλ", RED)
    p.text(246, 128, "motion", GREEN)
    p.text(60, 258, "it stands at right angles to what is left free", size=13)
    p.line([(390, 70), (700, 70)], SOFT, 3)
    p.box(450, 56, 50, 22, INK, "#eee")
    p.line([(475, 70), (560, 190)], INK, 1.5)
    p.dot(560, 190, 9, BLUE)
    p.line([(420, 250), (690, 120)], GREEN, 1.5, "6 5")
    p.arrow(500, 67, 560, 67, RED)
    p.text(566, 62, "input Bᵀu", RED)
    p.text(585, 200, "s(q) = γ(t)", GREEN, size=13)
    p.text(390, 284, "the force reaches the load through the cable only", size=13)
    p.save("servo_constraints")


def index_of_a_problem(invar):
    p = Picture(720, 250)
    for row, (masses, index) in enumerate(((1, 3), (2, 5), (3, 7))):
        y = 50 + 70 * row
        p.arrow(30, y, 75, y, RED)
        p.text(40, y - 10, "F", RED)
        for i in range(masses):
            x = 80 + 130 * i
            p.box(x, y - 18, 46, 36, INK, "#eee")
            if i + 1 < masses:
                zigzag = [(x + 46 + 84 * k / 8, y + (0 if k in (0, 8) else 9 * (-1) ** k)) for k in range(9)]
                p.line(zigzag, INK)
        p.text(80 + 130 * (masses - 1) + 23, y + 36, "prescribed", GREEN, "middle", 12)
        p.text(440, y + 5, f"{2 * masses} derivatives of the path, index {index}")
    p.save("index_of_a_problem")


def flatness(invar):
    crane = run(invar, "invert", "overhead_crane_inverse", "--step", "0.025")
    p = Picture(720, 300)
    scale, left, top = 110.0, 60.0, 50.0

    def at(x, z):
        return left + scale * x, top - 52 * z

    p.line([at(-0.4, 0), at(5.6, 0)], SOFT, 3)
    p.line([at(x, z) for x, z in zip(crane["x"], crane["z"])], GREEN, 1.5, "6 5")
    for k in range(0, len(crane["t"]), 12):
        s, x, z = crane["s"][k], crane["x"][k], crane["z"][k]
        p.line([at(s, 0), at(x, z)], INK, 1.2)
        x0, y0 = at(s, 0)
        p.box(x0 - 12, y0 - 6, 24, 12, INK, "#eee")
        p.dot(*at(x, z), 5, BLUE)
    p.text(20, 22, "acceleration of the load: direction of the cable: place of the trolley: force on it")
    p.text(430, 270, "path of the load", GREEN)
    p.save("flatness")


def internal_dynamics(invar):
    bounded = run(invar, "invert", "elastic_arm")
    runaway = run(invar, "invert", "elastic_arm", "--method", "taylor")
    p = Picture(720, 300)
    left = Axes(p, 60, 40, 280, 210, [0, 1, 2, 3], [-0.4, 0, 0.4], "bend of the elastic joint, rad")
    right = Axes(p, 420, 40, 280, 210, [0, 1, 2, 3], [-12, 0, 12], "torque, N m")
    for axes, name in ((left, "b"), (right, "M")):
        axes.curve(bounded["t"], bounded[name], BLUE)
        axes.curve(runaway["t"], runaway[name], RED, 2, "5 4")
    p.text(60, 290, "stable inversion: the bounded motion", BLUE, size=13)
    p.text(420, 290, "forward integration from rest", RED, size=13)
    p.save("internal_dynamics")


def structure_preserving(invar):
    p = Picture(720, 300)
    axes = Axes(p, 70, 40, 610, 210, [0, 20, 40, 60], [-16, -12, -8, -4, 0],
                "log₁₀ of the change of energy of a pendulum, relative to its largest; step 0.02 s")
    named = (("implicit-euler", RED, 10), ("rk4", "#8e5ea2", 160), ("variational", GREEN, 260),
             ("energy-momentum", BLUE, 400))
    for method, color, x in named:
        motion = run(invar, "simulate", "pendulum", "--until", "60", "--step", "0.02", "--method", method)
        change = [abs(e - motion["energy.total"][0]) / 9.81 for e in motion["energy.total"]]
        worst = [max(change[:k + 1]) for k in range(len(change))]
        axes.curve(motion["t"], [math.log10(max(e, 1e-16)) for e in worst], color)
        p.text(60 + x, 290, method, color, size=13)
    p.save("structure_preserving")


def main():
    invar = str(Path(sys.argv[1]).resolve())
    for draw in (servo_constraints, index_of_a_problem, flatness, internal_dynamics, structure_preserving):
        draw(invar)


main()

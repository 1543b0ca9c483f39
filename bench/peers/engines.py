"""The programs that step a model of bodies, each behind the same few calls.

    end(problem, step)           the watched numbers at the end of the problem's duration
    count(problem, step)         steps that the duration takes
    pace(problem, step, steps)   seconds of processor time of one step, without the start, from a run of so many
    length(problem, step, time)  how many steps take about so many seconds
    admitted(problem, step)      the next smaller step that fits into the duration
"""
import json
import math
import pathlib
import sys
import tempfile
import time

import tree
from measure import processor_seconds

HERE = pathlib.Path(__file__).resolve().parent
MOST_STEPS = 10**7


class Engine:
    order = 2

    def admitted(self, problem, step):
        return problem.duration / max(1, math.ceil(problem.duration / step * (1 - 1e-9)))

    def count(self, problem, step):
        return round(problem.duration / step)

    def length(self, problem, step, seconds):
        steps = 50
        while True:
            pace = max(self.pace(problem, step, steps), 1e-8)
            if pace * steps > 0.05 * seconds or steps >= MOST_STEPS:
                return max(20, min(MOST_STEPS, int(seconds / pace)))
            steps *= 8


class Invar(Engine):
    """`code` is "interpreted", "compiled" (runs are as long as that takes), or nothing: as the program chooses."""
    def __init__(self, command, method, formulation, code=None):
        self.command, self.method, self.formulation, self.code = command, method, formulation, code
        self.name = ", ".join(filter(None, ["Invar " + method, formulation, code]))
        self.order = {"rk4": 4, "lie-rk4": 4, "radau5": 5}.get(method, 2)

    def options(self, step, until):
        steps = max(1, round(until / step))
        return ["--step", repr(until / steps), "--until", repr(until), "--every", str(steps)]

    def run(self, problem, step, until):
        """Processor seconds, the last row, the summary."""
        with tempfile.TemporaryDirectory() as folder:
            model = pathlib.Path(folder, "model.toml")
            model.write_text(problem.text)
            words = [self.command, "simulate", model, "--method", self.method, *self.options(step, until), "--json",
                     "--no-report", "--format", "csv", "--out", folder + "/out"]
            words += ["--formulation", self.formulation] if self.formulation else []
            words += ["--no-compile"] if self.code == "interpreted" else []
            seconds, out = processor_seconds(words, accept=(0, 2))
            summary = json.loads(out)
            if summary["status"] != "done":
                raise RuntimeError(summary["message"])
            names, *_, last = pathlib.Path(folder, "out/result.csv").read_text().splitlines()
            return seconds, dict(zip(names.split(","), map(float, last.split(",")))), summary

    def end(self, problem, step):
        row = self.run(problem, step, problem.duration)[1]
        return [row[name] for name in problem.columns]

    def pace(self, problem, step, steps):
        """From the difference of two runs of one and three times so many steps. An explicit step costs the same
        whatever its size: these stay within the duration. Where a motion does not go on as it began, the runs are a
        third of the duration and the whole."""
        if self.method == "rk4":
            step = min(step, problem.duration / (3 * steps))
        unit = problem.duration / 3 if problem.once else steps * problem.duration / self.count(problem, step)
        short, long = (self.run(problem, step, n * unit) for n in (1, 3))
        return max(0.0, long[0] - short[0]) / (long[2]["steps"] - short[2]["steps"])

    def length(self, problem, step, seconds):
        if problem.once:
            return 1
        steps = super().length(problem, step, seconds)
        while self.code == "compiled" and steps < MOST_STEPS:
            if self.run(problem, min(step, problem.duration / steps), problem.duration)[2]["compiled"]:
                break
            steps *= 3
        return steps


class InvarAdaptive(Invar):
    """The step is a tolerance, and errors go with it."""
    def __init__(self, command, method, formulation, code=None):
        super().__init__(command, method, formulation, code)
        self.name, self.order = f"{self.name}, adaptive", 1

    def admitted(self, problem, step):
        return step

    def options(self, step, until):
        return ["--step", repr(until), "--until", repr(until), "--adaptive", repr(step)]

    def count(self, problem, step):
        return self.run(problem, step, problem.duration)[2]["steps"]


class Pinocchio(Engine):
    name, order = "Pinocchio ABA + RK4", 4

    def __init__(self, command):
        self.command = command

    def run(self, problem, step, steps):
        words = [self.command, repr(step), str(steps), "1"]
        return [float(x) for x in processor_seconds(words, tree.plain(*tree.read_tree(problem.text)))[1].split()]

    def end(self, problem, step):
        place = dict(zip((link.name for link in tree.read_tree(problem.text)[0]),
                         zip(*[iter(self.run(problem, step, self.count(problem, step))[1:])] * 3)))
        return [x for name, _ in problem.watch for x in place[name]]

    def pace(self, problem, step, steps):
        return 1e-6 * self.run(problem, step, steps)[0]


class Mujoco(Engine):
    name, order = "MuJoCo RK4", 4

    def load(self, problem, step):
        import mujoco
        links, gravity = tree.read_tree(problem.text)
        model = mujoco.MjModel.from_xml_string(tree.mjcf(links, gravity, step))
        data = mujoco.MjData(model)
        for link in links:
            body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, link.name)
            if link.axis is not None:
                data.qvel[model.jnt_dofadr[model.body_jntadr[body]]] = link.speed
        return mujoco, model, data

    def end(self, problem, step):
        mujoco, model, data = self.load(problem, step)
        mujoco.mj_step(model, data, nstep=self.count(problem, step))
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        bodies = (mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name) for name, _ in problem.watch)
        return [x for body in bodies for x in data.xipos[body]]

    def pace(self, problem, step, steps):
        mujoco, model, data = self.load(problem, step)
        begin = time.process_time()
        mujoco.mj_step(model, data, nstep=steps)
        return (time.process_time() - begin) / steps


class Exudyn(Engine):
    name = "Exudyn generalized-alpha"

    def run(self, problem, step, steps, watch):
        words = [sys.executable, "-W", "ignore", HERE / "exudyn_steps.py", repr(step), str(steps), json.dumps(watch)]
        out = processor_seconds(words, problem.exudyn_text or problem.text)[1].splitlines()[-1]
        return [float(x) for x in out.split()]

    def end(self, problem, step):
        places = self.run(problem, step, self.count(problem, step), problem.watch)
        return [x for k, x in enumerate(places) if k % 3 in problem.components]

    def pace(self, problem, step, steps):
        return 1e-6 * self.run(problem, step, steps, [])[0]


class Idas(Engine):
    """The step is a tolerance; a run is the whole duration."""
    name, order = "CasADi's IDAS, adaptive", 1

    def run(self, problem, step, rounds):
        words = [sys.executable, HERE / "casadi_idas.py", repr(step), repr(problem.duration), str(rounds),
                 problem.columns[0]]
        return [float(x) for x in processor_seconds(words, problem.text)[1].splitlines()[-1].split()]

    def admitted(self, problem, step):
        return step

    def count(self, problem, step):
        return 1

    def end(self, problem, step):
        return self.run(problem, step, 1)[1:]

    def pace(self, problem, step, steps):
        return self.run(problem, step, steps)[0]

    def length(self, problem, step, seconds):
        return 5

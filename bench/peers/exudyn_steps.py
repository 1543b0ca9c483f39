"""Steps a model of bodies with Exudyn by its generalized-alpha method: rigid bodies with Euler parameters (in the
plane: with an angle), revolute, prismatic and spherical joints, spring-dampers, as its examples write them.

    exudyn_steps.py STEP STEPS WATCH < model.toml

Prints where the watched points are after so many steps. WATCH is JSON: a list of a body and a point of it each. If it
is empty: the microseconds of processor time of a step, from the difference to a run of twice as many. A joint that
closes a loop with one constraint too many may be given as "released": it leaves one tilt free.
"""
import json
import sys
import time

import bodies
import exudyn as exu
import numpy as np
import tree
from exudyn.itemInterface import (MarkerBodyPosition, MarkerBodyRigid, NodePoint, NodeRigidBody2D, NodeRigidBodyEP,
                                  ObjectConnectorSpringDamper, ObjectGround, ObjectJointGeneric, ObjectJointPrismaticX,
                                  ObjectJointRevolute2D, ObjectJointRevoluteZ, ObjectJointSpherical, ObjectMassPoint,
                                  ObjectRigidBody, ObjectRigidBody2D)
from exudyn.utilities import LoadMassProportional, MarkerBodyMass, RotationMatrix2EulerParameters

def in_space(vector):
    return np.array([*vector, 0.0][:3], float)


def starting_velocities(model, text):
    """By name: of the centre of mass, and angular."""
    if "initial" not in model:
        return {b["name"]: (in_space(b.get("velocity", [0, 0, 0])), b.get("angular_velocity", [0.0, 0.0, 0.0]))
                for b in model["body"] + model.get("point", [])}
    found, at = {}, {}
    links, _ = tree.read_tree(text)
    for link in links:
        up = links[link.parent].name if link.parent >= 0 else None
        base = np.array(link.place) + (at[up] if up else 0.0)
        spin = (found[up][1] if up else 0.0) + link.speed * np.array(link.axis or [0, 0, 0], float)
        moves = found[up][2] + np.cross(found[up][1], base - at[up]) if up else np.zeros(3)
        at[link.name] = base
        found[link.name] = (moves + np.cross(spin, link.centre), spin, moves)
    return {name: (velocity, spin) for name, (velocity, spin, _) in found.items()}


class Builder:
    def __init__(self, text):
        self.model = bodies.read(text)
        self.plane = self.model.get("world", {}).get("dimension", 3) == 2
        self.container = exu.SystemContainer()
        self.system = self.container.AddSystem()
        self.object = {"ground": self.system.AddObject(ObjectGround())}
        self.centre = {"ground": np.zeros(3)}
        self.axes = {"ground": np.eye(3)}
        self.points = {p["name"] for p in self.model.get("point", [])}
        speeds = starting_velocities(self.model, text)
        for body in self.model["body"] + self.model.get("point", []):
            self.add_body(body, *speeds[body["name"]])
        for joint in self.model["joint"]:
            self.add_joint(joint)
        for spring in self.model.get("spring", []):
            ends = [self.point(end["on"], end.get("at", [0, 0, 0])) for end in spring["between"]]
            self.system.AddObject(ObjectConnectorSpringDamper(
                markerNumbers=ends, referenceLength=spring["rest"], stiffness=spring["stiffness"],
                damping=spring["damping"]))
        self.system.Assemble()

    def add_body(self, body, velocity, spin):
        name, at, axes = body["name"], in_space(body["position"]), bodies.rotation(body)
        if name in self.points:
            node = self.system.AddNode(NodePoint(referenceCoordinates=list(at), initialVelocities=list(velocity)))
            made = ObjectMassPoint(mass=body["mass"], nodeNumber=node)
        elif self.plane:
            node = self.system.AddNode(NodeRigidBody2D(referenceCoordinates=[at[0], at[1], 0.0],
                                                       initialVelocities=[velocity[0], velocity[1], np.sum(spin)]))
            made = ObjectRigidBody2D(mass=body["mass"], inertia=body["inertia"], nodeNumber=node)
        else:
            e = np.array(RotationMatrix2EulerParameters(axes)).flatten()
            w = axes.T @ np.array(spin, float)  # ė = ½ e ∘ (0, ω) with ω in body axes
            rate = 0.5 * np.array([-e[1:] @ w, *(e[0] * w + np.cross(e[1:], w))])
            node = self.system.AddNode(NodeRigidBodyEP(referenceCoordinates=[*at, *e],
                                                       initialVelocities=[*velocity, *rate]))
            made = ObjectRigidBody(mass=body["mass"], inertia=[*body["inertia"], 0.0, 0.0, 0.0],
                                   nodeNumber=node)
        self.object[name], self.centre[name], self.axes[name] = self.system.AddObject(made), at, axes
        marker = self.system.AddMarker(MarkerBodyMass(bodyNumber=self.object[name]))
        gravity = in_space(self.model.get("world", {}).get("gravity", [0, 0, 0]))
        self.system.AddLoad(LoadMassProportional(markerNumber=marker, loadVector=list(gravity)))

    def point(self, name, at):
        return self.system.AddMarker(MarkerBodyPosition(bodyNumber=self.object[name], localPosition=list(in_space(at))))

    def add_joint(self, joint):
        kind, pair = joint["type"], joint["between"]
        at = in_space(joint["at"]) if "at" in joint else self.centre[pair[1]]
        local = [self.axes[name].T @ (at - self.centre[name]) for name in pair]
        if self.plane:
            ends = [self.point(name, place) for name, place in zip(pair, local)]
            self.system.AddObject(ObjectJointRevolute2D(markerNumbers=ends))
            return
        ends = [self.point(name, place) if name in self.points else
                self.system.AddMarker(MarkerBodyRigid(bodyNumber=self.object[name], localPosition=list(place)))
                for name, place in zip(pair, local)]
        if kind == "spherical":
            self.system.AddObject(ObjectJointSpherical(markerNumbers=ends))
            return
        frame = bodies.frame_along(joint["axis"])
        if kind == "prismatic":
            frame = frame[:, [2, 0, 1]]  # the axis comes first
        frames = {f"rotationMarker{i}": self.axes[name].T @ frame for i, name in enumerate(pair)}
        if kind == "prismatic":
            made = ObjectJointPrismaticX(markerNumbers=ends, **frames)
        elif joint.get("released"):
            made = ObjectJointGeneric(markerNumbers=ends, constrainedAxes=[1, 1, 1, 1, 0, 0], **frames)
        else:
            made = ObjectJointRevoluteZ(markerNumbers=ends, **frames)
        self.system.AddObject(made)

    def place(self, name, at):
        return self.system.GetObjectOutputBody(self.object[name], exu.OutputVariableType.Position, list(in_space(at)))


def main():
    step, steps = float(sys.argv[1]), int(sys.argv[2])
    text = sys.stdin.read()
    settings = exu.SimulationSettings()
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.linearSolverType = exu.LinearSolverType.EigenSparse  # faster than its dense one from two bodies on
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.newton.useModifiedNewton = True
    watched = json.loads(sys.argv[3])

    def run(count):
        """The system at the end, and processor seconds."""
        built = Builder(text)
        settings.timeIntegration.numberOfSteps = count
        settings.timeIntegration.endTime = count * step
        begin = time.process_time()
        built.system.SolveDynamic(settings, exu.DynamicSolverType.GeneralizedAlpha)
        return built, time.process_time() - begin

    if watched:
        built, _ = run(steps)
        print(*(f"{x:.17g}" for name, at in watched for x in built.place(name, at)))
    else:
        short, long = run(steps)[1], run(2 * steps)[1]
        print(f"{1e6 * (long - short) / steps:.6g}")


main()

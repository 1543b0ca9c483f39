"""Steps a tree of bodies with Exudyn: rigid bodies with Euler parameters, revolute joints, generalized-alpha.

    exudyn_chain.py STEP STEPS < model.toml        prints microseconds of a step and the place of the last body
"""
import sys
import time

import exudyn as exu
import numpy as np
from exudyn.itemInterface import (MarkerBodyRigid, NodeRigidBodyEP, ObjectGround, ObjectJointRevoluteZ,
                                  ObjectRigidBody)
from exudyn.utilities import LoadMassProportional, MarkerBodyMass, RotationMatrix2EulerParameters

import tree


def axis_frame(axis):
    """A rotation whose third axis is the given one."""
    z = np.array(axis, float) / np.linalg.norm(axis)
    x = np.cross([0.0, 1.0, 0.0] if abs(z[1]) < 0.9 else [1.0, 0.0, 0.0], z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])


def velocities(links):
    """Of the centres of mass, and angular ones, as the joints turn."""
    at, spin, speed, centre, moving = [], [], [], [], []
    for link in links:
        p = link.parent
        base = np.array(link.place) + (at[p] if p >= 0 else 0.0)
        w = (spin[p] if p >= 0 else np.zeros(3)) + link.speed * np.array(link.axis or [0, 0, 0], float)
        v = speed[p] + np.cross(spin[p], base - at[p]) if p >= 0 else np.zeros(3)
        at.append(base)
        spin.append(w)
        speed.append(v)
        centre.append(base + np.array(link.centre))
        moving.append(v + np.cross(w, link.centre))
    return at, centre, moving, spin


def build(links, gravity):
    system = exu.SystemContainer().AddSystem() if hasattr(exu, "SystemContainer") else None
    ground = system.AddObject(ObjectGround())
    at, centre, moving, spin = velocities(links)
    upright = list(RotationMatrix2EulerParameters(np.eye(3)))
    bodies = []
    for k, link in enumerate(links):
        rate = [0.0, *(0.5 * spin[k])]
        node = system.AddNode(NodeRigidBodyEP(referenceCoordinates=[*centre[k], *upright],
                                              initialVelocities=[*moving[k], *rate]))
        bodies.append(system.AddObject(ObjectRigidBody(physicsMass=link.mass,
                                                       physicsInertia=[*link.moments, 0.0, 0.0, 0.0],
                                                       nodeNumber=node)))
        marker = system.AddMarker(MarkerBodyMass(bodyNumber=bodies[-1]))
        system.AddLoad(LoadMassProportional(markerNumber=marker, loadVector=list(gravity)))
    for k, link in enumerate(links):
        if link.axis is None:
            continue
        parent = ground if link.parent < 0 else bodies[link.parent]
        origin = np.zeros(3) if link.parent < 0 else centre[link.parent]
        ends = [system.AddMarker(MarkerBodyRigid(bodyNumber=parent, localPosition=list(at[k] - origin))),
                system.AddMarker(MarkerBodyRigid(bodyNumber=bodies[k], localPosition=list(at[k] - centre[k])))]
        frame = axis_frame(link.axis)
        system.AddObject(ObjectJointRevoluteZ(markerNumbers=ends, rotationMarker0=frame, rotationMarker1=frame))
    system.Assemble()
    return system, bodies[-1]


def main():
    step, steps = float(sys.argv[1]), int(sys.argv[2])
    links, gravity = tree.read_tree(sys.stdin.read())
    settings = exu.SimulationSettings()
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.linearSolverType = exu.LinearSolverType.EigenSparse
    settings.timeIntegration.generalizedAlpha.spectralRadius = 0.9
    settings.timeIntegration.newton.useModifiedNewton = True
    spent = []
    for count in (steps, 2 * steps):
        system, last = build(links, gravity)
        settings.timeIntegration.numberOfSteps = count
        settings.timeIntegration.endTime = count * step
        begin = time.perf_counter()
        system.SolveDynamic(settings, exu.DynamicSolverType.GeneralizedAlpha)
        spent.append(time.perf_counter() - begin)
        if count == steps:
            end = system.GetObjectOutputBody(last, exu.OutputVariableType.Position, [0, 0, 0])
    print(f"{1e6 * (spent[1] - spent[0]) / steps:.6g}", *(f"{x:.17g}" for x in end))


main()

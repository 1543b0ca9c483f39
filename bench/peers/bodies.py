"""A model file of Invar with bodies, read into numbers: what programs for bodies and joints need of it."""
import ast
import math
import operator
import tomllib

import numpy as np

NAMES = {"pi": math.pi, "sqrt": math.sqrt, "sin": math.sin, "cos": math.cos, "tan": math.tan}
OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
              ast.Pow: operator.pow, ast.USub: operator.neg, ast.UAdd: operator.pos}


def evaluate(text, known):
    """The value of a formula of Invar; `known` has what its names stand for."""
    def value(node):
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.Name):
            return known[node.id]
        if isinstance(node, ast.Call):
            return known[node.func.id](*map(value, node.args))
        if isinstance(node, ast.UnaryOp):
            return OPERATIONS[type(node.op)](value(node.operand))
        return OPERATIONS[type(node.op)](value(node.left), value(node.right))
    return value(ast.parse(text.replace("^", "**").strip(), mode="eval").body)


def numbers_in(value, known):
    """The same value with formulas of parameters replaced by numbers; other texts stay."""
    if isinstance(value, dict):
        return {key: numbers_in(inner, known) for key, inner in value.items()}
    if isinstance(value, list):
        return [numbers_in(inner, known) for inner in value]
    if isinstance(value, str):
        try:
            return float(evaluate(value, known))
        except (KeyError, SyntaxError, TypeError):
            return value
    return value


def parameters(model, known=NAMES):
    found = dict(known)
    for name, value in model.get("parameters", {}).items():
        found[name] = evaluate(value, found) if isinstance(value, str) else float(value)
    return found


def read(text):
    """The file as tables. Names of bodies and joints must not be formulas of parameters."""
    model = tomllib.loads(text)
    return numbers_in({key: value for key, value in model.items() if key != "parameters"}, parameters(model))


def turned(axis, angle):
    """The matrix of a rotation [Rodrigues]."""
    x, y, z = np.array(axis, float) / np.linalg.norm(axis)
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + math.sin(angle) * k + (1 - math.cos(angle)) * k @ k


def rotation(body):
    given = body.get("rotation")
    return turned(given["axis"], given["angle"]) if given else np.eye(3)


def frame_along(axis):
    """A rotation whose third axis is the given one."""
    z = np.array(axis, float) / np.linalg.norm(axis)
    x = np.cross([0.0, 1.0, 0.0] if abs(z[1]) < 0.9 else [1.0, 0.0, 0.0], z)
    x /= np.linalg.norm(x)
    return np.column_stack([x, np.cross(z, x), z])

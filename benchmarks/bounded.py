"""Motions of internal dynamics y' = f(t, y) in 64-bit significands: from a start, or the one that stays bounded.

An arc is one step of Gragg, Bulirsch and Stoer: the mid-point rule with 2, 4, … 2 k parts, extrapolated in h² [Hairer,
Nørsett, Wanner, Solving Ordinary Differential Equations I, II.9]. All arcs of a motion are computed side by side.

The bounded motion between two rests is found by multiple shooting: at the first node it has no part that decays (left
eigenvectors of the Jacobian there), at the last none that grows, and every arc ends where the next one begins. Both
ends lie so far outside the move that what is left of it there is less than a rounding error.
"""

import numpy as np
from scipy.sparse import lil_matrix
from scipy.sparse.linalg import splu

Number = np.longdouble
COLUMNS = 9  # of the extrapolation: order 18


def number(text):
    return Number(text)


def arcs(rates, t0, t1, y):
    """The states at t1 from y at t0; y has a column for each arc."""
    rows = []
    for k in range(COLUMNS):
        parts = 2 * (k + 1)
        h = (t1 - t0) / parts
        before, here = y, y + h * rates(t0, y)
        for i in range(1, parts):
            before, here = here, before + 2 * h * rates(t0 + i * h, here)
        rows.append([(here + before + h * rates(t1, here)) / 2])
        for j in range(k):
            ratio = Number((k + 1) ** 2) / Number((k - j) ** 2)
            rows[k].append(rows[k][j] + (rows[k][j] - rows[k - 1][j]) / (ratio - 1))
    return rows[-1][-1]


def from_start(rates, times, start):
    """The states at all times, one after the other."""
    states = [np.array(start, Number)]
    for t0, t1 in zip(times, times[1:]):
        states.append(arcs(rates, t0, t1, states[-1][:, None])[:, 0])
    return np.array(states)


def jacobian_at_rest(rates, t, y):
    step = Number("1e-7")
    shifts = step * np.eye(len(y), dtype=Number)
    there = np.repeat(np.full(1, t), len(y))
    columns = (rates(there, y[:, None] + shifts) - rates(there, y[:, None] - shifts)) / (2 * step)
    return columns.astype(float)


def directions(matrix, sign):
    """Real left eigenvectors for eigenvalues whose real part has this sign: rows that span the space."""
    values, vectors = np.linalg.eig(matrix.T)
    rows = []
    for value, vector in zip(values, vectors.T):
        if sign * value.real > 0 and value.imag >= 0:
            rows += [vector.real, vector.imag] if value.imag > 0 else [vector.real]
    return np.array(rows)


def bounded(rates, times, rests, guess=None):
    """The states at all times of the motion from the first to the second of the two rests."""
    n, last = len(rests[0]), len(times) - 1
    rests = [np.array(rest, Number) for rest in rests]
    first = directions(jacobian_at_rest(rates, times[0], rests[0]), -1)
    final = directions(jacobian_at_rest(rates, times[-1], rests[1]), +1)
    if len(first) + len(final) != n:
        raise ArithmeticError(f"{len(first)} conditions at the start and {len(final)} at the end for {n} states")
    states = np.tile(rests[0], (len(times), 1)) if guess is None else np.array(guess, Number)
    shift = Number("1e-9")
    change = previous = Number(1)
    for _ in range(60):
        begin = states[:-1].T  # n, arcs
        copies = np.concatenate([begin] + [begin + shift * unit[:, None] for unit in np.eye(n, dtype=Number)], axis=1)
        ends = arcs(rates, np.tile(times[:-1], n + 1), np.tile(times[1:], n + 1), copies).reshape(n, n + 1, last)
        matrix = lil_matrix((n * (last + 1),) * 2)
        gaps = np.zeros(n * (last + 1), Number)
        for i in range(last):
            rows = slice(n * i, n * (i + 1))
            matrix[rows, n * i : n * (i + 1)] = ((ends[:, 1:, i] - ends[:, :1, i]) / shift).astype(float)
            matrix[rows, n * (i + 1) : n * (i + 2)] = -np.eye(n)
            gaps[rows] = states[i + 1] - ends[:, 0, i]
        at = n * last
        matrix[at : at + len(first), :n] = first
        gaps[at : at + len(first)] = -first @ (states[0] - rests[0])
        matrix[at + len(first) :, -n:] = final
        gaps[at + len(first) :] = -final @ (states[-1] - rests[1])
        step = solve(matrix, gaps).reshape(-1, n)
        states = states + step
        previous, change = change, abs(step).max()
        if change < Number("1e-17") or (change < Number("1e-14") and change >= previous):
            return states
    raise ArithmeticError(f"Newton's method did not converge: {change}")


def solve(matrix, right):
    """In double precision; three times, so that the sum is good to more."""
    matrix = matrix.tocsr()
    factors, found = splu(matrix.tocsc()), np.zeros(len(right), Number)
    parts = matrix.tocoo()
    for _ in range(3):
        product = np.zeros(len(right), Number)
        np.add.at(product, parts.row, parts.data * found[parts.col])
        found = found + factors.solve((right - product).astype(float))
    return found


def smooth(degree, t, start, duration):
    """c, c' and c'' of the polynomial of this degree from 0 to 1, at rest before and afterwards."""
    k = (degree - 1) // 2
    power = np.poly1d(np.array([Number(1)] + [Number(0)] * k))
    rate = power * np.poly1d(np.array([Number(-1), Number(1)])) ** k
    value = rate.integ()
    scale = 1 / value(Number(1))
    τ = np.clip((t - start) / duration, Number(0), Number(1))
    return scale * value(τ), scale * rate(τ) / duration, scale * rate.deriv()(τ) / duration**2


def nodes(*parts):
    """Times from (start, end, count) parts, each divided evenly; the ends are met exactly."""
    times = [Number(parts[0][0])]
    for start, end, count in parts:
        times += [Number(start) + (Number(end) - Number(start)) * k / count for k in range(1, count + 1)]
    return np.array(times)

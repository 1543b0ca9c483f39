"""Processor time of programs, and steps that lead to equal errors.

Processor time is that of user and system together. It hardly depends on what else the machine does; still programs
take turns and the least of several rounds counts.
"""
import dataclasses
import math
import resource
import subprocess
import sys


@dataclasses.dataclass
class Found:
    """What one program needs for a motion: a step (or a tolerance), its error, and seconds for a second of motion."""
    name: str
    step: float
    error: float
    work: float = math.inf

    def step_text(self):
        return f"{1e3 * self.step:.3g} ms" if not self.name.endswith("adaptive") else f"tolerance {self.step:.0e}"


def processor_seconds(words, text=None, accept=(0,), timeout=900):
    """Of a program and its children, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(w) for w in words], input=text, capture_output=True, text=True, timeout=timeout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in accept:
        raise RuntimeError(done.stderr.strip()[-400:] or f"status {done.returncode}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def complain(name, reason):
    print(f"  {name}: {str(reason).strip().splitlines()[-1] if str(reason).strip() else reason}", file=sys.stderr)


def error_of(engine, problem, step):
    """The largest distance of a watched number from the reference; infinite where the program does not get there."""
    try:
        end = engine.end(problem, step)
    except (RuntimeError, subprocess.SubprocessError, ValueError) as reason:
        complain(f"{engine.name} with {step:.3g}", reason)
        return math.inf
    worst = float(max(abs(a - b) for a, b in zip(end, problem.truth)))
    return worst if math.isfinite(worst) else math.inf


def at_error(engine, problem, target, first, tries=6):
    """A step, as large as a few tries find it, whose error is not above the target; none if there is no such step.

    Errors go with a power of the step. A try that misses tells the next one; one that falls short by less than half
    is good enough.
    """
    best, step, too_large, failures = None, engine.admitted(problem, first), math.inf, 0
    for _ in range(tries):
        error = error_of(engine, problem, step)
        failures += math.isinf(error)
        if failures > 2:
            break
        met = error <= target
        if met and (best is None or step > best.step):
            best = Found(engine.name, step, error)
        if not met:
            too_large = min(too_large, step)
        if met and error > 0.5 * target:
            break
        ratio = 0.75 * target / max(error, 1e-300)
        wish = step * min(8.0, max(0.125, ratio ** (1.0 / engine.order)))
        if met and wish >= too_large:
            wish = math.sqrt(step * too_large)
        following = engine.admitted(problem, wish)
        if following == step or (best and following <= best.step):
            break
        step = following
    return best


def take_turns(pairs, problem, rounds, seconds):
    """Fills in what the engines need for a second of motion. `pairs` are engines with what was found of them."""
    lengths, counts = {}, {}
    for engine, found in pairs:
        try:
            counts[found.name] = engine.count(problem, found.step)
            lengths[found.name] = engine.length(problem, found.step, seconds)
        except (RuntimeError, subprocess.SubprocessError, ValueError) as reason:
            complain(engine.name, reason)
    for _ in range(rounds):
        for engine, found in pairs:
            if found.name in lengths:
                try:
                    pace = engine.pace(problem, found.step, lengths[found.name])
                    found.work = min(found.work, pace * counts[found.name] / problem.duration)
                except (RuntimeError, subprocess.SubprocessError, ValueError) as reason:
                    complain(engine.name, reason)

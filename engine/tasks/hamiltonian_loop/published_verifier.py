"""The published verifier of hamiltonian_loop, with its faults.

It takes fractional coordinates: the bounds are 0 < c <= size, the test for blocked cells cuts the fraction off, and a
step may be diagonal as long as |dx| + |dy| = 1. It stops at the first step that is wrong.
"""

from collections.abc import Iterator, Sequence

from spatial_workbench.engine.core import CheckList, Outcome, Problem
from spatial_workbench.engine.core.checks import all_passed
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.hamiltonian_loop.grid import LoopGrid, Place

CHECKS = CheckList()


def judge(grid: LoopGrid, steps: Sequence[Place], warnings: Sequence[str] = ()) -> Outcome:
    """The published judgement of a list of steps."""
    checks = CHECKS.run(grid, steps)
    return Outcome(float(all_passed(checks)), checks, warnings=warnings)


@CHECKS.step("at least one step")
def _some(grid: LoopGrid, steps: Sequence[Place]) -> Iterator[Problem]:
    if not steps:
        yield Problem("No steps were found")


@CHECKS.step("number of steps")
def _count(grid: LoopGrid, steps: Sequence[Place]) -> Iterator[Problem]:
    if len(steps) != len(grid.free):
        yield Problem(f"Expected {counted(len(grid.free), 'step')}, got {len(steps)}")


@CHECKS.step("every step, one by one")
def _walk(grid: LoopGrid, steps: Sequence[Place]) -> Iterator[Problem]:
    seen: set[Place] = set()
    for i, (x, y) in enumerate(steps):
        before = steps[i - 1]
        element = [f"step {i}"]
        if not (0 < x <= grid.width and 0 < y <= grid.height):
            yield Problem(f"Step {i} is out of bounds at ({x:g}, {y:g})", element)
        elif (int(x), int(y)) in grid.blocked:
            yield Problem(f"Step {i} is on the blocked cell ({int(x)}, {int(y)})", element)
        elif abs(x - before[0]) + abs(y - before[1]) != 1:
            yield Problem(f"Step {i} is not beside the step before it", element)
        elif (x, y) in seen:
            yield Problem(f"Step {i} comes back to ({x:g}, {y:g})", element)
        else:
            seen.add((x, y))
            continue
        return

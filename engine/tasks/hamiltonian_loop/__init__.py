"""Hamiltonian loop: one closed path through every free cell of a grid with obstacles (SCBench B.7).

Answer    steps: a list of {"xy": [x, y]}; cells from (1, 1) at the top left; the first is not repeated at the end
Checks    as many steps as free cells; whole coordinates; inside the grid; not blocked; each step to a cell that shares
          a side with the one before, the last one beside the first; no cell twice. All of them are reported
Score     1 if every check passes, else 0

The rules in full: docs/tasks/hamiltonian_loop.md.

    commands              what can be done to a drawing by editors, agents and other programs
    crosscheck            the cross-check: the set of edges, and the area that they enclose
    drawing               the scene: flat, y down, cell centres at whole coordinates
    editing               what gestures do to a drawing, and what can be said of an unfinished one
    generator             new grids, each with a loop that is known
    grid                  the board: a grid with blocked cells, and links between cells that share a side
    pieces                drawings: sets of links, at most two per cell, and how an answer represents them
    published_verifier    the published verifier, with its faults
    solver                loops through all free cells, by an integer program
"""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any

import numpy as np
from pydantic import AfterValidator, BeforeValidator, Field, PlainSerializer, WithJsonSchema

from spatial_workbench.engine.core import (
    Aid,
    Answer,
    AnswerPart,
    Bucket,
    Check,
    CheckList,
    Family,
    Figure,
    Instance,
    LiveRule,
    Number,
    Outcome,
    Problem,
    Progress,
    Prompt,
    Scene,
    State,
    Task,
    Verdict,
    at_most,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.checks import all_passed
from spatial_workbench.engine.core.formats.jsontext import Path, format_path
from spatial_workbench.engine.core.shipped import resource
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.hamiltonian_loop.editing import tally_of
from spatial_workbench.engine.tasks.hamiltonian_loop.generator import GridDifficulty, draw
from spatial_workbench.engine.tasks.hamiltonian_loop.grid import LoopGrid, Place
from spatial_workbench.engine.tasks.hamiltonian_loop.pieces import Piece, links_of, pieces_of
from spatial_workbench.engine.tasks.hamiltonian_loop.solver import find_loop, sweep

MAX_STEPS = 6400
"""Four times the cells of the largest grid that the generator makes."""

READ_AT_MOST = 4
"""Steps beyond this many times the expected number are ignored."""


def _whole(value: float) -> float:
    return int(value) if value == int(value) else value


Coordinate = Annotated[
    Number,
    AfterValidator(_whole),
    PlainSerializer(_whole, return_type=int | float),
    WithJsonSchema({"type": "integer"}),
]
"""A whole number. Fractions are read but fail a check, so that the published verifier can judge them."""


class LoopStep(AnswerPart):
    """One cell of the path."""

    xy: Annotated[tuple[Coordinate, Coordinate], BeforeValidator(lambda v: tuple(v) if isinstance(v, list) else v)] = (
        Field(description="Column from the left and row from the top, counted from 1")
    )


class LoopAnswer(Answer):
    """A closed path."""

    steps: Annotated[tuple[LoopStep, ...], at_most(MAX_STEPS, "steps")] = Field(
        description="The cells in order; the last one is beside the first, which is not repeated"
    )

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        is_xy = len(path) == 3 and path[2] == "xy" and kind != "missing"
        if is_xy or (len(path) == 4 and kind in ("missing", "too_long", "unexpected_positional_argument")):
            return f"{format_path(path[:3])}: two numbers [x, y] are expected"
        return None

    @property
    def cells(self) -> tuple[Place, ...]:
        """The places of the steps."""
        return tuple(step.xy for step in self.steps)


Steps = Sequence[Place]

CHECKS = CheckList()


@CHECKS.step("number of steps")
def _count(grid: LoopGrid, steps: Steps) -> Iterator[Problem]:
    expected = len(grid.free)
    if len(steps) == expected:
        return
    again = ""
    if len(steps) == expected + 1 and steps[0] == steps[-1]:
        again = "; the first cell is repeated at the end, leave it out"
    missed = set(grid.free).difference(steps)
    elements = [f"cell {x},{y}" for x, y in grid.free if (x, y) in missed]
    yield Problem(f"Expected {counted(expected, 'step')}, got {len(steps)}{again}")
    if missed:
        words = "1 cell is not visited" if len(missed) == 1 else f"{len(missed)} cells are not visited"
        yield Problem(words, elements, is_omission=True, is_evident=True)


@CHECKS.step("whole coordinates")
def _whole_cells(grid: LoopGrid, steps: Steps) -> Iterator[Problem]:
    for i, step in enumerate(steps):
        for axis, value in zip("xy", step, strict=True):
            if isinstance(value, float):
                yield Problem(f"Step {i}: {axis} = {value:g} is not a whole number", [f"step {i}"])


@CHECKS.step("inside the grid")
def _inside(grid: LoopGrid, steps: Steps) -> Iterator[Problem]:
    for i, (x, y) in enumerate(steps):
        if not grid.holds((x, y)):
            yield Problem(f"Step {i}, ({x:g}, {y:g}), is outside the {grid.width} x {grid.height} grid", [f"step {i}"])


@CHECKS.step("on free cells")
def _free(grid: LoopGrid, steps: Steps) -> Iterator[Problem]:
    for i, (x, y) in enumerate(steps):
        if (x, y) in grid.blocked:
            yield Problem(f"Step {i}, ({x:g}, {y:g}), is on a blocked cell", [f"cell {x:g},{y:g}", f"step {i}"])


@CHECKS.step("each step beside the one before")
def _beside(grid: LoopGrid, steps: Steps) -> Iterator[Problem]:
    for i, (x, y) in enumerate(steps):
        bx, by = steps[i - 1]
        if abs(x - bx) + abs(y - by) != 1:
            if i == 0:
                message = f"The last cell, ({bx:g}, {by:g}), does not share a side with the first, ({x:g}, {y:g})"
            else:
                message = f"Steps {i - 1} and {i}, ({bx:g}, {by:g}) and ({x:g}, {y:g}), do not share a side"
            yield Problem(message, [f"step {i}"])


@CHECKS.step("no cell twice")
def _once(grid: LoopGrid, steps: Steps) -> Iterator[Problem]:
    first: dict[Place, int] = {}
    for i, (x, y) in enumerate(steps):
        if (x, y) in first:
            message = f"Step {i} comes back to ({x:g}, {y:g}), which is step {first[x, y]}"
            yield Problem(message, [f"cell {x:g},{y:g}", f"again {x:g},{y:g}"])
        first.setdefault((x, y), i)


SOME_STEPS = "at least one step"


class HamiltonianLoop(HasCommands, Task[LoopAnswer]):
    """Draw one loop through every free cell."""

    title = "Hamiltonian loop"
    summary = "Draw one closed path that visits every free cell of a grid exactly once."
    family = Family.SCBENCH
    bucket = Bucket.CONSTRUCTIVE
    live = LiveRule.faults(
        "A check names where the path breaks a rule, which is seen on the drawing. "
        "No part of a path is right or wrong by itself."
    )
    answer_type = LoopAnswer
    hidden = frozenset({"loop"})
    difficulty = GridDifficulty

    def instances(self) -> Sequence[Instance]:
        return _published()

    def draw(self, rng: np.random.Generator, difficulty: GridDifficulty) -> Mapping[str, Any]:
        """A new grid with a loop that is known. Raises InstanceError where there is none."""
        return draw(rng, difficulty)

    def caption(self, instance: Instance) -> str:
        """The size, and how many cells are blocked: "16 × 16 · 6 blocked"."""
        p = instance.parameters
        blocked = f" · {len(p['blocked'])} blocked" if p["blocked"] else ""
        return f"{p['width']} × {p['height']}{blocked}"

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(_prompt(LoopGrid.of(instance.parameters)))

    def empty(self, instance: Instance) -> LoopAnswer:
        return LoopAnswer(steps=())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.hamiltonian_loop.commands import commands

        return commands

    def sight(self, instance: Instance, answer: LoopAnswer, aids: Collection[Aid]) -> Scene:
        """The grid with the paths and loops that are drawn."""
        from spatial_workbench.engine.tasks.hamiltonian_loop.drawing import draw_pieces

        return draw_pieces(LoopGrid.of(instance.parameters), _pieces(instance, answer))

    def state(self, instance: Instance, answer: LoopAnswer) -> Any:
        """The paths and loops that are drawn, cell by cell."""
        pieces = _pieces(instance, answer)
        return {
            "paths": [piece.cells for piece in pieces if not piece.closed],
            "loops": [piece.cells for piece in pieces if piece.closed],
        }

    @verifier("default", "1", "Every rule, in whole cells; all that is wrong is reported.")
    def _default(self, instance: Instance, answer: LoopAnswer, progress: Progress) -> Outcome:
        return _judge(LoopGrid.of(instance.parameters), answer.cells)

    @verifier(
        "published",
        "1",
        "The published verifier: it takes fractional coordinates, so a path that is shifted by half a cell, or goes "
        "diagonally in halves, can pass.",
    )
    def _published_verifier(self, instance: Instance, answer: LoopAnswer, progress: Progress) -> Outcome:
        from spatial_workbench.engine.tasks.hamiltonian_loop.published_verifier import judge

        return judge(LoopGrid.of(instance.parameters), answer.cells, _note(instance))

    def _crosscheck(self, instance: Instance, answer: LoopAnswer, progress: Progress) -> Outcome:
        from spatial_workbench.engine.tasks.hamiltonian_loop.crosscheck import judge

        return judge(LoopGrid.of(instance.parameters), answer.cells)

    def solve(self, instance: Instance, progress: Progress = silent) -> LoopAnswer:
        """The known loop of a generated grid, a sweep of an empty one, or the solver's loop."""
        parameters = instance.parameters
        grid = LoopGrid.of(parameters)
        if "loop" in parameters:
            return loop_answer(parameters["loop"])
        if not grid.blocked and grid.height % 2 == 0:
            return loop_answer(sweep(grid.width, grid.height))
        return loop_answer(find_loop(grid, progress=progress) or ())

    def scene(self, instance: Instance, answer: LoopAnswer | None = None, verdict: Verdict | None = None) -> Scene:
        """The grid with the path, where it is broken, and the cells that it has not visited."""
        from spatial_workbench.engine.tasks.hamiltonian_loop.drawing import draw_grid

        return draw_grid(LoopGrid.of(instance.parameters), () if answer is None else answer.cells)

    def thumbnail(self) -> Scene:
        """A loop around obstacles, on a special grid: a published instance would show its key."""
        instance = self.generate(1)
        return self.scene(instance, self.solve(instance))


def loop_answer(cells: Sequence[Sequence[float]]) -> LoopAnswer:
    """The answer with these cells in order."""
    return LoopAnswer(steps=tuple(LoopStep(xy=(x, y)) for x, y in cells))


def _pieces(instance: Instance, answer: LoopAnswer) -> list[Piece]:
    """The paths and loops of an answer."""
    links = links_of(LoopGrid.of(instance.parameters), answer.cells)
    return pieces_of(links, [(int(x), int(y)) for x, y in answer.cells])


def _judge(grid: LoopGrid, given: Steps) -> Outcome:
    if not given:
        none = Check.of(SOME_STEPS, [Problem("There are no steps")])
        return Outcome.failed([none, *map(Check.not_reached, CHECKS.names)])
    steps = given[: READ_AT_MOST * len(grid.free)]
    checks = [Check(name=SOME_STEPS, state=State.PASSED), *CHECKS.run(grid, steps, stop_at_first=False)]
    warnings = (
        [f"Only the first {len(steps)} of {counted(len(given), 'step was', 'steps were')} looked at"]
        if len(steps) < len(given)
        else []
    )
    tally = tally_of(grid, links_of(grid, steps))
    figures = [
        Figure("cells visited", len(set(steps) & set(grid.free))),
        Figure("free cells", tally.needed),
        Figure("open ends", tally.open_ends),
        Figure("loops", tally.loops),
    ]
    return Outcome(float(all_passed(checks)), checks, figures, warnings)


@cache
def _resource() -> Any:
    return json.loads(resource("tasks", "hamiltonian_loop.json").read_text("utf-8"))


@cache
def _published() -> tuple[Instance, ...]:
    grids = [LoopGrid.drawn(rows) for rows in _resource()["grids"]]
    return tuple(Instance.published("hamiltonian_loop", i, grid.parameters()) for i, grid in enumerate(grids))


def _note(instance: Instance) -> list[str]:
    """The known errors in the published prompt of an instance."""
    cells = _resource()["published_prompt_blocked"].get(str(instance.number))
    if cells is None:
        return []
    listed = " ".join(f"({x},{y})" for x, y in cells)
    return [
        f"The published prompt of this grid lists other blocked cells, {listed}, than its verifier uses. A loop that "
        "obeys that prompt fails here and in the published verifier."
    ]


def _prompt(grid: LoopGrid) -> str:
    across, down = grid.width, grid.height
    return "\n\n".join([
        f"A grid of square cells has {across} columns and {down} rows. A cell is written as [x, y]: x is its column, "
        f"from 1 at the left to {across} at the right; y is its row, from 1 at the top to {down} at the bottom. So the "
        "cell at the top left is [1, 1].",
        _prompt_obstacles(grid),
        "Find one closed path through the free cells:\n"
        "- Each step goes to a cell that shares a side with the one before; there are no diagonal steps.\n"
        "- Every free cell is visited exactly once, and no blocked cell is.\n"
        "- The path is closed: the last cell shares a side with the first. Do not repeat the first cell at the end.\n"
        f"- So the path has exactly {len(grid.free)} cells.\n\n"
        "You may start at any free cell and go either way round.",
        'Answer with JSON: {"steps": [{"xy": [x, y]}, {"xy": [x, y]}, ...]}, one entry for each cell in order, and no '
        "other field. All coordinates are whole numbers.",
    ])  # fmt: skip


def _prompt_obstacles(grid: LoopGrid) -> str:
    if not grid.blocked:
        return "No cell is blocked."
    listed = ", ".join(f"[{x}, {y}]" for x, y in sorted(grid.blocked))
    drawn = "\n".join(grid.rows())
    return (
        f"These {len(grid.blocked)} cells are blocked: {listed}.\n\n"
        f"The same as a map (X is blocked, . is free; the top line is y = 1, its first character is [1, 1]):\n\n{drawn}"
    )

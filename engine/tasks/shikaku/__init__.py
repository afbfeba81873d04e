"""Shikaku: divide a grid into rectangles, each holding one clue that equals its area (SCBench, Constructive, task q56).

Answer    rectangles as [x_min, y_min, x_max, y_max], cells, both ends included, origin top left
Score     1 if every check passes, else 0; all failures are reported

The rules in full: docs/tasks/shikaku.md.

    board        a grid of clues, and which rectangles a clue may have
    commands     what can be done to rectangles by editors, agents and other programs
    drawing      cells, clues and rectangles
    generator    new boards: tile at random, give each rectangle a clue, keep boards with one solution
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from spatial_workbench.engine.core import (
    Answer,
    Bucket,
    CheckList,
    Family,
    Figure,
    Instance,
    Integer,
    LiveRule,
    Outcome,
    Problem,
    Progress,
    Prompt,
    Scene,
    Task,
    Verdict,
    at_most,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.checks import all_passed
from spatial_workbench.engine.core.formats.jsontext import Path
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.shikaku.board import Rectangle, ShikakuBoard, area_of, exact_covers, solutions
from spatial_workbench.engine.tasks.shikaku.drawing import draw as draw_board
from spatial_workbench.engine.tasks.shikaku.generator import BoardDifficulty, draw

MAX_RECTANGLES = 1000
Corners = Annotated[tuple[Integer, ...], Field(strict=False, min_length=4, max_length=4)]


class Rectangles(Answer):
    """The rectangles of a partition."""

    rectangles: Annotated[tuple[Corners, ...], at_most(MAX_RECTANGLES, "rectangles")] = Field(
        description="x_min, y_min, x_max, y_max of each rectangle: columns and rows from 0, both ends included"
    )

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        return f"rectangles[{path[1]}]: four whole numbers expected" if len(path) >= 2 else None


checks = CheckList()


@checks.step("inside the grid")
def _inside(board: ShikakuBoard, rectangles: Sequence[Rectangle]) -> Iterator[Problem]:
    if not rectangles:
        yield Problem("No rectangles")
    for k, rectangle in enumerate(rectangles):
        x0, y0, x1, y1 = rectangle
        if x1 < x0 or y1 < y0:
            yield Problem(f"rectangles[{k}]: right/bottom lies before left/top", [f"rectangle {k}"])
        elif not board.holds(rectangle):
            yield Problem(
                f"rectangles[{k}] leaves the {board.width} x {board.height} grid ({_what_leaves(board, rectangle)})",
                [f"rectangle {k}"],
            )


@checks.step("no cell twice")
def _apart(board: ShikakuBoard, rectangles: Sequence[Rectangle]) -> Iterator[Problem]:
    drawable = _drawable(board, rectangles)
    for i, (k, a) in enumerate(drawable):
        for m, b in drawable[i + 1 :]:
            x0 = max(a[0], b[0])
            y0 = max(a[1], b[1])
            x1 = min(a[2], b[2])
            y1 = min(a[3], b[3])
            if x0 <= x1 and y0 <= y1:
                cells = f"cell ({x0}, {y0})" if (x0, y0) == (x1, y1) else f"cells ({x0}, {y0}) to ({x1}, {y1})"
                yield Problem(f"Rectangles {k} and {m} both cover {cells}", [f"rectangle {k}", f"rectangle {m}"])


@checks.step("one clue in each rectangle")
def _one_clue(board: ShikakuBoard, rectangles: Sequence[Rectangle]) -> Iterator[Problem]:
    for k, rectangle in _drawable(board, rectangles):
        count = len(board.clues_in(rectangle))
        if count != 1:
            clues = counted(count, "clue") if count else "no clue"
            yield Problem(f"Rectangle {k} contains {clues}", [f"rectangle {k}"])


@checks.step("areas equal the clues")
def _areas(board: ShikakuBoard, rectangles: Sequence[Rectangle]) -> Iterator[Problem]:
    for k, rectangle in _drawable(board, rectangles):
        clues = board.clues_in(rectangle)
        if len(clues) == 1 and board.clues[clues[0]] != area_of(rectangle):
            yield Problem(
                f"Rectangle {k} has {counted(area_of(rectangle), 'cell')}, its clue is {board.clues[clues[0]]}",
                [f"rectangle {k}"],
            )


@checks.step("every cell covered")
def _covered(board: ShikakuBoard, rectangles: Sequence[Rectangle]) -> Iterator[Problem]:
    count = board.coverage([rectangle for _, rectangle in _drawable(board, rectangles)])
    for y, x in np.argwhere(count == 0):
        yield Problem(f"Cell ({x}, {y}) is not covered", [f"cell {x},{y}"], is_omission=True, is_evident=True)


class Shikaku(HasCommands, Task[Rectangles]):
    """Divide a grid into rectangles by its clues."""

    id = "shikaku"
    title = "Shikaku rectangles"
    summary = "Cut a grid into rectangles that hold one number each and have that many cells."
    family = Family.SCBENCH
    bucket = Bucket.CONSTRUCTIVE
    has_one_answer = True
    live = LiveRule.faults(
        "A check counts what is seen on the board: cells and clues. "
        "A rectangle that meets its clue may still be wrong, and no check shows that."
    )
    answer_type = Rectangles
    difficulty = BoardDifficulty

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"grid": row["grid"]}

    def draw(self, rng: np.random.Generator, difficulty: BoardDifficulty) -> Mapping[str, Any]:
        """A board with one solution. Raises InstanceError where none was found."""
        return draw(rng, difficulty)

    def caption(self, instance: Instance) -> str:
        board = board_of(instance)
        return f"{board.width} × {board.height} · {counted(len(board.clues), 'clue')}"

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(_prompt(board_of(instance)))

    def empty(self, instance: Instance) -> Rectangles:
        return Rectangles(rectangles=())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.shikaku.commands import commands

        return commands

    def state(self, instance: Instance, answer: Rectangles) -> Any:
        """The rectangles with their ids."""
        names = ("x_min", "y_min", "x_max", "y_max")
        drawn = as_rectangles(answer)
        return {"rectangles": [{"id": k} | dict(zip(names, one, strict=True)) for k, one in enumerate(drawn)]}

    @verifier("default", "1", "The rules, cell by cell; every failure is reported")
    def _default(self, instance: Instance, answer: Rectangles, progress: Progress) -> Outcome:
        board = board_of(instance)
        rectangles = as_rectangles(answer)
        rows = checks.run(board, rectangles, stop_at_first=False)
        covered = int((board.coverage([r for _, r in _drawable(board, rectangles)]) > 0).sum())
        figures = [
            Figure("rectangles", f"{len(rectangles)}/{len(board.clues)}"),
            Figure("covered cells", f"{covered}/{board.width * board.height}"),
        ]
        passed = all_passed(rows)
        return Outcome(float(passed), rows, figures, warnings=[] if passed else hints(board, rectangles))

    def _crosscheck(self, instance: Instance, answer: Rectangles, progress: Progress) -> Outcome:
        board = board_of(instance)
        progress(0, 1, "solving as an integer program")
        count = Figure("solutions of the board (up to 2)", exact_covers(board))
        return Outcome(float(_painted_right(board, as_rectangles(answer))), [], [count])

    def solve(self, instance: Instance, progress: Progress = silent) -> Rectangles:
        return Rectangles(rectangles=_solution(board_of(instance)))

    def scene(self, instance: Instance, answer: Rectangles | None = None, verdict: Verdict | None = None) -> Scene:
        return draw_board(board_of(instance), as_rectangles(answer) if answer else (), verdict)

    def thumbnail(self) -> Scene:
        """A board of its own, solved: a published instance would show its key."""
        instance = self.generate(2)
        return self.scene(instance, self.solve(instance))


def board_of(instance: Instance) -> ShikakuBoard:
    """The board of an instance."""
    return ShikakuBoard.of(instance.parameters)


def as_rectangles(answer: Rectangles) -> tuple[Rectangle, ...]:
    """The answer's rectangles."""
    return tuple((x0, y0, x1, y1) for x0, y0, x1, y1 in answer.rectangles)


def hints(board: ShikakuBoard, rectangles: Sequence[Rectangle]) -> list[str]:
    """Likely mistakes of the author: other readings under which the answer would pass."""
    readings: dict[str, Callable[[Rectangle], Rectangle]] = {
        "Columns and rows look exchanged": lambda r: (r[1], r[0], r[3], r[2]),
        "Right and bottom look like one too much: both ends are included": lambda r: (r[0], r[1], r[2] - 1, r[3] - 1),
        "Rows look counted from the bottom": lambda r: (r[0], board.height - 1 - r[3], r[2], board.height - 1 - r[1]),
    }
    return [
        hint
        for hint, reading in readings.items()
        if rectangles and all_passed(checks.run(board, [reading(r) for r in rectangles]))
    ]


def _drawable(board: ShikakuBoard, rectangles: Sequence[Rectangle]) -> list[tuple[int, Rectangle]]:
    """The rectangles that lie in the grid, with their numbers."""
    return [(k, rectangle) for k, rectangle in enumerate(rectangles) if board.holds(rectangle)]


def _what_leaves(board: ShikakuBoard, rectangle: Rectangle) -> str:
    names = ("x_min", "y_min", "x_max", "y_max")
    limits = (board.width, board.height) * 2
    wrong = [
        f"{name} = {value}"
        for name, value, limit in zip(names, rectangle, limits, strict=True)
        if not 0 <= value < limit
    ]
    return ", ".join(wrong)


def _painted_right(board: ShikakuBoard, rectangles: Sequence[Rectangle]) -> bool:
    """Paints the owners into an image and measures each label, instead of comparing corners."""
    if not rectangles or not all(board.holds(rectangle) for rectangle in rectangles):
        return False
    owners: NDArray[np.int64] = np.full((board.height, board.width), -1)
    for k, (x0, y0, x1, y1) in enumerate(rectangles):
        owners[y0 : y1 + 1, x0 : x1 + 1] = k
    clues = np.array(board.grid)
    for k, rectangle in enumerate(rectangles):
        own = owners == k
        inside = clues[own]
        whole = own.sum() == area_of(rectangle)
        if not whole or np.count_nonzero(inside) != 1 or inside.sum() != own.sum():
            return False
    return bool((owners >= 0).all())


@cache
def _solution(board: ShikakuBoard) -> tuple[Rectangle, ...]:
    return solutions(board, limit=1)[0]


def _prompt(board: ShikakuBoard) -> str:
    width = max(len(str(value)) for row in board.grid for value in row)
    rows = "\n".join(" ".join(f"{value:>{width}}" for value in row) for row in board.grid)
    return f"""Here is a grid of {board.width} columns and {board.height} rows, rows from the top. A number other \
than 0 is a clue; 0 is a blank cell.

{rows}

Divide the grid into rectangles along its lines so that
- every cell belongs to exactly one rectangle;
- every rectangle contains exactly one clue;
- the number of cells of a rectangle equals its clue.

A rectangle is written [left column, top row, right column, bottom row]; columns and rows are counted from 0 at the \
top left, and both ends are included. The order of the rectangles does not matter.
Answer with JSON: {{"rectangles": [[0, 0, 1, 2], ...]}} (the example shows the form only).
"""

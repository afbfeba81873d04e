"""3D maze: design heights on a grid so that one path with many jumps leads from A to B (SCBench task q07, Planning).

Answer    text, a line a row: digits are heights, A and B mark start and goal
Score     1 if there is exactly one path, long enough and with enough jumps, and no height is overused; else 0

The rules in full: docs/tasks/maze_3d.md.

    commands      what can be done to a maze by editors, agents and other programs
    crosscheck    the rules of a maze by other methods: removing steps, counting paths, and replaying the path
    drawing       a maze as columns in space, and as a plan
    editing       edits of mazes: pure functions that return a new maze
    finding       finds the grid of a maze in what somebody wrote
    generator     makes mazes: a route, heights along it, and other cells that lead nowhere
    graph         the routes of a maze: walks, jumps, the path from A to B, and where it is not unique
    maze          the rules of an instance, and heights on a grid as text and as numbers
    prompt        what a solver is told
    rules         the checks of a maze, in the order of docs/tasks/maze_3d.md
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import (
    Aid,
    Answer,
    AnswerError,
    Bucket,
    Difficulty,
    Family,
    Figure,
    Instance,
    InstanceError,
    LiveRule,
    Outcome,
    Progress,
    Prompt,
    Scene,
    Task,
    Verdict,
    silent,
    vary_field,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.checks import Check, Problem, all_passed
from spatial_workbench.engine.core.formats.jsontext import Path
from spatial_workbench.engine.core.reading.how_read import HowRead
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.maze_3d.crosscheck import judge_again
from spatial_workbench.engine.tasks.maze_3d.drawing import draw_maze
from spatial_workbench.engine.tasks.maze_3d.finding import find_grid
from spatial_workbench.engine.tasks.maze_3d.generator import make_maze
from spatial_workbench.engine.tasks.maze_3d.graph import MazeStudy, study
from spatial_workbench.engine.tasks.maze_3d.maze import BLANK, Maze, Rules, words_of
from spatial_workbench.engine.tasks.maze_3d.prompt import prompt_text
from spatial_workbench.engine.tasks.maze_3d.rules import Judged, judge, judge_published

MAX_CHARS = 400_000
"""Room for everything that a model writes around its maze."""
MAX_JUDGED_CHARS = 10_000
"""The longest text that is searched letter by letter if it holds no grid."""
NO_TEXT = "No maze text"
VARIED_SIZES = (6, 24)
VARIED_JUMPS = 0.4
"""The most jumps of a maze that varies, as a share of its size."""
VARIED_CAPS = (0.25, 0.3, 0.35, 0.4)


class MazeText(Answer):
    """A maze as text, as it was given. Read it by `Maze.read`."""

    maze: str = Field(max_length=MAX_CHARS, description="the lines of the maze, joined by line feeds")

    @classmethod
    def of(cls, maze: Maze) -> MazeText:
        """An answer from a maze; blank cells become dots, which no verifier accepts."""
        return cls(maze=maze.text)

    @classmethod
    def prepare(cls, data: Any, warn: Callable[[str], None]) -> Any:
        """An answer without text is not an answer."""
        text = data.get("maze") if isinstance(data, Mapping) else None
        if not isinstance(text, str) or not text.strip():
            raise AnswerError(NO_TEXT, ("maze",) if isinstance(data, Mapping) else (), how=HowRead.NO_ANSWER)
        return data

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        return f"The maze text is longer than {MAX_CHARS} characters" if kind == "string_too_long" else None


class MazeDifficulty(Difficulty):
    """What a generated instance asks for."""

    size: int = Field(12, ge=5, le=40, description="cells along a side")
    jumps_per_size: float = Field(0.4, ge=0.05, le=0.5, description="jumps that are needed, as a share of the size")
    cap: float = Field(0.3, ge=0.2, le=0.4, description="share of the cells that may have the same height")
    vary: bool = vary_field("size, jumps and limits")

    def drawn(self, rng: np.random.Generator) -> MazeDifficulty:
        """This, with what is usual drawn if it is to vary."""
        if not self.vary:
            return self
        size = int(rng.integers(VARIED_SIZES[0], VARIED_SIZES[1] + 1))
        jumps = int(rng.integers(1, int(VARIED_JUMPS * size) + 1))
        # Half a jump more, so that rounding down gives the number that was drawn.
        jumps_per_size = (jumps + 0.5) / size
        drawn = {"size": size, "jumps_per_size": jumps_per_size, "cap": float(rng.choice(VARIED_CAPS))}
        return self.model_copy(update=drawn | self.model_dump(exclude_defaults=True))


class Maze3D(HasCommands, Task[MazeText]):
    """Design a maze with one path and many jumps."""

    id = "maze_3d"
    title = "3D maze with jumps"
    summary = "Give heights to a grid so that a single path, with jumps over gaps, leads from A to B."
    family = Family.SCBENCH
    bucket = Bucket.PLANNING
    live = LiveRule.faults(
        "A check applies the rules of walking to the maze. Many mazes pass, and no height is right by itself."
    )
    answer_type = MazeText
    hidden = frozenset({"proof"})
    answer_format = "text"
    difficulty = MazeDifficulty

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {name: value for name, value in row.items() if name != "solution"}

    def draw(self, rng: np.random.Generator, difficulty: MazeDifficulty) -> Mapping[str, Any]:
        """Other heights of A and B; a maze that the generator finds is stored as the proof."""
        for _ in range(5):
            wanted = difficulty.drawn(rng)
            jumps = max(1, int(wanted.jumps_per_size * wanted.size))
            start, end = rng.integers(10, size=2).tolist()
            parameters = {"size": wanted.size, "start_height": start, "end_height": end, "jumps": jumps}
            parameters |= {"coverage": 0.2, "cap": wanted.cap}
            try:
                proof = make_maze(Rules.of(parameters), rng)
            except InstanceError as error:
                refusal = error
            else:
                return parameters | {"proof": proof.text}
        raise refusal

    def caption(self, instance: Instance) -> str:
        rules = Rules.of(instance.parameters)
        return f"{rules.size} × {rules.size} · {counted(rules.jumps, 'jump')}"

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(prompt_text(Rules.of(instance.parameters)))

    def empty(self, instance: Instance) -> MazeText:
        rules = Rules.of(instance.parameters)
        heights = np.full((rules.size, rules.size), BLANK)
        heights[0, 0] = rules.start_height
        heights[-1, -1] = rules.end_height
        return MazeText.of(Maze(heights, (0, 0), (rules.size - 1, rules.size - 1)))

    def parse_text(self, text: str) -> MazeText:
        """The text as it is; its form is checked by the verifiers.

        Raises:
            AnswerError: there is no text, or too much of it.
        """
        return self.parse({"maze": text})

    def format(self, answer: MazeText) -> str:
        return answer.maze

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.maze_3d.commands import commands

        return commands

    def state(self, instance: Instance, answer: MazeText) -> str:
        """The maze as text, with the numbers of rows and columns."""
        return Maze.read(answer.maze, Rules.of(instance.parameters)).with_numbers

    def sight(self, instance: Instance, answer: MazeText, aids: Collection[Aid]) -> Scene:
        """Columns; who may measure sees the path, who may have judgements what is not unique about it."""
        maze = Maze.read(answer.maze, Rules.of(instance.parameters))
        return draw_maze(maze, study(maze).limited(Aid.MEASURING in aids, Aid.JUDGING in aids))

    @verifier("default", "2", "The rules of docs/tasks/maze_3d.md; the grid is found in the text around it")
    def _default(self, instance: Instance, answer: MazeText, progress: Progress) -> Outcome:
        rules = Rules.of(instance.parameters)
        found = find_grid(answer.maze, rules.size)
        if len(found.text) > MAX_JUDGED_CHARS:
            return Outcome.failed([Check.of("text", [Problem("No maze was found in the text")])], how=found.how)
        return replace(_outcome(rules, judge(rules, found.text)), how=found.how)

    @verifier(
        "published",
        "1",
        "The text is the grid and nothing else; carriage returns are characters; digits of other scripts are read",
    )
    def _published(self, instance: Instance, answer: MazeText, progress: Progress) -> Outcome:
        rules = Rules.of(instance.parameters)
        return _outcome(rules, judge_published(rules, answer.maze))

    def _crosscheck(self, instance: Instance, answer: MazeText, progress: Progress) -> Outcome:
        rules = Rules.of(instance.parameters)
        found = find_grid(answer.maze, rules.size)
        rows = judge_again(rules, found.text, progress)
        return Outcome(float(all_passed(rows)), rows, how=found.how)

    def solve(self, instance: Instance, progress: Progress = silent) -> MazeText:
        """The published human answer, the proof of a generated instance, or a maze of the generator."""
        parameters = instance.parameters
        if "proof" in parameters:
            return MazeText(maze=parameters["proof"])
        row = self.published_rows()[instance.number or 0]
        if "solution" in row:
            return MazeText(maze="\n".join(row["solution"]))
        rng = np.random.Generator(np.random.PCG64(instance.number))
        return MazeText.of(make_maze(Rules.of(parameters), rng, progress))

    def scene(self, instance: Instance, answer: MazeText | None = None, verdict: Verdict | None = None) -> Scene:
        """Columns, the path, and what is not unique about it."""
        shown = answer or self.empty(instance)
        maze = Maze.read(shown.maze, Rules.of(instance.parameters))
        return draw_maze(maze, study(maze))

    def thumbnail(self) -> Scene:
        instance = self.instances()[1]
        return self.scene(instance, self.solve(instance))


def _outcome(rules: Rules, judged: Judged) -> Outcome:
    """Score, figures, and the routes cell by cell."""
    rows, maze, routes = judged
    if maze is None or routes is None:
        return Outcome.failed(rows)
    counts = maze.histogram
    most = int(counts.argmax())
    used = ", ".join(f"{h}: {count}" for h, count in enumerate(counts.tolist()) if count)
    figures = [
        *_route_figures(rules, routes),
        Figure("most frequent height", f"{most} on {counted(counts[most], 'cell')} ({counts[most] / rules.cells:.1%})"),
        Figure("cells of each height", used),
    ]
    return Outcome(float(all_passed(rows)), rows, figures, details=_details(routes))


def _route_figures(rules: Rules, routes: MazeStudy) -> list[Figure]:
    steps = max(0, len(routes.path) - 1)
    figures = [
        Figure("cells on the path", len(routes.path)),
        Figure("coverage", round(100 * len(routes.path) / rules.cells, 1), "%"),
        Figure("jumps", len(routes.jump_steps)),
        Figure("steps that are bridges", f"{steps - len(routes.loose)} of {steps}"),
    ]
    if routes.detour:
        figures.append(Figure("second path leaves at", words_of(routes.detour.leaves)))
    return figures


def _details(routes: MazeStudy) -> dict[str, Any]:
    path = [list(cell) for cell in routes.path]
    steps = [[a, b] for a, b in pairwise(path)]
    return {
        "path": path,
        "jumps": [steps[k] for k in routes.jump_steps],
        "bridges": [step for k, step in enumerate(steps) if k not in routes.loose],
        "second_path": [list(cell) for cell in routes.second],
        "reached": len(routes.reached),
    }

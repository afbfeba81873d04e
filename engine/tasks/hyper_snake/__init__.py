"""Hyper-snake: the longest path of a snake through an N-dimensional grid with walls and food (SCBench B.8).

Answer    path: a list of {"pos": [...]}, cells from 0 on each axis; the first is the start
Checks    begins at the start; one axis and one cell a step; inside the grid; no cell twice; no wall. Any fault: score 0
Score     cells of the path / free cells, with walls divided by 0.98 (at most 1); then / (1 + food not reached)

The rules in full: docs/tasks/hyper_snake.md.

    commands      what can be done to a path by editors, agents and other programs
    crosscheck    three other methods, which must agree
    drawing       the whole field on a flat sheet, and a slice of it in space
    editing       what the editor needs: fast, pure functions on paths of cell numbers
    field         the cells of an N-dimensional grid, walls, food, and where the snake starts
    generator     new fields
    kernels       the compiled loop of the backbite search
    layout        where the cells of an N-dimensional field lie on paper and in space
    prompt        what a solver is told
    rules         the checks in order, and the published verifier
    solver        long paths by backbiting
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Any

import numpy as np
from pydantic import Field as AnswerField

from spatial_workbench.engine.core import (
    Aid,
    Answer,
    AnswerPart,
    Bucket,
    Family,
    Instance,
    LiveRule,
    MakesFilm,
    Outcome,
    Progress,
    Prompt,
    Scene,
    Task,
    Verdict,
    WholeNumber,
    at_most,
    silent,
    verifier,
)
from spatial_workbench.engine.core.acting.commands import HasCommands, TaskCommand
from spatial_workbench.engine.core.formats.jsontext import Path, format_path
from spatial_workbench.engine.tasks.hyper_snake.field import Cell, SnakeField, numbers_of
from spatial_workbench.engine.tasks.hyper_snake.generator import SnakeDifficulty, draw
from spatial_workbench.engine.tasks.hyper_snake.prompt import prompt_text
from spatial_workbench.engine.tasks.hyper_snake.rules import judge, judge_as_published
from spatial_workbench.engine.tasks.hyper_snake.solver import find_path

MAX_CELLS = 20_000
"""Several times the cells of the largest field."""
MAX_COORDINATES = 64
"""Several times the axes of any field."""


class SnakeCell(AnswerPart):
    """A cell of the path."""

    pos: Annotated[tuple[WholeNumber, ...], at_most(MAX_COORDINATES, "coordinates")] = AnswerField(
        description="The cell's coordinate on each axis, from 0"
    )


class SnakePath(Answer):
    """A path through the field."""

    path: Annotated[tuple[SnakeCell, ...], at_most(MAX_CELLS, "cells")] = AnswerField(
        description="The cells in order, the start first"
    )

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        if len(path) == 3 and path[2] == "pos" and kind == "missing":
            return f'{format_path(path)} is missing: an entry is {{"pos": [...]}}, one number for each axis'
        return None

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells of the path."""
        return tuple(cell.pos for cell in self.path)


class HyperSnake(HasCommands, MakesFilm, Task[SnakePath]):
    """Lead a snake through as many cells as it can reach."""

    id = "hyper_snake"
    title = "Hyper-snake"
    summary = "Lead a snake through as many cells of a 2- to 10-dimensional grid as possible, past walls to its food."
    family = Family.SCBENCH
    bucket = Bucket.PLANNING
    live = LiveRule.faults("The score counts what the path has eaten. A step is neither right nor wrong by itself.")
    answer_type = SnakePath
    hidden = frozenset({"path"})
    difficulty = SnakeDifficulty

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {name: row[name] for name in ("size", "start", "walls", "food")}

    def draw(self, rng: np.random.Generator, difficulty: SnakeDifficulty) -> Mapping[str, Any]:
        """Another field, with a path of full score that is known."""
        return draw(rng, difficulty)

    def caption(self, instance: Instance) -> str:
        """Axes and sizes: "4D · 5 × 5 × 5 × 5"; a run of equal sizes is written as a power."""
        field = SnakeField.of(instance.parameters)
        return f"{field.axes}D · {_size_in_words(field.size)}"

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(prompt_text(SnakeField.of(instance.parameters)))

    def empty(self, instance: Instance) -> SnakePath:
        field = SnakeField.of(instance.parameters)
        return answer_of(field, [field.first])

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.hyper_snake.commands import commands

        return commands

    def state(self, instance: Instance, answer: SnakePath) -> Any:
        """The cells of the path; the last one is the head."""
        return {"length": len(answer.path), "path": [list(cell) for cell in answer.cells]}

    def sight(self, instance: Instance, answer: SnakePath, aids: Collection[Aid]) -> Scene:
        """The whole field; faults are marked for who may have judgements."""
        from spatial_workbench.engine.tasks.hyper_snake.drawing import draw_sheet

        return draw_sheet(SnakeField.of(instance.parameters), answer.cells, marks_faults=Aid.JUDGING in aids)

    @verifier("default", "1", "Every rule of docs/tasks/hyper_snake.md.")
    def _default(self, instance: Instance, answer: SnakePath, progress: Progress) -> Outcome:
        return judge(SnakeField.of(instance.parameters), answer.cells)

    @verifier(
        "published",
        "1",
        "The published verifier: it stops at the first wrong step, never collects food at the start, and lets the "
        "path through the wall of subtask 2.",
    )
    def _published(self, instance: Instance, answer: SnakePath, progress: Progress) -> Outcome:
        ignores = instance.number is not None and bool(
            self.published_rows()[instance.number].get("published_ignores_walls")
        )
        return judge_as_published(SnakeField.of(instance.parameters), answer.cells, ignores)

    def _crosscheck(self, instance: Instance, answer: SnakePath, progress: Progress) -> Outcome:
        from spatial_workbench.engine.tasks.hyper_snake.crosscheck import judge as judge_again

        return judge_again(SnakeField.of(instance.parameters), answer.cells)

    def solve(self, instance: Instance, progress: Progress = silent) -> SnakePath:
        """The known path of a published or generated field, or else the result of the search."""
        parameters = instance.parameters
        field = SnakeField.of(parameters)
        known = parameters.get("path")
        if instance.number is not None:
            known = self.published_rows()[instance.number]["path"]
        return answer_of(field, find_path(field, progress=progress) if known is None else numbers_of(field, known))

    def scene(self, instance: Instance, answer: SnakePath | None = None, verdict: Verdict | None = None) -> Scene:
        """The whole field as a flat drawing with nested axes."""
        from spatial_workbench.engine.tasks.hyper_snake.drawing import draw_sheet

        return draw_sheet(SnakeField.of(instance.parameters), () if answer is None else answer.cells)

    def film(self, instance: Instance, answer: SnakePath, progress: Progress = silent) -> Scene:
        """The snake on its way along its path."""
        from spatial_workbench.engine.tasks.hyper_snake.drawing import draw_crawl

        return draw_crawl(SnakeField.of(instance.parameters), answer.cells)

    def thumbnail(self) -> Scene:
        instance = self.instances()[5]
        return self.scene(instance, self.solve(instance))


@lru_cache(maxsize=16)
def _entries(field: SnakeField) -> tuple[SnakeCell, ...]:
    """The answer's entry for each cell by number."""
    return tuple(SnakeCell(pos=cell) for cell in field.cells)


def answer_of(field: SnakeField, numbers: Sequence[int]) -> SnakePath:
    """The answer with these cells in order."""
    entries = _entries(field)
    return SnakePath.model_construct(path=tuple(entries[number] for number in numbers))


def _size_in_words(size: Cell) -> str:
    if len(size) > 4 and len(set(size)) == 1:
        return f"{size[0]} on every axis"
    return " × ".join(map(str, size)) if len(size) <= 6 else "×".join(map(str, size))

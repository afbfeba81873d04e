"""Classify behaviour: what labelled corners say of the interior of a square (SCBench, bucket Axiomatic, task q53).

Answer    one of "known behaviour", "three domains meeting", "ambiguous" for each square, in order
Rules     among all interiors in which a side changes class at most once and every region contains a corner, those with
          the fewest triple points count: one topology without a triple point is known, one with a triple point is three
          domains meeting, several are ambiguous
Score     1 if every label is right, else 0

The rules in full: docs/tasks/classify_behaviour.md.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from spatial_workbench.engine.core import (
    Answer,
    Bucket,
    CheckList,
    Difficulty,
    Family,
    Figure,
    Instance,
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
from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.scene import Item, Label
from spatial_workbench.engine.core.words import counted
from spatial_workbench.engine.tasks.labelled_squares.corner_lists import LabelledSquares, order_field
from spatial_workbench.engine.tasks.labelled_squares.drawing import SIDE, draw_square, places
from spatial_workbench.engine.tasks.labelled_squares.square import CASES, Behaviour, behaviour, behaviour_by_colouring

MAX_LABELS = 256
_SHORT_WORDS = {
    Behaviour.KNOWN.value: marked("known"),
    Behaviour.THREE.value: "three meet",
    Behaviour.AMBIGUOUS.value: "ambiguous",
}
_WORDS = tuple(_SHORT_WORDS)


class Labels(Answer):
    """A label for each square."""

    labels: Annotated[tuple[str, ...], at_most(MAX_LABELS, "labels")] = Field(
        description="For each square, in order: " + ", ".join(f'"{word}"' for word in _WORDS),
        json_schema_extra={"items": {"type": "string", "enum": [*_WORDS]}},
    )

    @classmethod
    def explain(cls, path: Path, kind: str, message: str) -> str | None:
        return f"Square {path[1]}: a text label is expected" if len(path) == 2 else None


class SquaresDifficulty(Difficulty):
    """What a new list of squares is like."""

    squares: int = Field(6, ge=1, le=30, description="How many squares")
    corner_order: str = order_field()


checks = CheckList()


@checks.step("one label for each square")
def _count(board: LabelledSquares, answer: Labels) -> Iterator[Problem]:
    if not answer.labels:
        yield Problem("No label given")
    elif len(answer.labels) != len(board.walks):
        yield Problem(f"{counted(len(board.walks), 'square')} expected, {counted(len(answer.labels), 'label')} given")


@checks.step("labels are spelled as asked")
def _spelling(board: LabelledSquares, answer: Labels) -> Iterator[Problem]:
    for k, label in enumerate(answer.labels):
        if not label:
            yield Problem(f"Square {k} has no label yet", [f"square {k}"], is_omission=True)
        elif label not in _WORDS:
            words = ", ".join(f"'{word}'" for word in _WORDS)
            yield Problem(f"Square {k}: label must be one of {words}, not '{label[:40]}'", [f"square {k}"])


@checks.step("every label is right")
def _right(board: LabelledSquares, answer: Labels) -> Iterator[Problem]:
    for k, (walk, label) in enumerate(zip(board.walks, answer.labels, strict=True)):
        if label != behaviour(walk):
            yield Problem(f"Square {k} is not '{label}'", [f"square {k}"])


class ClassifyBehaviour(HasCommands, Task[Labels]):
    """Say for labelled squares whether their interior is determined."""

    title = "Classify behaviour"
    summary = "Say of squares with labelled corners whether the topology inside is certain, and of which kind."
    family = Family.SCBENCH
    bucket = Bucket.AXIOMATIC
    has_one_answer = True
    live = LiveRule.of_form(
        "one label for each square",
        "labels are spelled as asked",
        why="There are three labels. "
        "If wrong ones were marked, or even counted, changing them one by one would give the key.",
    )
    answer_type = Labels
    difficulty = SquaresDifficulty

    def parameters_of(self, row: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"corner_order": row["corner_order"], "squares": row["squares"]}

    def draw(self, rng: np.random.Generator, difficulty: SquaresDifficulty) -> Mapping[str, Any]:
        """Squares whose labels are renamed to distinct numbers from 1 to 9."""
        return LabelledSquares.drawn(rng, list(CASES), difficulty.squares, difficulty.corner_order).parameters

    def caption(self, instance: Instance) -> str:
        board = board_of(instance)
        return f"{counted(len(board.walks), 'square')} · {board.order_text}"

    def prompt(self, instance: Instance) -> Prompt:
        return Prompt(_prompt(board_of(instance)))

    def empty(self, instance: Instance) -> Labels:
        return Labels(labels=())

    def commands(self) -> Sequence[TaskCommand]:
        from spatial_workbench.engine.tasks.classify_behaviour.commands import commands

        return commands

    def state(self, instance: Instance, answer: Labels) -> Any:
        """The squares with their labels; an empty one is still to be given."""
        count = max(len(board_of(instance).walks), len(answer.labels))
        labels = [*answer.labels, *[""] * (count - len(answer.labels))]
        return {"squares": [{"id": k, "label": label} for k, label in enumerate(labels)]}

    @verifier("default", "1", "The closed form: how many sides are cut, by which pairs of classes")
    def _default(self, instance: Instance, answer: Labels, progress: Progress) -> Outcome:
        board = board_of(instance)
        rows = checks.run(board, answer)
        right = sum(label == behaviour(walk) for walk, label in zip(board.walks, answer.labels, strict=False))
        return Outcome(
            float(all_passed(rows)), rows, [Figure("right labels", f"{right}/{len(board.walks)}", is_of_key=True)]
        )

    def _crosscheck(self, instance: Instance, answer: Labels, progress: Progress) -> Outcome:
        behaviours = []
        for i, walk in enumerate(walks := board_of(instance).walks):
            progress(i, len(walks), "colouring grids")
            behaviours.append(behaviour_by_colouring(walk).value)
        return Outcome(float(behaviours == list(answer.labels)), [])

    def solve(self, instance: Instance, progress: Progress = silent) -> Labels:
        """The closed form."""
        return Labels(labels=tuple(behaviour(walk).value for walk in board_of(instance).walks))

    def scene(self, instance: Instance, answer: Labels | None = None, verdict: Verdict | None = None) -> Scene:
        """The squares with their labels below; wrong ones outlined."""
        board = board_of(instance)
        labels = answer.labels if answer else ()
        wrong = set(verdict.failed_elements) if verdict else set()
        items: list[Item] = []
        for k, (place, walk) in enumerate(zip(places(len(board.walks)), board.walks, strict=True)):
            name = f"square {k}"
            items += draw_square(name, place, walk, board.order, "failed" if name in wrong else "line")
            text = (labels[k] if k < len(labels) else "") or "–"
            items.append(
                Label(
                    id=f"{name} label",
                    position=(float(place[0] + SIDE / 2), float(place[1] + SIDE / 2)),
                    text=_SHORT_WORDS.get(text, text[:12]),
                    color="failed" if name in wrong else "secondary" if text == "–" else "text",
                    size_px=12,
                )
            )
        return Scene(items=items, flat=True, axes=("", "", ""))

    def thumbnail(self) -> Scene:
        """Squares of its own, solved: a published instance would show its key."""
        instance = self.generate(2)
        return self.scene(instance, self.solve(instance))


def board_of(instance: Instance) -> LabelledSquares:
    """The squares that an instance shows."""
    return LabelledSquares.of(instance.parameters)


def _prompt(board: LabelledSquares) -> str:
    return f"""You are shown {len(board.walks)} squares. The corners of each carry class labels; equal numbers are the \
same class. Inside a square the classes meet along continuous curves, the interfaces. Only the corners are known.

Rules
- Along a side the class changes at most once, so an interface cuts a side exactly when its two corners differ.
- There are no islands: every region of a class contains a corner.
- No four classes meet at one point.
- Of all interiors that agree with the corners, those with the fewest points where three classes meet count.

A square is written as its four labels in this order of corners: {board.order_words}.

Squares
{board.squares_text}

For each square, in the same order, give one of these labels, spelled exactly so:
- "known behaviour": there is one topology, and in it interfaces join sides without three classes meeting;
- "three domains meeting": there is one topology, and in it three different classes meet at a point;
- "ambiguous": several topologies are possible.

Answer with JSON: {{"labels": ["known behaviour", ...]}}, one label a square.
"""

"""Where failed attempts at puzzles stop: the kind of the first step that they did not get past."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from spatial_workbench.engine.evaluation.results.tables import Heading, Table, TableCell, TableLine, TableNote, percent
from spatial_workbench.engine.puzzles.annotation.vocabulary import PuzzleAction, action_of

if TYPE_CHECKING:
    from spatial_workbench.engine.evaluation.results.puzzles import PuzzleAttempt
    from spatial_workbench.engine.puzzles.puzzle import PuzzleStep

ABOUT = (
    "The failing step of an attempt is the first one after the last that was met. The paper names three kinds of "
    "errors: early fixation on one idea, loss of the layout when pictures are turned into text, and failed sketches."
)


def failure_table(runs: Mapping[str, Sequence[PuzzleAttempt]]) -> Table | None:
    """For each model, or all people, the shares of actions among their failing steps; None if there are none."""
    failing = {name: [step for attempt in of if (step := failing_step(attempt))] for name, of in runs.items()}
    lines = tuple(_line(name, steps) for name, steps in failing.items() if steps)
    if not lines:
        return None
    return Table(
        title="Where failed attempts stop",
        first="Model or people",
        headings=(
            Heading("Failed", "judged", tip="Failed attempts whose steps were judged"),
            *(Heading(action.label, "%", action.meaning) for action in PuzzleAction),
            Heading("Other", "%", "The step does not begin with a known action"),
        ),
        lines=lines,
        notes=(TableNote(ABOUT),),
    )


def failing_step(attempt: PuzzleAttempt) -> PuzzleStep | None:
    """The first step after the last that was met; None if the attempt did not fail, or nobody has judged it."""
    if attempt.result.solved or attempt.judgement is None:
        return None
    last = max((i for i, is_met in enumerate(attempt.judgement.met, 1) if is_met), default=0)
    steps = attempt.result.puzzle.reasoning
    return steps[last] if last < len(steps) else None


def _line(name: str, steps: Sequence[PuzzleStep]) -> TableLine:
    actions = [action_of(step.explanation) for step in steps]
    shares = [actions.count(action) / len(actions) for action in (*PuzzleAction, None)]
    return TableLine(name, (TableCell(str(len(steps)), values=(len(steps),)), *map(_share, shares)))


def _share(value: float) -> TableCell:
    return TableCell(percent(value), values=(value,))

"""The state of the path, in figures and words."""

from __future__ import annotations

from collections.abc import Iterable

from spatial_workbench.engine.core.languages.translation import marked
from spatial_workbench.engine.core.words import counted, score_words
from spatial_workbench.engine.tasks.hyper_snake.editing import Prospects, Walk
from spatial_workbench.engine.tasks.hyper_snake.field import SnakeField, written
from spatial_workbench.widgets.editing.controls import Reading


def length_reading(field: SnakeField, prospects: Prospects, is_judged: bool) -> Reading:
    """How long the path is, and how long it has to be."""
    length = prospects.length
    figure = f"{length} of {field.free_count:,} cells"
    if not is_judged:
        return Reading(figure)
    return Reading(
        figure,
        f"{field.needed} score 1 · at most {field.bound}",
        True if length >= field.needed else None,
        "No path can be longer than this bound, since cells alternate between two colours",
    )


def score_reading(prospects: Prospects) -> Reading:
    """The score of the path."""
    return Reading(score_words(prospects.score, 3), "score now", True if prospects.score >= 1 else None)


def best_reading(prospects: Prospects) -> Reading:
    """The best score that the path can still reach."""
    words = f"best still possible · {counted(prospects.best_length, 'cell')}"
    return Reading(score_words(prospects.best_score, 3), words, prospects.best_score >= 1)


def food_words(field: SnakeField, prospects: Prospects, is_judged: bool) -> str:
    """A line for each food cell: whether it has been reached, or still can be."""
    pockets = set(prospects.pockets)

    def lines() -> Iterable[str]:
        for number, reached, sides in prospects.food:
            cell = written(field.cell(number))
            if reached:
                yield f"✓ Food {cell} reached"
            elif not is_judged:
                yield f"○ Food {cell}"
            elif number in pockets:
                yield f"✗ Food {cell} is cut off"
            else:
                yield f"○ Food {cell}: {counted(sides, 'open side')}"

    return "\n".join(lines())


def problem_words(prospects: Prospects) -> str:
    """The obstacles to a longer path."""
    if prospects.score >= 1:
        return "Nothing more to gain"
    pockets = len(prospects.pockets)
    ends = len(prospects.dead_ends)
    words = [f"{counted(pockets, 'cell')} cut off"] if pockets else []
    words += [counted(ends, "dead end")] if ends else []
    return " · ".join(words) or "No cell is cut off, no dead ends"


def status_of(walk: Walk, score: float, is_measured: bool, is_judged: bool) -> str:
    """The text of the status bar: length and head, possible moves and score, or the fault."""
    if is_judged and walk.fault is not None:
        return f"Step {walk.fault} breaks a rule · C cuts the path before it"
    if walk.head is None:
        return "The path does not begin at the start"
    ways = counted(len(walk.moves), "possible move") if walk.moves else marked("stuck")
    measured = [counted(len(walk.path), "cell"), f"head {written(walk.field.cell(walk.head))}"]
    judged = [ways, f"score {score_words(score, 3)}"]
    return " · ".join([*(measured if is_measured else []), *(judged if is_judged else [])])

"""The flagging pass over a set: a model reads each annotation that was sent to review, and doubts its steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from pydantic import BaseModel, ConfigDict

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.evaluation.planning.plan import Contender
from spatial_workbench.engine.evaluation.puzzles.judging import judge_settings
from spatial_workbench.engine.evaluation.puzzles.reviews import log_name, record, reviews_in
from spatial_workbench.engine.models import Answerer, ModelError, Request, open_answerer
from spatial_workbench.engine.puzzles.annotation.flagging import SYSTEM, UnreadableFlags, read_flags, user_text
from spatial_workbench.engine.puzzles.annotation.review import Flagged, ReviewError, ReviewState, Unreadable
from spatial_workbench.engine.puzzles.judging import RETRIES
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.engine.puzzles.sets.folders import PuzzleFolder, PuzzleSet, SetError
from spatial_workbench.engine.puzzles.sets.pages import PictureError, for_models
from spatial_workbench.engine.store import Project

MOST_KEPT_CHARS = 20_000
_FLAG = {
    "type": "object",
    "properties": {
        "step": {"type": "integer"},
        "kind": {"type": "string", "enum": ["unclear", "jump", "wrong", "typo", "format"]},
        "reason": {"type": "string"},
    },
    "required": ["step", "kind", "reason"],
    "additionalProperties": False,
}
SCHEMA = {
    "type": "object",
    "properties": {"flags": {"type": "array", "items": _FLAG}},
    "required": ["flags"],
    "additionalProperties": False,
}


class FlaggingOutcome(BaseModel):
    """How a flagging pass went: how many puzzles are flagged, clear, or had no readable answer.

    `failed` holds a sentence for each puzzle that could not be asked about.
    """

    model_config = ConfigDict(frozen=True)

    flagged: int = 0
    clear: int = 0
    unreadable: int = 0
    failed: tuple[str, ...] = ()


def waiting_for_flags(project: Project, puzzles: PuzzleSet) -> list[str]:
    """The puzzles that were sent to review and that no model has read yet."""
    reviews = reviews_in(project, log_name(puzzles))
    return [name for name in puzzles.names() if name in reviews and reviews[name].state is ReviewState.CHECKED]


def flag_set(path: Path, judge: Contender, puzzles: PuzzleSet, progress: Progress = silent) -> FlaggingOutcome:
    """Asks a model about each puzzle of a set that waits for it.

    If an answer cannot be read, the model is asked twice more. If none can, that is recorded; the puzzle is not clear.

    Raises:
        ProjectError: The project cannot be used.
        ModelError: The model cannot be opened.
        SetError: The set cannot be read.
        Cancelled: Raised by `progress`; what was recorded until then is kept.
    """
    answerer = open_answerer(judge_settings(judge.settings), judge.capabilities)
    outcome = FlaggingOutcome()
    try:
        with Project.open(path) as project:
            names = waiting_for_flags(project, puzzles)
            for k, name in enumerate(names):
                progress(k, len(names), name)
                report = _part_of(progress, k, len(names), name)
                outcome = _flag_puzzle(project, answerer, judge.settings.name, puzzles, name, outcome, report)
    finally:
        answerer.close()
    return outcome


def _part_of(progress: Progress, done: int, count: int, name: str) -> Progress:
    return lambda seconds, total, text="": progress(done, count, name)


def _flag_puzzle(
    project: Project,
    answerer: Answerer,
    model: str,
    puzzles: PuzzleSet,
    name: str,
    outcome: FlaggingOutcome,
    progress: Progress,
) -> FlaggingOutcome:
    """Asks about a puzzle, and records the answer."""
    try:
        folder = puzzles.folder(name)
        puzzle = folder.read().puzzle
        version = folder.version()
        event = _ask_about(answerer, model, folder, puzzle, version, progress)
        record(project, log_name(puzzles), event)
    except (SetError, PictureError, ModelError, ReviewError, OSError) as error:
        return outcome.model_copy(update={"failed": (*outcome.failed, f"{name}: {error}")})
    kind = "unreadable" if isinstance(event, Unreadable) else "flagged" if event.flags else "clear"
    return outcome.model_copy(update={kind: getattr(outcome, kind) + 1})


def _ask_about(
    answerer: Answerer, model: str, folder: PuzzleFolder, puzzle: Puzzle, version: str, progress: Progress
) -> Flagged | Unreadable:
    about = {"folder": folder.name, "version": version, "person": model}
    request = Request(
        text=user_text(puzzle, len(folder.pages())),
        system=SYSTEM,
        pictures=tuple(_pictures(folder, puzzle)),
        schema=SCHEMA,
        schema_name="flags",
    )
    text = ""
    for number in range(RETRIES + 1):
        text = answerer.ask(replace(request, repeat=number), progress).text
        try:
            return Flagged(by_model=True, flags=read_flags(text, len(puzzle.reasoning)), **about)
        except UnreadableFlags:
            continue
    return Unreadable(answer=text[:MOST_KEPT_CHARS], **about)


def _pictures(folder: PuzzleFolder, puzzle: Puzzle) -> Iterator[bytes]:
    """The pages, then the figures in the order of the steps, as the question counts them."""
    names = [*folder.pages(), *(step.figure for step in puzzle.reasoning if step.figure)]
    for name in names:
        yield for_models(folder.bytes_of(name), f"{folder.name}/{name}")

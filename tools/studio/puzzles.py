"""A set of puzzles with a review under way, for screenshots and tests."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.app.puzzles.set_work import SetEntry
from spatial_workbench.engine.evaluation.puzzles import reviews as reviewing
from spatial_workbench.engine.puzzles.annotation.decisions import JudgedAnnotation, PuzzleDecision, StepDecision
from spatial_workbench.engine.puzzles.annotation.review import Assigned, Decided, Event, Flag, Flagged, FlagKind
from spatial_workbench.engine.puzzles.puzzle import Puzzle, PuzzleStep, write_metadata
from spatial_workbench.engine.puzzles.sets.folders import METADATA, PuzzleSet
from spatial_workbench.engine.puzzles.sets.originals import originals
from spatial_workbench.engine.puzzles.sets.storing import Change, save

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

DISPUTED = "Harbour_Clocks"
UNFINISHED = "Five_Small_Gardens"
EDITED = "Pattern discovery: each dial shows two equal hands, which are the arms of a person signalling in semaphore."


def make_example_set(folder: Path) -> SetEntry:
    """The original puzzles as a set of one's own; one is unfinished: a step without outcome, a figure left out."""
    puzzles = PuzzleSet(folder)
    folder.mkdir()
    for puzzle in originals():
        files = puzzle.files()
        if puzzle.folder == UNFINISHED:
            files[METADATA] = write_metadata(_unfinished(puzzle.puzzle)).encode()
        save(puzzles, puzzle.folder, Change(writes=files))
    return SetEntry(folder.name, folder)


def _unfinished(puzzle: Puzzle) -> Puzzle:
    first, *others = puzzle.reasoning
    steps = (replace(first, figure=None), *others[:-1], PuzzleStep(explanation="Read them"))
    return replace(puzzle, reasoning=steps, difficulty="", skills=())


def add_example_review(project: Project, entry: SetEntry) -> None:
    """Ada sent the set to review; Ben and Cleo differ about the first step of a puzzle."""
    puzzles = PuzzleSet(entry.path)
    reviewing.send(project, puzzles, puzzles.names(), "Ada")
    version = reviewing.reviews_in(project, entry.name)[DISPUTED].version
    count = len(puzzles.folder(DISPUTED).read().puzzle.reasoning)
    accepted = (StepDecision(judged=JudgedAnnotation.ACCEPT),) * count
    edited = (StepDecision(judged=JudgedAnnotation.CHANGE, text=EDITED), *accepted[1:])
    shared = {"folder": DISPUTED, "version": version}
    flag = Flag(step=1, kind=FlagKind.JUMP, reason="Why semaphore, and not the time of day?")
    events: tuple[Event, ...] = (
        Flagged(person="oak", by_model=True, flags=(flag,), **shared),
        Assigned(person="Ada", reviewers=("Ben", "Cleo"), **shared),
        Decided(person="Ben", decision=PuzzleDecision(steps=edited), **shared),
        Decided(person="Cleo", decision=PuzzleDecision(steps=accepted), **shared),
    )
    for event in events:
        reviewing.record(project, entry.name, event)

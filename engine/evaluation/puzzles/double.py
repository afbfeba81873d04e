"""Two people annotate a puzzle, each in a copy of their own, and a third makes one annotation of both.

docs/puzzles.md, "Double annotation".
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from spatial_workbench.engine.evaluation.puzzles.folders_written import write_into
from spatial_workbench.engine.evaluation.puzzles.reviews import check, layers_in, log_name, record, reviews_in
from spatial_workbench.engine.puzzles.annotation.adjudicating import ThirdStep
from spatial_workbench.engine.puzzles.annotation.review import (
    Adjudicated,
    Doubled,
    OwnAnnotation,
    Review,
    ReviewError,
    after,
)
from spatial_workbench.engine.puzzles.annotation.validation import findings, look_at
from spatial_workbench.engine.puzzles.puzzle import Puzzle, read_metadata, write_metadata
from spatial_workbench.engine.puzzles.sets.folders import METADATA, PuzzleFolder, PuzzleSet
from spatial_workbench.engine.puzzles.sets.storing import Change, save
from spatial_workbench.engine.store import Project


@dataclass(frozen=True)
class HandedIn:
    """An annotation that was handed in; `flat` names its figures that have no sketch, which do not travel."""

    review: Review
    flat: tuple[str, ...] = ()


def ask_two(
    project: Project,
    puzzles: PuzzleSet,
    folders: Iterable[str],
    annotators: tuple[str, str],
    person: str,
    adjudicator: str = "",
    due: date | None = None,
) -> tuple[list[str], list[str]]:
    """Asks two people to annotate puzzles of a set independently, in the name of `person`.

    Returns:
        The puzzles that were given to them, and a sentence for each of the others.
    """
    asked = []
    refused = []
    for name in folders:
        try:
            version = puzzles.folder(name).version()
            about = {"folder": name, "version": version, "person": person}
            record(
                project, log_name(puzzles), Doubled(annotators=annotators, adjudicator=adjudicator, due=due, **about)
            )
        except (ReviewError, ValueError, OSError) as error:
            refused.append(f"{error}.".replace("..", "."))
        else:
            asked.append(name)
    return asked, refused


def own_copy(puzzles: PuzzleSet, name: str, person: str) -> PuzzleSet:
    """The set with a person's own copy of a puzzle, which is made the first time: its pages, and no annotation.

    Raises:
        SetError: There is no such puzzle.
        SaveFailed: The copy cannot be written.
    """
    copy = PuzzleSet(_own_path(puzzles, person))
    copy.path.mkdir(parents=True, exist_ok=True)
    if name not in copy.names():
        folder = puzzles.folder(name)
        given = folder.read().puzzle
        bare = Puzzle(title=given.title, flavor_text=given.flavor_text, solution=given.solution, source=given.source)
        pages = {page: folder.bytes_of(page) for page in folder.pages()}
        save(copy, name, Change(writes={METADATA: write_metadata(bare).encode(), **pages}))
    return copy


def _own_path(puzzles: PuzzleSet, person: str) -> Path:
    from platformdirs import user_data_path

    key = hashlib.sha256(f"{puzzles.path.resolve()}\0{person}".encode()).hexdigest()[:16]
    home = user_data_path("spatial-workbench", appauthor=False) / "puzzles" / "own"
    return home / f"{puzzles.path.resolve().name[:60]}-{key}"


def hand_in(project: Project, puzzles: PuzzleSet, name: str, person: str) -> HandedIn:
    """Adds what a person has written in their own copy to the log.

    Raises:
        SetError: There is no such puzzle, or it cannot be read.
        ReviewError: The annotation has errors, or nobody asked this person; says which.
    """
    folder = own_copy(puzzles, name, person).folder(name)
    errors = [finding for finding in check(folder) if finding.is_error]
    if errors:
        raise ReviewError(f"{name}: {errors[0].message}")
    layers = layers_in(folder)
    puzzle = folder.read().puzzle
    flat = tuple(step.figure for step in puzzle.reasoning if step.figure and step.figure not in layers)
    steps = tuple(replace(step, figure=None) if step.figure in flat else step for step in puzzle.reasoning)
    text = write_metadata(replace(puzzle, reasoning=steps))
    version = puzzles.folder(name).version()
    event = OwnAnnotation(folder=name, version=version, person=person, metadata=text, layers=layers)
    return HandedIn(record(project, log_name(puzzles), event), flat)


def adjudicate(
    project: Project,
    puzzles: PuzzleSet,
    name: str,
    person: str,
    steps: Sequence[ThirdStep],
    values: Mapping[str, Any],
) -> Review:
    """Makes the third annotation of two, writes it into the puzzle's folder, and sends it to review.

    values: The solution, the difficulty and the tags.

    Raises:
        ReviewError: It does not follow from the two, has errors, or another person is to make it; nothing is stored.
        SetError, SaveFailed, ChangedOnDisk: The folder cannot be read or written; nothing is stored.
    """
    log = log_name(puzzles)
    with project.database.write_transaction():
        before = reviews_in(project, log).get(name, Review(name))
        about = {"folder": name, "version": before.version, "person": person}
        event = Adjudicated.model_validate({"annotators": before.pair or ("", ""), "steps": steps, **values, **about})
        third = after(before, event)
        folder = puzzles.folder(name)
        _require_sound(folder, third)
        if trouble := write_into(puzzles, third, third.original):
            raise ReviewError(trouble)
        return record(project, log, event.model_copy(update={"written": puzzles.folder(name).version()}))


def _require_sound(folder: PuzzleFolder, third: Review) -> None:
    reading = read_metadata(third.original)
    found = findings(reading.puzzle, look_at(folder), reading.misread)
    # Its figures are drawn when it is written.
    errors = [finding for finding in found if finding.is_error and finding.code != "P_FIGURE"]
    if errors:
        raise ReviewError(f"{folder.path.name}: {errors[0].message}")

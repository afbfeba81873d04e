"""Reviews of puzzles in a project: their events, files that carry them to another machine, and their results."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from spatial_workbench.engine.core.files import replacing
from spatial_workbench.engine.evaluation.puzzles.folders_written import holds, write_into
from spatial_workbench.engine.puzzles.annotation.review import (
    EVENTS,
    UNSENT,
    Assigned,
    Checked,
    Drawn,
    Event,
    OwnAnnotation,
    Resolved,
    Review,
    ReviewError,
    ReviewState,
    after,
    audit_sample,
    conflicts_of,
    reviews_of,
)
from spatial_workbench.engine.puzzles.annotation.validation import PuzzleFinding, findings, look_at
from spatial_workbench.engine.puzzles.puzzle import Puzzle, read_metadata, write_metadata
from spatial_workbench.engine.puzzles.sets.folders import LAYERS, PuzzleFolder, PuzzleSet, SetError
from spatial_workbench.engine.puzzles.sets.known_sets import name_of
from spatial_workbench.engine.store import Project, PuzzleEvent

MOST_LINE_BYTES = 10_000_000
MOST_SKETCH_BYTES = 4_000_000
"""How much of the sketches of one annotation goes into the log."""
_SQLITE = b"SQLite format 3\0"


class _Line(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    set: str = Field(min_length=1, max_length=200)
    event: dict[str, Any]


@dataclass(frozen=True)
class MergeOutcome:
    """The result of merging a file.

    Attributes:
        new, known: How many events were new, and how many the project had.
        sets: The sets that they are about.
        damaged: Lines that could not be read: their numbers, from 1, and why.
        conflicts: A sentence for each event that does not count, since somebody did something else before.
    """

    new: int
    known: int
    sets: tuple[str, ...]
    damaged: tuple[tuple[int, str], ...]
    conflicts: tuple[str, ...] = ()


def log_name(puzzles: PuzzleSet) -> str:
    """The name under which the reviews of a set are stored: the one under which it was added, or its folder's."""
    return name_of(puzzles.path) or puzzles.path.resolve().name


def events_of(project: Project, puzzle_set: str | None = None) -> list[Event]:
    """The log of the reviews of a set, or of all sets."""
    return [EVENTS.validate_json(stored.event) for stored in project.puzzles.events(puzzle_set)]


def reviews_in(project: Project, puzzle_set: str) -> dict[str, Review]:
    """The reviews of a set by folder."""
    return reviews_of(events_of(project, puzzle_set))


def record(project: Project, puzzle_set: str, event: Event) -> Review:
    """Adds an event to the log of a set, and returns the review with it.

    Raises:
        ReviewError: The state of the review does not allow it; nothing is stored.
    """
    with project.database.write_transaction():
        before = reviews_in(project, puzzle_set).get(event.folder, Review(event.folder))
        if isinstance(event, Resolved) and before.state is ReviewState.DISAGREEMENT:
            raise ReviewError("A disagreement is settled by a choice for each difference")
        review = after(before, event)
        project.puzzles.add_events([stored(puzzle_set, event)])
    return review


def stored(puzzle_set: str, event: Event) -> PuzzleEvent:
    """An event as a project stores it."""
    own = {name: getattr(event, name) for name in ("id", "folder", "version", "at", "person", "kind")}
    return PuzzleEvent(puzzle_set=puzzle_set, event=event.model_dump_json(), **own)


# Files ---------------------------------------------------------------------------------------------------------------


def export_review(project: Project, path: Path, puzzle_set: str | None = None) -> int:
    """Writes the log of a set, or of all sets, as JSON lines; returns how many events there are. Raises OSError."""
    entries = project.puzzles.events(puzzle_set)
    with replacing(path) as part, part.open("w", encoding="utf-8", newline="\n") as file:
        for entry in entries:
            line = {"set": entry.puzzle_set, "event": json.loads(entry.event)}
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    return len(entries)


def merge_review(project: Project, path: Path, puzzle_set: str | None = None) -> MergeOutcome:
    """Adds the events of a file, or of another project, to the log: in any order, any number of times.

    puzzle_set: The set's name in this project, if it differs from that in the file.

    Raises:
        OSError: The file cannot be read.
        ProjectError: The project cannot be opened.
    """
    entries: list[PuzzleEvent] = []
    damaged: list[tuple[int, str]] = []
    for number, entry in _entries(path, puzzle_set):
        if isinstance(entry, str):
            damaged.append((number, entry))
        else:
            entries.append(entry)
    sets = tuple(sorted({e.puzzle_set for e in entries}))
    before = {event.id for name in sets for event, _ in conflicts_of(events_of(project, name))}
    new = project.puzzles.add_events(entries)
    found = [c for name in sets for c in conflicts_of(events_of(project, name)) if c[0].id not in before]
    conflicts = tuple(conflict_words(event, why) for event, why in found)
    return MergeOutcome(new, len(entries) - new, sets, tuple(damaged), conflicts)


def conflict_words(event: Event, why: str) -> str:
    """Which event does not count, and why, in a sentence."""
    day = event.at.date().isoformat()
    return f"{event.folder}: “{event.kind}” by {event.person} on {day} does not count. {why}."


def _entries(path: Path, puzzle_set: str | None) -> Iterator[tuple[int, PuzzleEvent | str]]:
    """The events of a file or a project with their numbers, from 1; for one that cannot be read, why."""
    if is_project(path):
        with Project.open(path) as other:
            for number, entry in enumerate(other.puzzles.events(), 1):
                yield number, entry.model_copy(update={"puzzle_set": puzzle_set or entry.puzzle_set})
        return
    with path.open("rb") as file:
        for number, raw in enumerate(_lines(file), 1):
            if raw.strip():
                try:
                    yield number, _read_line(raw, puzzle_set)
                except ValueError as error:
                    yield number, _sentence(error)


def is_project(path: Path) -> bool:
    """Whether a file is a project, and no log in a file of its own. Raises OSError."""
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def sets_in(path: Path) -> tuple[str, ...]:
    """The sets that the readable events of a file or a project are about. Raises OSError and ProjectError."""
    return tuple(sorted({entry.puzzle_set for _, entry in _entries(path, None) if not isinstance(entry, str)}))


def _lines(file: Any) -> Iterator[bytes]:
    while raw := file.readline(MOST_LINE_BYTES + 1):
        yield raw
        while len(raw) > MOST_LINE_BYTES and not raw.endswith(b"\n"):
            raw = file.readline(MOST_LINE_BYTES + 1)
            if not raw:
                return


def _read_line(raw: bytes, puzzle_set: str | None) -> PuzzleEvent:
    if len(raw) > MOST_LINE_BYTES:
        raise ValueError(f"it is longer than {MOST_LINE_BYTES // 10**6} MB")
    line = _Line.model_validate_json(raw)
    return stored(puzzle_set or line.set, EVENTS.validate_python(line.event, strict=False))


def _sentence(error: ValueError) -> str:
    if not isinstance(error, ValidationError):
        return str(error)
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])


# Sets ----------------------------------------------------------------------------------------------------------------


def check(folder: PuzzleFolder) -> tuple[PuzzleFinding, ...]:
    """Everything that is wrong with a puzzle.

    Raises:
        SetError: The puzzle cannot be read at all.
    """
    reading = folder.read()
    return findings(reading.puzzle, look_at(folder), reading.misread)


def send(project: Project, puzzles: PuzzleSet, names: Iterable[str], author: str) -> tuple[list[str], list[str]]:
    """Sends the drafts without errors to review, in the name of `author`, and what went back to them and was changed.

    Returns:
        The puzzles that were sent, and a sentence for each draft that was not.
    """
    puzzle_set = log_name(puzzles)
    sent = []
    refused = []
    reviews = reviews_in(project, puzzle_set)
    for name in names:
        before = reviews.get(name, Review(name))
        goes_again = before.state is ReviewState.RETURNED and before.author == author
        if before.state is not ReviewState.DRAFT and not goes_again:
            continue
        folder = puzzles.folder(name)
        try:
            if goes_again and folder.version() == before.version:
                refused.append(f"{name} went back to be changed, and has not been changed since")
                continue
            errors = [finding for finding in check(folder) if finding.is_error]
            if not errors:
                about = {"folder": name, "version": folder.version(), "person": author}
                event = Checked(metadata=_text_of(folder), layers=layers_in(folder), **about)
                record(project, puzzle_set, event)
        except (SetError, ValueError) as error:
            refused.append(str(error))
            continue
        if errors:
            refused.append(f"{name}: {errors[0].message}")
        else:
            sent.append(name)
    return sent, refused


def assign(
    project: Project, puzzle_set: str, folders: Iterable[str], reviewers: tuple[str, str], person: str, due: date | None
) -> tuple[list[str], list[str]]:
    """Assigns two reviewers to puzzles of a set, in the name of `person`; no flag is needed.

    Returns:
        The puzzles to which they were assigned, and a sentence for each of the others.
    """
    assigned = []
    refused = []
    with project.database.write_transaction():
        reviews = reviews_in(project, puzzle_set)
        for name in folders:
            about = {"folder": name, "version": reviews.get(name, Review(name)).version, "person": person}
            try:
                record(project, puzzle_set, Assigned(reviewers=reviewers, due=due, needs_flag=False, **about))
            except ReviewError as error:
                refused.append(f"{error}.")
            else:
                assigned.append(name)
    return assigned, refused


def _text_of(folder: PuzzleFolder) -> str:
    return write_metadata(folder.read().puzzle)


def layers_in(folder: PuzzleFolder) -> dict[str, str]:
    """The sketches behind the figures that steps name, by file name; those beyond a limit are left out."""
    found: dict[str, str] = {}
    layers = PuzzleFolder(folder.path / LAYERS)
    if layers.path.is_symlink() or not layers.path.is_dir():
        return found
    left = MOST_SKETCH_BYTES
    present = layers.files()
    for name in dict.fromkeys(step.figure for step in folder.read().puzzle.reasoning if step.figure):
        file = f"{name.removesuffix('.png')}.json"
        if file in present:
            raw = layers.bytes_of(file)
            left -= len(raw)
            if left >= 0:
                found[name] = raw.decode("utf-8", "replace")
    return found


def annotate(project: Project, puzzles: PuzzleSet, name: str, metadata: str, person: str) -> Review:
    """Adds a person's own annotation of a puzzle to the log, apart from the folder and from those of others.

    Raises:
        SetError: There is no such puzzle.
        ReviewError: The annotation has errors; says the first.
        MetadataError: It cannot be read.
    """
    folder = puzzles.folder(name)
    reading = read_metadata(metadata)
    # A person's own annotation has no figures of its own in the folder.
    found = findings(reading.puzzle, look_at(folder), reading.misread)
    errors = [finding for finding in found if finding.is_error and finding.code != "P_FIGURE"]
    if errors:
        raise ReviewError(f"{name}: {errors[0].message}")
    text = write_metadata(reading.puzzle)
    event = OwnAnnotation(folder=name, version=folder.version(), person=person, metadata=text)
    return record(project, log_name(puzzles), event)


def pairs_of(reviews: Iterable[Review]) -> list[tuple[str, Puzzle, Puzzle]]:
    """The puzzles that were annotated independently, with the two annotations.

    They are those of the people who were asked, or else of the first two by name.
    """
    found = []
    for review in reviews:
        if review.pair is not None:
            puzzles = [read_metadata(review.annotations[person]).puzzle for person in review.pair]
            found.append((review.folder, puzzles[0], puzzles[1]))
    return found


def draw_audit(project: Project, puzzle_set: str, person: str, seed: int) -> list[str]:
    """Draws puzzles of a set for the audit, records that, and returns the names of their folders."""
    with project.database.write_transaction():
        reviews = reviews_in(project, puzzle_set)
        drawn = audit_sample(reviews.values(), seed)
        for name in drawn:
            event = Drawn(folder=name, version=reviews[name].version, person=person, seed=seed)
            record(project, puzzle_set, event)
    return drawn


def verified(project: Project, puzzles: PuzzleSet) -> list[str]:
    """The puzzles that are verified, and have not changed since their review ended."""
    reviews = reviews_in(project, log_name(puzzles))
    return [name for name in puzzles.names() if _is_verified(reviews.get(name), puzzles.folder(name))]


def no_longer_verified(project: Project, puzzles: PuzzleSet) -> dict[str, str]:
    """The puzzles whose review ended as verified while their folders hold something else, with the reason."""
    ended = {n: r for n, r in reviews_in(project, log_name(puzzles)).items() if r.state is ReviewState.VERIFIED}
    found = set(verified(project, puzzles))
    present = set(puzzles.names())
    return {name: _why_not(puzzles, review, name in present) for name, review in ended.items() if name not in found}


def _why_not(puzzles: PuzzleSet, review: Review, is_present: bool) -> str:
    if not is_present:
        return "It is verified, but its folder is not in the set"
    try:
        now = puzzles.folder(review.folder).read().puzzle
    except SetError as error:
        return f"It is verified, but cannot be read: {error}"
    if review.is_changed and holds(now, read_metadata(review.original).puzzle):
        return "The result of its review is not in its folder yet; “Apply results” writes it"
    return "It was changed after it was verified"


def _is_verified(review: Review | None, folder: PuzzleFolder) -> bool:
    if review is None or review.state is not ReviewState.VERIFIED or review.result is None:
        return False
    try:
        return holds(folder.read().puzzle, read_metadata(review.result).puzzle)
    except SetError:
        return False


def apply_results(project: Project, puzzles: PuzzleSet) -> tuple[list[str], list[str]]:
    """Writes the results of reviews, and what others annotated, into the folders of the puzzles.

    Returns:
        The puzzles that were changed, and a sentence for each that stays as it is, since somebody else edited it.

    Raises:
        SetError: A puzzle cannot be read; those before it stay changed.
        SaveFailed: A puzzle cannot be written; those before it stay changed.
        ChangedOnDisk: Another program changes a puzzle at this moment; those before it stay changed.
    """
    changed = []
    refused = []
    names = set(puzzles.names())
    for name, review in sorted(reviews_in(project, log_name(puzzles)).items()):
        wanted = review.result if review.result is not None and review.is_changed else review.original
        if name not in names or not wanted or review.state in UNSENT:
            continue
        if holds(puzzles.folder(name).read().puzzle, read_metadata(wanted).puzzle):
            continue
        trouble = write_into(puzzles, review, wanted)
        if trouble:
            refused.append(trouble)
        else:
            changed.append(name)
    return changed, refused

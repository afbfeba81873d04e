"""What an import will do: which puzzles are there already, and which folder each puzzle becomes."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.puzzles.sets.folders import (
    PuzzleFolder,
    PuzzleSet,
    SetError,
    folder_name,
    is_plain_name,
)
from spatial_workbench.engine.puzzles.sets.found_files import FileOpenings, FoundFile, LeftOut
from spatial_workbench.engine.puzzles.sets.import_survey import FoundPuzzle, PagePuzzle, PuzzleSurvey, WholePuzzle
from spatial_workbench.engine.puzzles.sets.pages import CONTENT, page_order
from spatial_workbench.engine.puzzles.sets.pdf_drawing import MOST_PAGES

_PIECE_BYTES = 1 << 20


class DuplicateChoice(StrEnum):
    """What becomes of a puzzle that is there already."""

    SKIP = "skip"
    REPLACE = "replace"
    KEEP_BOTH = "keep"

    @property
    def words(self) -> str:
        """The choice for people."""
        return {"skip": "Skip", "replace": "Replace", "keep": "Keep both"}[self]


@dataclass(frozen=True)
class Duplicate:
    """A puzzle that is there already, under the same name or with the same pages.

    Attributes:
        folder: The other puzzle's.
        has_same_pages: Whether its pages are the same, byte for byte. Pages of PDFs are not compared.
        is_of_import: Whether the other one comes with the same import, rather than being in the set.
    """

    folder: str
    has_same_pages: bool
    is_of_import: bool = False

    def words(self, folder: str) -> str:
        """How the puzzle that would become `folder` is a duplicate, in a few words."""
        where = "comes twice" if self.is_of_import else "is in the set"
        if self.folder.lower() != folder.lower():
            return f"{where} as {self.folder}: same pages"
        return f"{where}: same pages" if self.has_same_pages else f"{where} under this name"


@dataclass(frozen=True)
class PlannedPuzzle:
    """A puzzle with the folder that is named after it, and the puzzle of which it is a duplicate."""

    puzzle: FoundPuzzle
    folder: str
    duplicate: Duplicate | None = None


@dataclass(frozen=True)
class PuzzlesPlan:
    """Puzzles with what is known of them in a set, and the folders of that set."""

    puzzles: tuple[PlannedPuzzle, ...] = ()
    taken: tuple[str, ...] = ()


@dataclass(frozen=True)
class ImportStep:
    """A puzzle and the folder that it becomes, perhaps in place of a puzzle that is there."""

    puzzle: FoundPuzzle
    folder: str
    replaces: bool = False


@dataclass(frozen=True)
class ImportOrder:
    """An import that is decided.

    Attributes:
        steps: The puzzles, in their order.
        target: The set's folder, which is made if it does not exist.
        adds_set: Whether the folder is added to the list of sets.
        name: Of the set in the list; empty: made from the folder's.
        left_out: What is not imported.
    """

    steps: tuple[ImportStep, ...]
    target: Path
    adds_set: bool = False
    name: str = ""
    left_out: tuple[LeftOut, ...] = ()


def plan_import(puzzles: Sequence[FoundPuzzle], target: Path, progress: Progress = silent) -> PuzzlesPlan:
    """Finds the folder of each puzzle in a set, and its duplicates in the set and in the import itself.

    target: The set's folder, which need not exist.

    Raises:
        SetError: The set cannot be read.
        Cancelled: Raised by `progress`.
    """
    there = list(PuzzleSet(target).folders()) if target.is_dir() else []
    with FileOpenings() as openings:
        known = _Known(openings, there)
        planned = []
        for k, puzzle in enumerate(puzzles):
            progress(k, len(puzzles), puzzle.title)
            planned.append(known.planned(puzzle))
    return PuzzlesPlan(tuple(planned), tuple(folder.name for folder in there))


def import_steps(
    planned: Sequence[tuple[PlannedPuzzle, DuplicateChoice]], taken: Collection[str]
) -> tuple[tuple[ImportStep, ...], tuple[LeftOut, ...]]:
    """The steps of an import, and the puzzles that are skipped as duplicates.

    planned: What is imported, with the choice for each that is a duplicate.
    taken: The folders of the set.
    """
    steps: dict[str, ImportStep] = {}
    there = {name.lower(): name for name in taken}
    skipped = []
    for entry, choice in planned:
        other = entry.duplicate.folder.lower() if entry.duplicate else ""
        is_duplicate = other in there or other in steps
        if is_duplicate and choice is DuplicateChoice.SKIP:
            assert entry.duplicate is not None
            skipped.append(LeftOut(entry.puzzle.source, f"is skipped: it {entry.duplicate.words(entry.folder)}"))
        elif is_duplicate and choice is DuplicateChoice.REPLACE:
            folder = there.get(other) or steps[other].folder
            steps[other] = ImportStep(entry.puzzle, folder, other in there)
        else:
            is_taken = entry.folder.lower() in there or entry.folder.lower() in steps
            folder = folder_name(entry.folder, (*there, *steps)) if is_taken else entry.folder
            steps[folder.lower()] = ImportStep(entry.puzzle, folder)
    return tuple(steps.values()), tuple(skipped)


def unused_solutions(survey: PuzzleSurvey, puzzles: Sequence[FoundPuzzle]) -> tuple[LeftOut, ...]:
    """The solutions that no puzzle has."""
    used = {puzzle.solution.files for puzzle in puzzles if isinstance(puzzle, PagePuzzle) and puzzle.solution}
    reason = "is a solution that no puzzle has been given"
    return tuple(LeftOut(entry.files[0].shown, reason) for entry in survey.solutions if entry.files not in used)


def too_many_pages(puzzle: FoundPuzzle) -> str:
    """Why a puzzle needs a range of its pages, as the end of a sentence; empty if it does not."""
    parts = (puzzle.pages, puzzle.solution) if isinstance(puzzle, PagePuzzle) else ()
    for sheets in parts:
        if sheets is not None and sheets.count > MOST_PAGES:
            return f"has {sheets.count} pages; give a range of at most {MOST_PAGES}"
    return ""


def wanted_folder(puzzle: FoundPuzzle) -> str:
    """The folder that a puzzle becomes where no other has its name."""
    if isinstance(puzzle, PagePuzzle):
        return folder_name(puzzle.title)
    return puzzle.name if is_plain_name(puzzle.name) else folder_name(puzzle.name.replace("_", " "))


class _Known:
    """The puzzles of a set, and those that an import has brought so far, found by name and by their pages."""

    def __init__(self, openings: FileOpenings, folders: Iterable[PuzzleFolder]) -> None:
        self._openings = openings
        self._named: dict[str, tuple[str, bool]] = {}
        self._sized: dict[tuple[int, ...], list[tuple[str, Sequence[FoundFile], bool]]] = defaultdict(list)
        self._sums: dict[FoundFile, int] = {}
        for folder in folders:
            self._add(folder.name, _pages_in(folder), is_of_import=False)

    def planned(self, puzzle: FoundPuzzle) -> PlannedPuzzle:
        """A puzzle with what is known of its kind; it is known from now on."""
        folder = wanted_folder(puzzle)
        pages = _pages_of(puzzle)
        twin = self._twin(pages)
        namesake = self._named.get(folder.lower())
        duplicate = None
        if namesake is not None:
            duplicate = Duplicate(namesake[0], twin is not None and twin[0] == namesake[0], namesake[1])
        elif twin is not None:
            duplicate = Duplicate(twin[0], True, twin[1])
        if duplicate is None:
            self._add(folder, pages, is_of_import=True)
        return PlannedPuzzle(puzzle, folder, duplicate)

    def _add(self, folder: str, pages: Sequence[FoundFile], is_of_import: bool) -> None:
        self._named[folder.lower()] = folder, is_of_import
        if pages:
            self._sized[_sizes(pages)].append((folder, pages, is_of_import))

    def _twin(self, pages: Sequence[FoundFile]) -> tuple[str, bool] | None:
        """The puzzle with the same pages. Files of other sizes are not read."""
        for folder, others, is_of_import in self._sized.get(_sizes(pages), ()) if pages else ():
            if [self._sum(page) for page in pages] == [self._sum(page) for page in others]:
                return folder, is_of_import
        return None

    def _sum(self, file: FoundFile) -> int:
        if file not in self._sums:
            total = 0
            try:
                with self._openings.opened(file) as stream:
                    while piece := stream.read(_PIECE_BYTES):
                        total = zlib.crc32(piece, total)
            except SetError:
                total = -1 - len(self._sums)  # What cannot be read is like nothing else.
            self._sums[file] = total
        return self._sums[file]


def _sizes(pages: Sequence[FoundFile]) -> tuple[int, ...]:
    return tuple(page.size for page in pages)


def _pages_in(folder: PuzzleFolder) -> list[FoundFile]:
    try:
        return [FoundFile(path := folder.file(name), size=path.stat().st_size) for name in folder.pages()]
    except (SetError, OSError):
        return []


def _pages_of(puzzle: FoundPuzzle) -> Sequence[FoundFile]:
    """The pages that can be compared byte for byte: those that are PNG files already."""
    if isinstance(puzzle, WholePuzzle):
        return _in_order(puzzle.files)
    return puzzle.pages.files if all(file.suffix == ".png" for file in puzzle.pages.files) else ()


def _in_order(files: Mapping[str, FoundFile]) -> list[FoundFile]:
    return [files[name] for name in sorted(filter(CONTENT.fullmatch, files), key=page_order)]

"""Carries out imports that are decided: each puzzle whole or not at all, and nothing that the plan does not hold."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.puzzles.puzzle import Puzzle, write_metadata
from spatial_workbench.engine.puzzles.sets.folders import (
    LAYERS,
    METADATA,
    PuzzleFolder,
    PuzzleSet,
    SetError,
    figure_number,
)
from spatial_workbench.engine.puzzles.sets.found_files import FileOpenings, FoundFile, LeftOut
from spatial_workbench.engine.puzzles.sets.import_plan import (
    DuplicateChoice,
    ImportOrder,
    ImportStep,
    import_steps,
    plan_import,
    too_many_pages,
    unused_solutions,
)
from spatial_workbench.engine.puzzles.sets.import_survey import (
    FoundPuzzle,
    PagePuzzle,
    WholePuzzle,
    belongs,
    on_disk,
    survey,
)
from spatial_workbench.engine.puzzles.sets.known_sets import add_set
from spatial_workbench.engine.puzzles.sets.other_pictures import png_pages
from spatial_workbench.engine.puzzles.sets.pages import PictureError
from spatial_workbench.engine.puzzles.sets.pairing import PuzzleSheets, RangeError
from spatial_workbench.engine.puzzles.sets.pdf_drawing import draw_pages
from spatial_workbench.engine.puzzles.sets.storing import Change, Content, SaveFailed, save

_PIECE_BYTES = 1 << 20
_COVERED = "was left out, because nothing more can be saved in the set"


@dataclass(frozen=True)
class Imported:
    """What an import brought.

    Attributes:
        folders: Of the puzzles that were added or replaced.
        left_out: What was not imported, with the reasons.
        set_name: Of the set in the list, if it was added.
    """

    folders: tuple[str, ...]
    left_out: tuple[LeftOut, ...] = ()
    set_name: str = ""


def carry_out(order: ImportOrder, progress: Progress = silent) -> Imported:
    """Imports what was decided. A puzzle that cannot be read, or whose place is taken by now, is left out.

    A set is added to the list together with its first puzzle, so that the list has it if the rest is cut off. A folder
    that was made for the import goes again if it gets no puzzle.

    Raises:
        SetError: The folder cannot be made, is full of something else, or has no room for what is copied.
        Cancelled: Raised by `progress`; the puzzles imported until then stay.
    """
    puzzles = PuzzleSet(order.target)
    made = _made_folders(order.target)
    try:
        _check_room(order)
        with FileOpenings() as openings:
            carrying = _Carrying(order, openings)
            carrying.add_all(progress)
    finally:
        if made and not puzzles.names():
            _remove_made(made)
    return Imported(tuple(carrying.folders), (*order.left_out, *carrying.left_out), carrying.set_name)


def decide_import(
    sources: Sequence[Path],
    target: Path,
    duplicates: DuplicateChoice = DuplicateChoice.KEEP_BOTH,
    pages: str = "",
    progress: Progress = silent,
) -> ImportOrder:
    """Decides to import everything of some files and folders; nothing is written.

    duplicates: What becomes of puzzles that are there already.
    pages: A range of the pages of each PDF and each TIFF file with several pages, as in "3-7"; all by default.

    Raises:
        SetError: The set cannot be read, or the range is not one of each such file.
        Cancelled: Raised by `progress`.
    """
    found = survey(sources, progress=progress)
    left_out = [*found.left_out, *unused_solutions(found, found.puzzles)]
    wanted = []
    for puzzle in (_ranged(puzzle, pages) for puzzle in found.puzzles):
        if reason := too_many_pages(puzzle):
            left_out.append(LeftOut(puzzle.source, reason))
        else:
            wanted.append(puzzle)
    plan = plan_import(wanted, target, progress)
    steps, skipped = import_steps([(entry, duplicates) for entry in plan.puzzles], plan.taken)
    return ImportOrder(steps, target, left_out=(*left_out, *skipped))


def _ranged(puzzle: FoundPuzzle, pages: str) -> FoundPuzzle:
    if not pages or not isinstance(puzzle, PagePuzzle) or not puzzle.pages.has_range:
        return puzzle
    try:
        return PagePuzzle(puzzle.title, puzzle.pages.with_range(pages), puzzle.solution)
    except RangeError as error:
        raise SetError(f"{puzzle.source}: {error}") from None


# The set's folder ----------------------------------------------------------------------------------------------------


def _made_folders(target: Path) -> list[Path]:
    """Makes the folder with those around it; returns what was not there, innermost first."""
    missing = [folder for folder in (target, *target.parents) if not folder.exists()]
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        _remove_made(missing)
        raise SetError(f"{target} cannot be made: {error.strerror}") from None
    return missing


def _remove_made(made: Sequence[Path]) -> None:
    """Removes folders that were made, as far as nobody has put anything into them."""
    for folder in made:
        shutil.rmtree(PuzzleSet(folder).own_folder, ignore_errors=True)
        if not folder.is_dir() or any(folder.iterdir()):
            return
        folder.rmdir()


def _check_room(order: ImportOrder) -> None:
    copied = (step.puzzle.files for step in order.steps if isinstance(step.puzzle, WholePuzzle))
    needed = sum(file.size for files in copied for file in files.values())
    free = shutil.disk_usage(order.target).free
    if needed > free:
        raise SetError(f"The puzzles need {needed / 1e6:,.0f} MB on the disk; {free / 1e6:,.0f} MB are free")


# Puzzles -------------------------------------------------------------------------------------------------------------


class _Carrying:
    """Saves puzzles in a set, and knows the names that are taken, so that thousands can be added."""

    def __init__(self, order: ImportOrder, openings: FileOpenings) -> None:
        self._order = order
        self._target = PuzzleSet(order.target)
        self._openings = openings
        self._taken = {name.lower() for name in self._target.names()}
        self.folders: list[str] = []
        self.left_out: list[LeftOut] = []
        self.set_name = ""

    def add_all(self, progress: Progress) -> None:
        steps = self._order.steps
        for k, step in enumerate(steps):
            part = _part(progress, k, len(steps), step.puzzle.title)
            part(0, 1)
            try:
                self._add(step, part)
            except SaveFailed as error:
                self._leave_out(step, f"was left out: {error}")
                for other in steps[k + 1 :]:
                    self._leave_out(other, _COVERED)
                return
            except (SetError, PictureError) as error:
                self._leave_out(step, f"was left out: {error}")

    def _add(self, step: ImportStep, progress: Progress) -> None:
        is_there = step.folder.lower() in self._taken
        if is_there and not step.replaces:
            raise SetError(f"by now, there is a folder {step.folder}")
        others = self._taken - {step.folder.lower()}
        former = self._target.folder(step.folder) if is_there else None
        with tempfile.TemporaryDirectory() as beside:
            contents = self._contents(step.puzzle, Path(beside), former, progress)
            kept = {METADATA, *former.figures()} if former and isinstance(step.puzzle, PagePuzzle) else set()
            gone = [name for name in _files_of(former) if name not in kept and not _is_sketch_of(name, kept)]
            save(self._target, step.folder, Change(contents, removals=gone, keeps_former=True), others)
        self._taken.add(step.folder.lower())
        self.folders.append(step.folder)
        if self._order.adds_set and not self.set_name:
            self.set_name = add_set(self._order.target, self._order.name)

    def _contents(
        self, puzzle: FoundPuzzle, beside: Path, former: PuzzleFolder | None, progress: Progress
    ) -> dict[str, Content]:
        """The files of a puzzle, each written piece by piece."""
        if isinstance(puzzle, WholePuzzle):
            return {name: partial(self._copy, file, progress) for name, file in puzzle.files.items()}
        pages = self._sheets(puzzle.pages, beside / "pages", progress)
        names = ["content.png"] if len(pages) == 1 else [f"content_{i}.png" for i in range(1, len(pages) + 1)]
        contents = dict(zip(names, pages, strict=True))
        if puzzle.solution is not None:
            first = 1 + max(map(figure_number, former.figures()), default=0) if former else 1
            figures = self._sheets(puzzle.solution, beside / "solution", progress)
            contents |= {f"figure_{i}.png": figure for i, figure in enumerate(figures, first)}
        if former is None or METADATA not in former.files():
            contents[METADATA] = write_metadata(Puzzle(title=puzzle.title)).encode()
        return contents

    def _sheets(self, sheets: PuzzleSheets, beside: Path, progress: Progress) -> list[Content]:
        beside.mkdir()
        paths = {file: on_disk(file, beside / f"file_{k}", self._openings) for k, file in enumerate(sheets.files)}
        if not sheets.is_pdf:
            return [partial(_write_page, paths[file], file.shown, page) for file, page in sheets.places]
        (path,) = paths.values()
        return [partial(_copy_drawn, page) for page in draw_pages(path, beside, progress, sheets.numbers)]

    def _copy(self, file: FoundFile, progress: Progress, target: IO[bytes]) -> None:
        """Writes a file's content; never more than was found, whatever compressed data hold."""
        done = 0
        with self._openings.opened(file) as stream:
            while done <= file.size and (piece := stream.read(min(_PIECE_BYTES, file.size + 1 - done))):
                target.write(piece)
                done += len(piece)
                progress(done, file.size + 1)
        if done != file.size:
            raise SetError(f"{file.shown} is not as long as it was, or as its zip file says")

    def _leave_out(self, step: ImportStep, reason: str) -> None:
        self.left_out.append(LeftOut(step.puzzle.source, reason))


def _write_page(path: Path, name: str, page: int, target: IO[bytes]) -> None:
    for content in png_pages(path, name, (page,)):
        target.write(content)


def _copy_drawn(page: Path, target: IO[bytes]) -> None:
    with page.open("rb") as source:
        shutil.copyfileobj(source, target)


def _files_of(folder: PuzzleFolder | None) -> Iterator[str]:
    """The files of a puzzle, with its layers."""
    if folder is None:
        return
    layers = folder.path / LAYERS
    in_layers = PuzzleFolder(layers).files() if layers.is_dir() and not layers.is_symlink() else ()
    yield from filter(belongs, (*folder.files(), *(f"{LAYERS}/{name}" for name in in_layers)))


def _is_sketch_of(name: str, figures: set[str]) -> bool:
    """Whether a file is the sketch behind one of these figures."""
    return name.removeprefix(f"{LAYERS}/").removesuffix(".json") + ".png" in figures


def _part(progress: Progress, k: int, parts: int, name: str) -> Progress:
    """A Progress for the k-th of several parts."""

    def report(done: float, total: float, text: str = "") -> None:
        progress(k + done / max(1, total), parts, f"{name}: {text}" if text else name)

    return report

"""Functions of background processes on sets and their puzzles: list, count, make, rename, remove. Free of Qt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.puzzles.annotation.review import EVENTS, ReviewState, reviews_of
from spatial_workbench.engine.puzzles.annotation.validation import findings, look_at
from spatial_workbench.engine.puzzles.puzzle import Puzzle, texts_of, write_metadata
from spatial_workbench.engine.puzzles.sets.export_folder import clear_leftovers
from spatial_workbench.engine.puzzles.sets.folders import METADATA, PuzzleFolder, PuzzleSet, SetError, folder_name
from spatial_workbench.engine.puzzles.sets.known_sets import add_set, forget_set, known_sets
from spatial_workbench.engine.puzzles.sets.originals import SET_NAME, originals
from spatial_workbench.engine.puzzles.sets.other_pictures import png_pages
from spatial_workbench.engine.puzzles.sets.pages import check_ends, check_picture
from spatial_workbench.engine.puzzles.sets.side_files import side_path
from spatial_workbench.engine.puzzles.sets.storing import Change, recover, remove, restore, save
from spatial_workbench.engine.puzzles.statistics import SetStatistics, set_statistics

if TYPE_CHECKING:
    from spatial_workbench.engine.store import Project

MOST_SEARCHED = 100_000
"""How many letters of a puzzle the search field looks through."""


@dataclass(frozen=True)
class SetEntry:
    """A set as the list of sets shows it."""

    name: str
    path: Path
    is_read_only: bool = False
    trouble: str = ""


def entry_at(path: Path) -> SetEntry | None:
    """The set in a folder, if it is still listed and there."""
    return next((entry for entry in sets_shown() if entry.path == path and not entry.trouble), None)


@dataclass(frozen=True)
class PuzzleRow:
    """A puzzle as the list of a set shows it.

    Attributes:
        trouble: Why it cannot be read.
        is_kept: Whether changes of its annotation were kept aside without being saved.
    """

    folder: str
    title: str
    difficulty: str = ""
    modality: tuple[str, ...] = ()
    skills: tuple[str, ...] = ()
    steps: int = 0
    errors: int = 0
    warnings: int = 0
    trouble: str = ""
    searched: str = ""
    is_kept: bool = False


@dataclass(frozen=True)
class SetListing:
    """The puzzles of a set with its statistics; whether their pictures were read through."""

    rows: tuple[PuzzleRow, ...]
    statistics: SetStatistics
    is_thorough: bool = True


# Sets ----------------------------------------------------------------------------------------------------------------


def sets_shown(progress: Progress = silent) -> tuple[SetEntry, ...]:
    """The original puzzles, and the sets that a person has added."""
    added = [
        SetEntry(name, path, trouble="" if path.is_dir() else "The folder no longer exists")
        for name, path in known_sets().items()
    ]
    return (SetEntry(SET_NAME, originals_folder(), is_read_only=True), *added)


def originals_folder() -> Path:
    """A folder with the original puzzles, which is made where it is missing."""
    from platformdirs import user_cache_path

    parts = "".join(puzzle.version for puzzle in originals())
    folder = PuzzleSet(user_cache_path("spatial-workbench", appauthor=False) / "puzzles" / _short(parts))
    folder.path.mkdir(parents=True, exist_ok=True)
    present = folder.names()
    for puzzle in originals():
        if puzzle.folder not in present:
            save(folder, puzzle.folder, Change(writes=puzzle.files()))
    return folder.path


def _short(text: str) -> str:
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()[:12]


def added_set(path: Path, progress: Progress = silent) -> str:
    """Adds a folder to the list of sets; returns the set's name.

    Raises:
        SetError: It is no folder, or cannot be read.
    """
    if not path.is_dir():
        raise SetError(f"{path} is not a folder")
    PuzzleSet(path).names()
    return add_set(path)


def new_set(path: Path, progress: Progress = silent) -> str:
    """Makes an empty folder and adds it; returns the set's name.

    Raises:
        SetError: The folder holds something already, or cannot be made.
    """
    try:
        path.mkdir(parents=True, exist_ok=True)
        if any(path.iterdir()):
            raise SetError(f"{path} is not empty; use Add folder to work with its contents")
    except OSError as error:
        raise SetError(f"{path} cannot be made: {error.strerror}") from None
    return add_set(path)


def forgotten_set(name: str, progress: Progress = silent) -> None:
    """Removes a set from the list; its files stay."""
    forget_set(name)


# Puzzles of a set ----------------------------------------------------------------------------------------------------


def listing(path: Path, is_read_only: bool, is_thorough: bool = False, progress: Progress = silent) -> SetListing:
    """The puzzles of a set, each checked.

    is_thorough: Whether pictures are read through, rather than judged by their ends; those of a small set always are.
        Those that the process has read before, and that have not changed since, are not read again.

    Raises:
        SetError: The set cannot be read.
        Cancelled: Raised by `progress`.
    """
    puzzles = PuzzleSet(path)
    if not path.is_dir():
        raise SetError(f"The folder {path} no longer exists")
    if not is_read_only:
        recover(puzzles)
        clear_leftovers(path.parent)  # Of exports, which go beside the set unless another place is chosen.
    rows = []
    read = []
    folders = list(puzzles.folders())
    is_thorough = is_thorough or len(folders) <= _SMALL_SET
    for k, folder in enumerate(folders):
        progress(k, len(folders), folder.name)
        row, puzzle = _row_of(folder, _check_once if is_thorough else check_ends)
        rows.append(row)
        read += [puzzle] if puzzle is not None else []
    return SetListing(marked_kept(path, tuple(rows)), set_statistics(read), is_thorough)


def marked_kept(path: Path, rows: tuple[PuzzleRow, ...], progress: Progress = silent) -> tuple[PuzzleRow, ...]:
    """The rows of a set, in which is_kept is as it is now."""
    return tuple(replace(row, is_kept=side_path(path, row.folder).is_file()) for row in rows)


_SMALL_SET = 50
_sound_pictures: set[tuple[Path, int, int]] = set()
"""Pictures that this process has read through: their paths, sizes, and times in ns."""


def _check_once(path: Path, least_side_px: int) -> None:
    info = path.stat()
    known = path, info.st_size, info.st_mtime_ns
    if known in _sound_pictures:
        check_ends(path, least_side_px)
        return
    check_picture(path, least_side_px)
    _sound_pictures.add(known)


def _row_of(folder: PuzzleFolder, check: Callable[[Path, int], None]) -> tuple[PuzzleRow, Puzzle | None]:
    try:
        reading = folder.read()
        problems = findings(reading.puzzle, look_at(folder, check), reading.misread)
    except (SetError, OSError) as error:
        return PuzzleRow(folder.name, folder.name, errors=1, trouble=str(error), searched=folder.name.lower()), None
    puzzle = reading.puzzle
    errors = sum(problem.is_error for problem in problems)
    row = PuzzleRow(
        folder.name,
        puzzle.title.strip() or folder.name,
        puzzle.difficulty,
        puzzle.modality,
        puzzle.skills,
        len(puzzle.reasoning),
        errors,
        len(problems) - errors,
        searched="\n".join((folder.name, *texts_of(puzzle)))[:MOST_SEARCHED].lower(),
    )
    return row, puzzle


def states_of(name: str, project: Project) -> dict[str, ReviewState]:
    """How far the review of each puzzle of a set is, by folder."""
    events = [EVENTS.validate_json(record.event) for record in project.puzzles.events(name)]
    return {folder: review.state for folder, review in reviews_of(events).items()}


def new_puzzle(path: Path, title: str, pages: Sequence[bytes | Path], progress: Progress = silent) -> str:
    """Makes a puzzle with pages; returns its folder.

    Raises:
        SetError: The title is empty.
        PictureError: A page is not a picture.
        SaveFailed: It cannot be written.
    """
    if not title.strip():
        raise SetError("A puzzle needs a title")
    puzzles = PuzzleSet(path)
    name = folder_name(title, puzzles.names())
    contents = [content for page in pages for content in page_pngs(page)]
    names = ("content.png",) if len(contents) == 1 else tuple(f"content_{i}.png" for i in range(1, len(contents) + 1))
    writes = dict(zip(names, contents, strict=True))
    writes[METADATA] = write_metadata(Puzzle(title=title.strip())).encode()
    save(puzzles, name, Change(writes=writes))
    return name


def page_pngs(page: bytes | Path) -> list[bytes]:
    """Pages as PNG, from a file or from the content of a picture; a TIFF file may have several.

    Raises:
        PictureError: It is no picture, too large, or has too many pages.
    """
    return list(png_pages(page, "The picture" if isinstance(page, bytes) else page.name))


def renamed_puzzle(path: Path, folder: str, title: str, folder_follows: bool, progress: Progress = silent) -> str:
    """Gives a puzzle another title; its folder follows if asked for. Returns the folder.

    Raises:
        SetError: The title is empty, or the metadata cannot be read.
        SaveFailed: It cannot be written.
    """
    if not title.strip():
        raise SetError("A puzzle needs a title")
    puzzles = PuzzleSet(path)
    puzzle = replace(puzzles.folder(folder).read().puzzle, title=title.strip())
    others = [name for name in puzzles.names() if name != folder]
    target = folder_name(title, others) if folder_follows else folder
    save(puzzles, folder, Change(writes={METADATA: write_metadata(puzzle).encode()}, folder=target))
    return target


def removed_puzzle(path: Path, folder: str, progress: Progress = silent) -> str:
    """Moves a puzzle to the set's own folder; returns the handle with which `restored_puzzle` restores it."""
    return remove(PuzzleSet(path), folder)


def restored_puzzle(path: Path, removed: str, progress: Progress = silent) -> str:
    """Restores a removed puzzle; returns its folder."""
    return restore(PuzzleSet(path), removed).name

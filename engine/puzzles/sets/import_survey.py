"""What files and folders hold that can be imported: puzzles, pages of puzzles, and what is left out with the reason."""

from __future__ import annotations

import re
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path, PurePosixPath

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.puzzles.puzzle import MetadataError, read_metadata
from spatial_workbench.engine.puzzles.sets.folders import LAYERS, METADATA, SetError, shown_folder
from spatial_workbench.engine.puzzles.sets.found_files import FileOpenings, FoundFile, LeftOut, find_files, too_large
from spatial_workbench.engine.puzzles.sets.other_pictures import count_picture_pages
from spatial_workbench.engine.puzzles.sets.pages import (
    CONTENT,
    PictureError,
    check_head,
    is_figure_name,
)
from spatial_workbench.engine.puzzles.sets.pairing import PDF, PICTURE_SUFFIXES, Pair, PuzzleSheets, paired, sheets_of
from spatial_workbench.engine.puzzles.sets.pdf_drawing import count_pages

HEAD_BYTES = 4096
_LAYER = re.compile(r"figure_[1-9]\d{0,5}\.json")
NOT_PART = "is not part of a puzzle"
_APART = "is a picture outside of a puzzle's folder; choose it by itself to import it"
_METADATA_ALONE = "is part of a puzzle; choose its folder to import it"
_UNKNOWN = "is neither a folder, a zip file, a PDF nor a picture"


@dataclass(frozen=True)
class WholePuzzle:
    """A puzzle's folder, on the disk or in a zip file.

    Attributes:
        name: Of the folder.
        title: As its metadata say; otherwise from the folder's name.
        source: Where the folder is, for people.
        files: By their names in the folder, as in "content.png" or "layers/figure_1.json".
    """

    name: str
    title: str
    source: str
    files: Mapping[str, FoundFile]


@dataclass(frozen=True)
class PagePuzzle:
    """A puzzle that is made of pages: its title, its pages, and those of its solution."""

    title: str
    pages: PuzzleSheets
    solution: PuzzleSheets | None = None

    @property
    def source(self) -> str:
        """The files of its pages, for people."""
        first, *rest = self.pages.files
        return f"{first.shown} and {len(rest)} more" if rest else first.shown


FoundPuzzle = WholePuzzle | PagePuzzle


@dataclass(frozen=True)
class PuzzleSurvey:
    """What can be imported of some files and folders; nothing has been written.

    Attributes:
        whole: Folders of puzzles.
        pairs: Pages of puzzles, each with a solution where the names are alike.
        solutions: All solutions, whether they are paired or not.
        left_out: What cannot be imported.
        has_numbered: Whether pictures with numbers at the end of their names are there, which may be pages of one
            puzzle or puzzles of their own.
    """

    whole: tuple[WholePuzzle, ...] = ()
    pairs: tuple[Pair, ...] = ()
    solutions: tuple[PuzzleSheets, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    has_numbered: bool = False

    @property
    def puzzles(self) -> tuple[FoundPuzzle, ...]:
        """All puzzles, in the order in which they are shown."""
        made = (PagePuzzle(pair.puzzle.title, pair.puzzle, pair.solution) for pair in self.pairs)
        return (*self.whole, *made)


def survey(sources: Sequence[Path], join_pictures: bool = True, progress: Progress = silent) -> PuzzleSurvey:
    """Looks into files, folders and zip files.

    join_pictures: Whether pictures whose names differ by a number at the end alone are pages of one puzzle.

    Raises Cancelled where `progress` does.
    """
    sorting = _Sorting(progress)
    for source in dict.fromkeys(path.absolute() for path in sources):
        sorting.take(source)
    return sorting.survey(join_pictures)


def belongs(name: str) -> bool:
    """Whether a file is part of a puzzle: its metadata, a page, a figure or a layer."""
    layer = name.startswith(f"{LAYERS}/") and _LAYER.fullmatch(name.removeprefix(f"{LAYERS}/"))
    return name == METADATA or is_figure_name(name) or bool(CONTENT.fullmatch(name) or layer)


@dataclass(frozen=True)
class _Home:
    """A folder, on the disk or in a zip file."""

    path: Path
    inside: PurePosixPath | None = None

    @property
    def parents(self) -> Iterator[_Home]:
        """The folders around it, innermost first; a zip file's folders end with the zip file."""
        if self.inside is not None:
            yield from (_Home(self.path, folder) for folder in self.inside.parents)
        else:
            yield from map(_Home, self.path.parents)

    @property
    def name(self) -> str:
        return self.path.name if self.inside is None else self.inside.name


def _home_of(file: FoundFile) -> _Home:
    return _Home(file.path, PurePosixPath(file.entry).parent) if file.entry else _Home(file.path.parent)


class _Sorting:
    """Sorts what is found into puzzles, pages, and what is left out."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._whole: list[WholePuzzle] = []
        self._loose: list[FoundFile] = []
        self._left_out: list[LeftOut] = []
        self._seen: set[tuple[Path, str]] = set()
        self._page_counts: dict[FoundFile, int] = {}

    def take(self, source: Path) -> None:
        """Sorts the files of a source. A file that another source has brought is not taken twice."""
        finding = find_files(source, self._progress)
        self._left_out += finding.left_out
        homes: dict[_Home, list[FoundFile]] = defaultdict(list)
        for file in finding.files:
            if (file.path, file.entry) not in self._seen:
                self._seen.add((file.path, file.entry))
                homes[_home_of(file)].append(file)
        whole = {home for home, files in homes.items() if _is_puzzle(files)}
        with FileOpenings() as openings:
            for k, home in enumerate(sorted(whole, key=lambda home: homes[home][0].folders)):
                self._progress(k, len(whole), home.name)
                self._take_puzzle(homes[home], homes.get(_layers_of(home), []), openings)
        layers = set(map(_layers_of, whole))
        for home, files in homes.items():
            if home not in whole and home not in layers:
                self._take_loose(files, bool(whole), any(parent in whole for parent in home.parents))

    def survey(self, join_pictures: bool) -> PuzzleSurvey:
        """All that was sorted; the pages of PDFs and TIFF files are counted."""
        with FileOpenings() as openings, tempfile.TemporaryDirectory() as folder:
            sound = [file for file in self._loose if self._is_sound(file, openings)]
            sheets = self._counted(sheets_of(sound, join_pictures), openings, Path(folder))
        solutions = [entry for entry in sheets if entry.is_solution]
        puzzles = [entry for entry in sheets if not entry.is_solution]
        if not puzzles:
            puzzles, solutions = solutions, []
        joined = any(len(entry.files) > 1 for entry in sheets_of(sound))
        pairs = tuple(paired(puzzles, solutions))
        return PuzzleSurvey(tuple(self._whole), pairs, tuple(solutions), tuple(self._left_out), joined)

    # Puzzles -----------------------------------------------------------------------------------------------------

    def _take_puzzle(self, files: Sequence[FoundFile], layers: Sequence[FoundFile], openings: FileOpenings) -> None:
        named = {file.name: file for file in files} | {f"{LAYERS}/{file.name}": file for file in layers}
        parts = {name: file for name, file in named.items() if belongs(name)}
        self._leave_out((file for name, file in named.items() if name not in parts), NOT_PART)
        if refusal := _refusal_of_parts(parts, openings):
            self._left_out.append(refusal)
            return
        folders = files[0].folders
        title = _title_in(parts.get(METADATA), openings) or shown_folder(folders[-1])
        self._whole.append(WholePuzzle(folders[-1], title, "/".join(folders), parts))

    # Loose files -------------------------------------------------------------------------------------------------

    def _take_loose(self, files: Sequence[FoundFile], beside_puzzles: bool, in_puzzle: bool) -> None:
        for file in files:
            is_picture = file.suffix in PICTURE_SUFFIXES
            if in_puzzle:
                reason = NOT_PART
            elif file.name == METADATA and not file.folders:
                reason = _METADATA_ALONE
            elif is_picture and file.folders and beside_puzzles:
                reason = _APART
            elif file.suffix == PDF or is_picture:
                reason = too_large(file)
            else:
                reason = NOT_PART if file.folders else _UNKNOWN
            if reason:
                self._left_out.append(LeftOut(file.shown, reason))
            else:
                self._loose.append(file)

    def _is_sound(self, file: FoundFile, openings: FileOpenings) -> bool:
        """Whether a loose file looks like the picture that its name says; PDFs are looked at later."""
        if file.suffix == PDF:
            return True
        try:
            self._page_counts[file] = _count_pages(file, openings)
        except (PictureError, SetError) as error:
            self._left_out.append(_refusal(file, error))
            return False
        return True

    def _counted(self, sheets: Sequence[PuzzleSheets], openings: FileOpenings, folder: Path) -> list[PuzzleSheets]:
        """The same with the numbers of pages; PDFs that cannot be read are left out."""
        documents = [entry for entry in sheets if entry.is_pdf]
        paths = {}
        for k, entry in enumerate(documents):
            try:
                paths[entry.files[0]] = on_disk(entry.files[0], folder / str(k), openings)
            except SetError as error:
                self._left_out.append(_refusal(entry.files[0], error))
        counts = dict(zip(paths, count_pages([*paths.values()], self._progress), strict=True))
        self._left_out += [LeftOut(file.shown, count) for file, count in counts.items() if isinstance(count, str)]
        self._page_counts |= {file: count for file, count in counts.items() if isinstance(count, int)}
        readable = (entry for entry in sheets if all(file in self._page_counts for file in entry.files))
        return [replace(e, file_pages=tuple(self._page_counts[file] for file in e.files)) for e in readable]

    def _leave_out(self, files: Iterable[FoundFile], reason: str) -> None:
        self._left_out += [LeftOut(file.shown, reason) for file in files]


def on_disk(file: FoundFile, folder: Path, openings: FileOpenings) -> Path:
    """The path of a file; an entry of a zip file is unpacked into a new folder.

    Raises:
        SetError: It cannot be unpacked.
    """
    if not file.entry:
        return file.path
    folder.mkdir()
    path = folder / file.name
    path.write_bytes(openings.content(file))
    return path


def _is_puzzle(files: Sequence[FoundFile]) -> bool:
    """Whether files of one folder make a puzzle; files that were chosen one by one do not."""
    return bool(files[0].folders) and any(file.name == METADATA or CONTENT.fullmatch(file.name) for file in files)


def _layers_of(home: _Home) -> _Home:
    return _Home(home.path / LAYERS) if home.inside is None else _Home(home.path, home.inside / LAYERS)


def _refusal_of_parts(parts: Mapping[str, FoundFile], openings: FileOpenings) -> LeftOut | None:
    """Why a puzzle is left out: one of its files is too large, or no picture though it is called one."""
    for file in parts.values():
        if reason := too_large(file):
            return LeftOut(file.shown, reason)
        try:
            if file.suffix == ".png":
                _count_pages(file, openings)
        except (PictureError, SetError) as error:
            return _refusal(file, error)
    return None


def _count_pages(file: FoundFile, openings: FileOpenings) -> int:
    """How many pages a picture has, judged by its beginning.

    Raises:
        PictureError: It is no picture, or too large.
        SetError: It cannot be read.
    """
    if file.suffix == ".png":
        check_head(openings.head(file, HEAD_BYTES), file.size, file.shown)
        return 1
    return count_picture_pages(BytesIO(openings.content(file)) if file.entry else file.path, file.shown)


def _refusal(file: FoundFile, error: Exception) -> LeftOut:
    return LeftOut(file.shown, str(error).removeprefix(f"{file.shown} "))


def _title_in(metadata: FoundFile | None, openings: FileOpenings) -> str:
    """The title that a metadata.json states; empty if it states none, or cannot be read."""
    try:
        return read_metadata(openings.content(metadata)).puzzle.title.strip() if metadata is not None else ""
    except (MetadataError, SetError):
        return ""

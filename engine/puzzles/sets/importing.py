"""Bringing puzzles into a set: from a folder, a zip file, or PDF pages, each puzzle whole or not at all."""

from __future__ import annotations

import difflib
import lzma
import re
import shutil
import stat
import struct
import tempfile
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path, PurePosixPath
from typing import IO, Protocol

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.puzzles.puzzle import MAX_METADATA_BYTES, Puzzle, write_metadata
from spatial_workbench.engine.puzzles.sets.folders import (
    LAYERS,
    METADATA,
    PuzzleFolder,
    PuzzleSet,
    SetError,
    case_clash,
    folder_name,
    is_found_name,
    is_plain_name,
)
from spatial_workbench.engine.puzzles.sets.pages import (
    CONTENT,
    FIGURE,
    LONE_FIGURE,
    MOST_BYTES,
    PictureError,
    check_head,
)
from spatial_workbench.engine.puzzles.sets.pdf_drawing import draw_pages
from spatial_workbench.engine.puzzles.sets.storing import Change, Content, save

MOST_ENTRIES = 50_000
MOST_UNPACKED_BYTES = 4_000_000_000
"""Of all puzzles together: twice as much as the largest published set."""
HEAD_BYTES = 4096
_PIECE_BYTES = 1 << 20
LEAST_SIMILARITY = 80.0
_LAYER = re.compile(r"figure_[1-9]\d{0,5}\.json")


@dataclass(frozen=True)
class Imported:
    """What an import brought: the folders of the new puzzles, and what was left out, with the reason."""

    folders: tuple[str, ...]
    skipped: tuple[str, ...] = ()

    def joined_with(self, other: Imported) -> Imported:
        """Both imports as one."""
        return Imported((*self.folders, *other.folders), (*self.skipped, *other.skipped))


# Folders -------------------------------------------------------------------------------------------------------------


def import_folder(source: PuzzleSet, target: PuzzleSet, progress: Progress = silent) -> Imported:
    """Copies the puzzles of a set into another; a name that is taken gets a number.

    Raises:
        SetError: The source cannot be read.
        SaveFailed: A puzzle cannot be written; those before it stay.
        Cancelled: Raised by `progress`; the puzzles copied until then stay.
    """
    folders = list(source.folders())
    added = _Adding(target)
    for k, folder in enumerate(folders):
        part = _part(progress, k, len(folders), folder.name)
        part(0, 1)
        try:
            contents = _contents_of(folder, part)
        except (SetError, PictureError, OSError) as error:
            added.skip(str(error))
            continue
        added.add(folder.name, contents)
    return added.imported()


def _contents_of(folder: PuzzleFolder, progress: Progress) -> dict[str, Content]:
    """The files of a puzzle, to be copied piece by piece; what is not a picture is found before anything is written."""
    contents: dict[str, Content] = {}
    for name in filter(belongs, folder.files()):
        path = folder.file(name)
        size = folder.size_of(name)
        if name.endswith(".png"):
            with path.open("rb") as stream:
                check_head(stream.read(HEAD_BYTES), size, f"{folder.name}/{name}")
        contents[name] = partial(_copy_file, path, progress)
    layers = PuzzleFolder(folder.path / LAYERS)
    if layers.path.is_dir() and not layers.path.is_symlink():
        for name in filter(_LAYER.fullmatch, layers.files()):
            contents[f"{LAYERS}/{name}"] = layers.bytes_of(name)
    return contents


class Source(Protocol):
    """What is read piece by piece."""

    def read(self, size: int, /) -> bytes:
        """The next bytes, at most so many."""


def _copy_file(path: Path, progress: Progress, target: IO[bytes]) -> None:
    with path.open("rb") as source:
        _copy(source, target, progress, path.stat().st_size)


def _copy(source: Source, target: IO[bytes], progress: Progress, size: int) -> int:
    """Copies at most one byte more than `size`, piece by piece; returns how many there were."""
    done = 0
    while done <= size and (piece := source.read(min(_PIECE_BYTES, size + 1 - done))):
        target.write(piece)
        done += len(piece)
        progress(done, size + 1)
    return done


def _part(progress: Progress, k: int, parts: int, name: str) -> Progress:
    """A Progress for the k-th of several parts."""

    def report(done: float, total: float, text: str = "") -> None:
        progress(k + done / max(1, total), parts, f"{name}: {text}" if text else name)

    return report


class _Adding:
    """Adds puzzles to a set, and knows the names that are taken, so that thousands can be added."""

    def __init__(self, target: PuzzleSet) -> None:
        self._target = target
        self._taken = {name.lower() for name in target.names()}
        self._added: list[str] = []
        self._skipped: list[str] = []

    def add(self, name: str, contents: Mapping[str, Content]) -> None:
        """Adds a puzzle; a name that is taken gets a number."""
        chosen = name if is_plain_name(name) else folder_name(name.replace("_", " "))
        if chosen.lower() in self._taken:
            chosen = self._free(folder_name(chosen))
        save(self._target, chosen, Change(writes=contents), self._taken)
        self._taken.add(chosen.lower())
        self._added.append(chosen)

    def skip(self, reason: str) -> None:
        """Says that a puzzle was left out."""
        self._skipped.append(reason)

    def imported(self) -> Imported:
        """What was added and skipped."""
        return Imported(tuple(self._added), tuple(self._skipped))

    def _free(self, name: str) -> str:
        if name.lower() not in self._taken:
            return name
        number = 2
        while f"{name}_{number}".lower() in self._taken:
            number += 1
        return f"{name}_{number}"


def belongs(name: str) -> bool:
    """Whether a file is part of a puzzle: its metadata, a page, a figure or a layer."""
    layer = name.startswith(f"{LAYERS}/") and _LAYER.fullmatch(name.removeprefix(f"{LAYERS}/"))
    return name in (METADATA, LONE_FIGURE) or bool(CONTENT.fullmatch(name) or FIGURE.fullmatch(name) or layer)


# Zip files -----------------------------------------------------------------------------------------------------------


def import_zip(path: Path, target: PuzzleSet, progress: Progress = silent) -> Imported:
    """Unpacks the puzzles of a zip file into a set. Everything is checked before anything is written.

    Raises:
        SetError: The file is not a zip file, too large, or names a place outside the set; says which entry.
        SaveFailed: A puzzle cannot be written; those before it stay.
        Cancelled: Raised by `progress`; the puzzles unpacked until then stay.
    """
    added = _Adding(target)
    try:
        with zipfile.ZipFile(path) as archive:
            puzzles, skipped = _puzzles_in(archive)
            _check_room(target, puzzles)
            for reason in skipped:
                added.skip(reason)
            for k, (name, entries) in enumerate(puzzles.items()):
                part = _part(progress, k, len(puzzles), name)
                part(0, 1)
                try:
                    contents = {file: _contents_in(archive, entry, part) for file, entry in entries.items()}
                except PictureError as error:
                    added.skip(str(error))
                    continue
                added.add(name, contents)
    except _DAMAGED as error:
        raise SetError(f"{path.name} cannot be unpacked: {_reason(error)}") from None
    except OSError as error:
        raise error if type(error) is not OSError else SetError(f"{path.name} cannot be read: {error}") from None
    return added.imported()


_DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    NotImplementedError,
    RuntimeError,
    EOFError,
    OverflowError,
    UnicodeDecodeError,
)
"""What unpacking a damaged file raises."""


def _reason(error: Exception) -> str:
    return str(error) or "it ends too early"


def _check_room(target: PuzzleSet, puzzles: Mapping[str, Mapping[str, zipfile.ZipInfo]]) -> None:
    needed = sum(entry.file_size for entries in puzzles.values() for entry in entries.values())
    free = shutil.disk_usage(target.path).free
    if needed > free:
        raise SetError(f"The puzzles need {needed / 1e6:,.0f} MB on the disk; {free / 1e6:,.0f} MB are free")


def puzzles_of_zip(path: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The folders of the puzzles in a zip file, and a word on what is left out; nothing is unpacked.

    Raises:
        SetError: The file is not a zip file, too large, or names a place outside the set; says which entry.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            puzzles, skipped = _puzzles_in(archive)
    except (*_DAMAGED, OSError) as error:
        raise SetError(f"{path.name} cannot be read: {_reason(error)}") from None
    return tuple(sorted(puzzles)), skipped


def _puzzles_in(archive: zipfile.ZipFile) -> tuple[dict[str, dict[str, zipfile.ZipInfo]], tuple[str, ...]]:
    """The entries of each puzzle in an archive, by file name; and a word on what is left out."""
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise SetError(f"The zip file has {len(entries):,} entries; the limit is {MOST_ENTRIES:,}")
    total = sum(entry.file_size for entry in entries)
    if total > MOST_UNPACKED_BYTES:
        raise SetError(f"The zip file unpacks to {total / 1e9:.1f} GB; the limit is {MOST_UNPACKED_BYTES // 10**9} GB")
    puzzles: dict[str, dict[str, zipfile.ZipInfo]] = defaultdict(dict)
    left_out = 0
    for entry in entries:
        if entry.is_dir():
            continue
        place = _place_of(entry)
        if place is None:
            left_out += 1
        elif place[1] in puzzles[place[0]]:
            raise SetError(f"The zip file holds {place[0]}/{place[1]} twice")
        else:
            puzzles[place[0]][place[1]] = entry
    whole = {name: files for name, files in puzzles.items() if METADATA in files or any(map(CONTENT.fullmatch, files))}
    if clash := case_clash(list(whole)):
        raise SetError(f"The folders {clash[0]} and {clash[1]} differ by case only")
    if not whole:
        raise SetError("The zip file holds no puzzle: no folder with a metadata.json or a content.png")
    note = (f"{left_out} files that do not belong to a puzzle",) if left_out else ()
    return whole, note


def _place_of(entry: zipfile.ZipInfo) -> tuple[str, str] | None:
    """The folder and the file's name of an entry; None if it is not a file of a puzzle."""
    name = entry.filename
    parts = PurePosixPath(name).parts
    if name.startswith("/") or "\\" in name or ".." in parts or re.match(r"[A-Za-z]:", name):
        raise SetError(f"The zip file names a place outside the set: “{name[:100]}”")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise SetError(f"The zip file holds a link: “{name[:100]}”")
    in_layers = len(parts) > 2 and parts[-2] == LAYERS
    file = "/".join(parts[-2:]) if in_layers else parts[-1]
    folders = parts[:-2] if in_layers else parts[:-1]
    if not folders or not belongs(file) or not is_found_name(folders[-1]):
        return None
    most = MAX_METADATA_BYTES if file.endswith(".json") else MOST_BYTES
    if entry.file_size > most:
        raise SetError(f"{folders[-1]}/{file} has {entry.file_size / 1e6:.0f} MB; the limit is {most // 10**6} MB")
    return folders[-1], file


def _contents_in(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, progress: Progress) -> Content:
    """An entry, to be unpacked piece by piece; the head of a picture is read at once."""
    if entry.filename.endswith(".png"):
        with _opened(archive, entry) as stream:
            check_head(stream.read(HEAD_BYTES), entry.file_size, entry.filename[:100])
    return partial(_unpack, archive, entry, progress)


class _Unpacking:
    """An entry being read; whatever is wrong with the compressed data is a SetError."""

    def __init__(self, archive: zipfile.ZipFile, stream: IO[bytes]) -> None:
        self._name = Path(archive.filename or "").name
        self._stream = stream

    def read(self, size: int) -> bytes:
        """The next bytes, at most so many."""
        try:
            return self._stream.read(size)
        except (*_DAMAGED, OSError) as error:
            raise SetError(f"{self._name} cannot be unpacked: {_reason(error)}") from None


@contextmanager
def _opened(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> Iterator[_Unpacking]:
    with archive.open(entry) as stream:
        yield _Unpacking(archive, stream)


def _unpack(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, progress: Progress, target: IO[bytes]) -> None:
    """Writes an entry's content; never more than it declares, whatever the compressed data hold."""
    with _opened(archive, entry) as stream:
        written = _copy(stream, target, progress, entry.file_size)
    if written != entry.file_size:
        raise SetError(f"{entry.filename[:100]} is not as long as the zip file says")


# PDF files -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PdfMatch:
    """A puzzle's PDF with the PDF of its solution, if there is a similar name; `similarity` is from 0 to 100."""

    puzzle: Path
    solution: Path | None = None
    similarity: float = 0.0

    @property
    def title(self) -> str:
        """The puzzle's title, from the file's name."""
        return re.sub(r"[_-]+", " ", self.puzzle.stem).strip()


def match_pdfs(paths: Sequence[Path]) -> list[PdfMatch]:
    """Pairs puzzles with their solutions: files with "solution" in their name, most similar names first."""
    solutions = [path for path in paths if "solution" in path.stem.lower()]
    puzzles = [path for path in paths if path not in solutions]
    pairs = sorted(
        ((name_similarity(p.stem, s.stem), p, s) for p in puzzles for s in solutions), key=lambda pair: -pair[0]
    )
    matched: dict[Path, PdfMatch] = {}
    taken: set[Path] = set()
    for similarity, puzzle, solution in pairs:
        if similarity >= LEAST_SIMILARITY and puzzle not in matched and solution not in taken:
            matched[puzzle] = PdfMatch(puzzle, solution, similarity)
            taken.add(solution)
    return [matched.get(puzzle, PdfMatch(puzzle)) for puzzle in sorted(puzzles)]


def name_similarity(first: str, second: str) -> float:
    """How similar two file names are, from 0 to 100, the word "solution" aside."""
    a, b = (re.sub(r"[\W_]+", " ", name.lower().replace("solution", " ")).strip() for name in (first, second))
    return 100 * difflib.SequenceMatcher(None, a, b).ratio()


def import_pdfs(matches: Sequence[PdfMatch], target: PuzzleSet, progress: Progress = silent) -> Imported:
    """Makes a puzzle of each PDF: its pages as content, those of its solution as figures for the annotator.

    Raises:
        SaveFailed: A puzzle cannot be written; those before it stay.
        Cancelled: Raised by `progress`; the puzzles made until then stay.
    """
    added = _Adding(target)
    for k, match in enumerate(matches):
        part = _part(progress, k, len(matches), match.title)
        part(0, 1)
        with tempfile.TemporaryDirectory() as folder:
            try:
                contents = dict(_pdf_files(match, Path(folder), part))
            except SetError as error:
                added.skip(str(error))
                continue
            contents[METADATA] = write_metadata(Puzzle(title=match.title)).encode()
            added.add(folder_name(match.title), contents)
    return added.imported()


def _pdf_files(match: PdfMatch, folder: Path, progress: Progress) -> Iterator[tuple[str, Content]]:
    pages = _pages_in(match.puzzle, folder / "pages", progress)
    if len(pages) == 1:
        yield "content.png", pages[0]
    else:
        yield from ((f"content_{i}.png", page) for i, page in enumerate(pages, 1))
    if match.solution is not None:
        solution = _pages_in(match.solution, folder / "solution", progress)
        yield from ((f"figure_{i}.png", page) for i, page in enumerate(solution, 1))


def _pages_in(path: Path, folder: Path, progress: Progress) -> list[Callable[[IO[bytes]], None]]:
    folder.mkdir()
    return [partial(_copy_file, page, silent) for page in draw_pages(path, folder, progress)]


def pdfs_in(folder: Path) -> list[Path]:
    """The PDFs that lie in a folder, whatever the case of their names."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() == ".pdf" and path.is_file())


def import_beside(source: Path, target: PuzzleSet, progress: Progress = silent) -> Imported:
    """Copies the puzzles that lie in folders beside PDFs; nothing for a PDF alone. Raises what `import_folder` does."""
    if not source.is_dir() or not PuzzleSet(source).names():
        return Imported(())
    return import_folder(PuzzleSet(source), target, progress)


def import_any(path: Path, target: PuzzleSet, progress: Progress = silent) -> Imported:
    """Brings in a folder, a zip file, or a PDF.

    Raises:
        SetError: It is none of these, or cannot be read.
        SaveFailed: A puzzle cannot be written.
        Cancelled: Raised by `progress`.
    """
    if path.is_dir():
        pdfs = pdfs_in(path)
        if not pdfs:
            return import_folder(PuzzleSet(path), target, progress)
        return import_pdfs(match_pdfs(pdfs), target, progress).joined_with(import_beside(path, target, progress))
    if path.suffix.lower() == ".pdf":
        return import_pdfs([PdfMatch(path)], target, progress)
    if zipfile.is_zipfile(path):
        return import_zip(path, target, progress)
    raise SetError(f"{path.name} is neither a folder nor a zip file nor a PDF")

"""Bringing puzzles into a set: from a folder, a zip file, or PDF pages, each puzzle whole or not at all."""

from __future__ import annotations

import difflib
import re
import stat
import zipfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from engine.core.progress import Progress, silent
from engine.puzzles.folders import (
    LAYERS,
    METADATA,
    PuzzleFolder,
    PuzzleSet,
    SetError,
    case_clash,
    folder_name,
    is_plain_name,
)
from engine.puzzles.pages import CONTENT, FIGURE, LONE_FIGURE, MOST_BYTES, MOST_PIXELS, png_of
from engine.puzzles.puzzle import MAX_METADATA_BYTES, Puzzle, write_metadata
from engine.puzzles.storing import Change, save

MOST_ENTRIES = 50_000
MOST_UNPACKED_BYTES = 8_000_000_000
MOST_PAGES = 100
PDF_DPI = 150
LEAST_SIMILARITY = 80.0
_LAYER = re.compile(r"figure_[1-9]\d{0,5}\.json")


@dataclass(frozen=True)
class Imported:
    """What an import brought: the folders of the new puzzles, and what was left out, with the reason."""

    folders: tuple[str, ...]
    skipped: tuple[str, ...] = ()


# Folders -------------------------------------------------------------------------------------------------------------


def import_folder(source: PuzzleSet, target: PuzzleSet, progress: Progress = silent) -> Imported:
    """Copies the puzzles of a set into another; a name that is taken gets a number.

    Raises:
        SetError: The source cannot be read.
        SaveFailed: A puzzle cannot be written; those before it stay.
        Cancelled: Raised by `progress`; the puzzles copied until then stay.
    """
    folders = list(source.folders())
    added, skipped = [], []
    for k, folder in enumerate(folders):
        progress(k, len(folders), folder.name)
        try:
            contents = _contents_of(folder)
        except (SetError, OSError) as error:
            skipped.append(str(error))
            continue
        added.append(_add(target, folder.name, contents))
    return Imported(tuple(added), tuple(skipped))


def _contents_of(folder: PuzzleFolder) -> dict[str, bytes]:
    contents = {name: folder.bytes_of(name) for name in folder.files() if belongs(name)}
    layers = PuzzleFolder(folder.path / LAYERS)
    if layers.path.is_dir() and not layers.path.is_symlink():
        names = [name for name in layers.files() if _LAYER.fullmatch(name)]
        contents |= {f"{LAYERS}/{name}": layers.file(name).read_bytes() for name in names}
    return contents


def belongs(name: str) -> bool:
    """Whether a file is part of a puzzle: its metadata, a page, a figure or a layer."""
    layer = name.startswith(f"{LAYERS}/") and _LAYER.fullmatch(name.removeprefix(f"{LAYERS}/"))
    return name in (METADATA, LONE_FIGURE) or bool(CONTENT.fullmatch(name) or FIGURE.fullmatch(name) or layer)


def _add(target: PuzzleSet, name: str, contents: Mapping[str, bytes]) -> str:
    chosen = folder_name(name.replace("_", " "), target.names()) if not is_plain_name(name) else name
    if any(other.lower() == chosen.lower() for other in target.names()):
        chosen = folder_name(chosen, target.names())
    save(target, chosen, Change(writes=contents))
    return chosen


# Zip files -----------------------------------------------------------------------------------------------------------


def import_zip(path: Path, target: PuzzleSet, progress: Progress = silent) -> Imported:
    """Unpacks the puzzles of a zip file into a set. Everything is checked before anything is written.

    Raises:
        SetError: The file is no zip file, too large, or names a place outside the set; says which entry.
        SaveFailed: A puzzle cannot be written; those before it stay.
        Cancelled: Raised by `progress`; the puzzles unpacked until then stay.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            puzzles, skipped = _puzzles_in(archive)
            added = []
            for k, (name, entries) in enumerate(puzzles.items()):
                progress(k, len(puzzles), name)
                added.append(_add(target, name, {file: _unpacked(archive, entry) for file, entry in entries.items()}))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise SetError(f"{path.name} cannot be unpacked: {error}") from None
    except OSError as error:
        raise error if type(error) is not OSError else SetError(f"{path.name} cannot be read: {error}") from None
    return Imported(tuple(added), skipped)


def puzzles_of_zip(path: Path) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The folders of the puzzles in a zip file, and a word on what is left out; nothing is unpacked.

    Raises:
        SetError: The file is no zip file, too large, or names a place outside the set; says which entry.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            puzzles, skipped = _puzzles_in(archive)
    except (zipfile.BadZipFile, OSError, NotImplementedError) as error:
        raise SetError(f"{path.name} cannot be read: {error}") from None
    return tuple(sorted(puzzles)), skipped


def _puzzles_in(archive: zipfile.ZipFile) -> tuple[dict[str, dict[str, zipfile.ZipInfo]], tuple[str, ...]]:
    """The entries of each puzzle in an archive, by file name; and a word on what is left out."""
    entries = archive.infolist()
    if len(entries) > MOST_ENTRIES:
        raise SetError(f"The zip file has {len(entries):,} entries; the limit is {MOST_ENTRIES:,}")
    total = sum(entry.file_size for entry in entries)
    if total > MOST_UNPACKED_BYTES:
        raise SetError(f"The zip file unpacks to {total / 1e9:.0f} GB; the limit is {MOST_UNPACKED_BYTES // 10**9} GB")
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
    """The folder and the file's name of an entry; None if it is no file of a puzzle."""
    name = entry.filename
    parts = PurePosixPath(name).parts
    if name.startswith("/") or "\\" in name or ".." in parts or re.match(r"[A-Za-z]:", name):
        raise SetError(f"The zip file names a place outside the set: “{name[:100]}”")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise SetError(f"The zip file holds a link: “{name[:100]}”")
    in_layers = len(parts) > 2 and parts[-2] == LAYERS
    file = "/".join(parts[-2:]) if in_layers else parts[-1]
    folders = parts[:-2] if in_layers else parts[:-1]
    if not folders or not belongs(file) or not is_plain_name(folders[-1]):
        return None
    most = MAX_METADATA_BYTES if file.endswith(".json") else MOST_BYTES
    if entry.file_size > most:
        raise SetError(f"{folders[-1]}/{file} has {entry.file_size / 1e6:.0f} MB; the limit is {most // 10**6} MB")
    return folders[-1], file


def _unpacked(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """An entry's content; never more than it declares, whatever the compressed data hold."""
    with archive.open(entry) as stream:
        content = stream.read(entry.file_size + 1)
    if len(content) != entry.file_size:
        raise SetError(f"{entry.filename[:100]} is not as long as the zip file says")
    return content


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
    added, skipped = [], []
    for k, match in enumerate(matches):
        progress(k, len(matches), match.title)
        try:
            contents = dict(_pdf_files(match))
        except SetError as error:
            skipped.append(str(error))
            continue
        contents[METADATA] = write_metadata(Puzzle(title=match.title)).encode()
        added.append(_add(target, folder_name(match.title, target.names()), contents))
    return Imported(tuple(added), tuple(skipped))


def _pdf_files(match: PdfMatch) -> Iterator[tuple[str, bytes]]:
    pages = pdf_pages(match.puzzle)
    if len(pages) == 1:
        yield "content.png", pages[0]
    else:
        yield from ((f"content_{i}.png", page) for i, page in enumerate(pages, 1))
    if match.solution is not None:
        yield from ((f"figure_{i}.png", page) for i, page in enumerate(pdf_pages(match.solution), 1))


def pdf_pages(path: Path) -> list[bytes]:
    """The pages of a PDF as PNG, at PDF_DPI.

    Raises:
        SetError: It cannot be read, or has too many or too large pages.
    """
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(path)
    except (pypdfium2.PdfiumError, OSError) as error:
        raise SetError(f"{path.name} cannot be read as PDF: {error}") from None
    try:
        if not 1 <= len(document) <= MOST_PAGES:
            raise SetError(f"{path.name} has {len(document)} pages; 1 to {MOST_PAGES} can be taken over")
        return [_drawn(page, path.name) for page in document]
    finally:
        document.close()


def _drawn(page: object, name: str) -> bytes:
    scale = PDF_DPI / 72 * (1 - 1e-9)  # Sizes are rounded up: 1650.0000001 would give a line too many.
    width, height = page.get_size()  # type: ignore[attr-defined]
    if width * height * scale**2 > MOST_PIXELS:
        raise SetError(f"{name} has a page of {width / 72:.0f} × {height / 72:.0f} inches, which is too large")
    picture = page.render(scale=scale).to_pil().convert("RGB")  # type: ignore[attr-defined]
    return png_of(picture)


def import_any(path: Path, target: PuzzleSet, progress: Progress = silent) -> Imported:
    """Brings in a folder, a zip file, or a PDF.

    Raises:
        SetError: It is none of these, or cannot be read.
        SaveFailed: A puzzle cannot be written.
        Cancelled: Raised by `progress`.
    """
    if path.is_dir():
        pdfs = sorted(path.glob("*.pdf"))
        return (
            import_pdfs(match_pdfs(pdfs), target, progress)
            if pdfs
            else import_folder(PuzzleSet(path), target, progress)
        )
    if path.suffix.lower() == ".pdf":
        return import_pdfs([PdfMatch(path)], target, progress)
    if zipfile.is_zipfile(path):
        return import_zip(path, target, progress)
    raise SetError(f"{path.name} is neither a folder nor a zip file nor a PDF")

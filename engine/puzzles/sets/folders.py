"""Data sets on disk: one folder a puzzle, read without ever leaving the set (docs/puzzles.md, "Files")."""

from __future__ import annotations

import hashlib
import os
import re
import unicodedata
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from spatial_workbench.engine.puzzles.puzzle import MAX_METADATA_BYTES, MetadataError, PuzzleReading, read_metadata
from spatial_workbench.engine.puzzles.sets.pages import CONTENT, FIGURE, MOST_BYTES, is_figure_name, page_order

METADATA = "metadata.json"
LAYERS = "layers"
OWN_FOLDER = ".workbench"
"""Where a set keeps what is under way; it never counts as a puzzle."""
PUZZLES_FOLDER = Path("data") / "puzzles"
MOST_PUZZLES = 20_000
MOST_FILES = 2_000
_UNWANTED = re.compile(r"[^\w-]")
_MOST_NAME_BYTES = 200


class SetError(ValueError):
    """A data set, or a part of it, that cannot be used; names the place."""


def folder_name(title: str, taken: Collection[str] = ()) -> str:
    """The name of a puzzle's folder: its title with underscores for blanks, without other special characters.

    Letters and digits of any script are kept.

    A name that is taken, in whatever case, gets a number.
    """
    composed = unicodedata.normalize("NFC", title)
    name = _UNWANTED.sub("", "_".join(composed.split())).strip("-")[:100] or "Puzzle"
    name = name.encode()[:_MOST_NAME_BYTES].decode(errors="ignore")
    low = {other.lower() for other in taken}
    numbered = (f"{name}_{i}" for i in range(2, len(low) + 3))
    return name if name.lower() not in low else next(other for other in numbered if other.lower() not in low)


def shown_folder(name: str) -> str:
    """A folder's name as people read it: the title of its puzzle, nearly."""
    return name.replace("_", " ")


@dataclass(frozen=True)
class PuzzleFolder:
    """The folder of a puzzle. File names are checked before anything is opened; links are never followed outside."""

    path: Path

    @property
    def name(self) -> str:
        """The folder's name, which is the puzzle's name in its set."""
        return self.path.name

    def files(self) -> tuple[str, ...]:
        """The names of the files in the folder itself.

        Raises:
            SetError: There are far too many.
            OSError: The folder cannot be read.
        """
        names = []
        with os.scandir(self.path) as entries:
            for entry in entries:
                if entry.is_file(follow_symlinks=False):
                    names.append(entry.name)
                if len(names) > MOST_FILES:
                    raise SetError(f"{self.name} holds more than {MOST_FILES} files")
        return tuple(sorted(names))

    def pages(self) -> tuple[str, ...]:
        """The content files: content.png first, the others by number."""
        return tuple(sorted((name for name in self.files() if CONTENT.fullmatch(name)), key=page_order))

    def figures(self) -> tuple[str, ...]:
        """The figure files, by number; a lone figure.png comes first."""
        return tuple(sorted(filter(is_figure_name, self.files()), key=figure_number))

    def links(self) -> tuple[str, ...]:
        """The names of what is in the folder only as a link, which is never followed. Raises OSError."""
        with os.scandir(self.path) as entries:
            return tuple(sorted(entry.name for entry in entries if entry.is_symlink()))

    def file(self, name: str) -> Path:
        """The path of a file in the folder.

        Raises:
            SetError: The name holds a path, or the file is a link or missing.
        """
        if not is_plain_name(name):
            raise SetError(f"{self.name}: “{name[:80]}” is not the name of a file in the folder")
        path = self.path / name
        if path.is_symlink():
            raise SetError(f"{self.name}: {name} is a link; links are not followed")
        if not path.is_file():
            raise SetError(f"{self.name}: there is no file {name}")
        return path

    def bytes_of(self, name: str) -> bytes:
        """The content of a file in the folder.

        Raises:
            SetError: It is not there, not a file of the folder, or too large.
            OSError: It cannot be read.
        """
        path = self.file(name)
        self.size_of(name)
        return path.read_bytes()

    def size_of(self, name: str) -> int:
        """The length of a file in the folder in bytes.

        Raises:
            SetError: It is not there, not a file of the folder, or too large.
            OSError: It cannot be read.
        """
        most = MAX_METADATA_BYTES if name.endswith(".json") else MOST_BYTES
        size = self.file(name).stat().st_size
        if size > most:
            raise SetError(f"{self.name}: {name} has {size / 1e6:.0f} MB; the limit is {most // 10**6} MB")
        return size

    def read(self) -> PuzzleReading:
        """The puzzle's metadata.

        Raises:
            SetError: It cannot be read at all.
        """
        try:
            return read_metadata(self.bytes_of(METADATA))
        except MetadataError as error:
            raise SetError(f"{self.name}: {error}") from None
        except OSError as error:
            raise SetError(f"{self.name}: {METADATA} cannot be read: {error.strerror}") from None

    def version(self) -> str:
        """A hash of everything that a solver, a reviewer or a judge sees: metadata, pages and figures."""
        digest = hashlib.sha256()
        for name in (METADATA, *self.pages(), *self.figures()):
            content = self.bytes_of(name)
            digest.update(f"{name}\0{len(content)}\0".encode())
            digest.update(content)
        return digest.hexdigest()[:32]


@dataclass(frozen=True)
class PuzzleSet:
    """A data set: a folder of puzzle folders, or a folder that holds them under data/puzzles."""

    path: Path

    @property
    def root(self) -> Path:
        """The folder whose subfolders are the puzzles."""
        below = self.path / PUZZLES_FOLDER
        return below if below.is_dir() and not below.is_symlink() else self.path

    @property
    def own_folder(self) -> Path:
        """The folder for what is under way."""
        return self.root / OWN_FOLDER

    def names(self) -> tuple[str, ...]:
        """The puzzles' folders, by name: every folder with a metadata.json or a page.

        Raises:
            SetError: The folder cannot be read, or two names differ by case only.
        """
        try:
            names = sorted(self._candidates())
        except OSError as error:
            raise SetError(f"{self.root} cannot be read: {error.strerror}") from None
        if clash := case_clash(names):
            raise SetError(f"The folders {clash[0]} and {clash[1]} differ by case only; rename one of them")
        return tuple(names)

    def folder(self, name: str) -> PuzzleFolder:
        """A puzzle's folder.

        Raises:
            SetError: There is none of that name.
        """
        path = self.root / name
        if not is_found_name(name) or path.is_symlink() or not path.is_dir():
            raise SetError(f"There is no puzzle “{name[:80]}” in {self.path.name}")
        return PuzzleFolder(path)

    def folders(self) -> Iterator[PuzzleFolder]:
        """The puzzles' folders, by name."""
        return (PuzzleFolder(self.root / name) for name in self.names())

    def _candidates(self) -> Iterator[str]:
        count = 0
        with os.scandir(self.root) as entries:
            for entry in entries:
                if entry.name.startswith(".") or not entry.is_dir(follow_symlinks=False):
                    continue
                count += 1
                if count > MOST_PUZZLES:
                    raise SetError(f"{self.root} holds more than {MOST_PUZZLES:,} folders")
                folder = Path(entry.path)
                if (folder / METADATA).is_file() or PuzzleFolder(folder).pages():
                    yield entry.name


def is_plain_name(name: str) -> bool:
    """Whether a name is that of something in a folder, on any system: no separators, no "..", nothing hidden."""
    return bool(name) and len(name) <= 200 and not name.startswith(".") and not re.search(r'[/\\:*?"<>|\0\r\n]', name)


def is_found_name(name: str) -> bool:
    """Whether a name that is there already stays in its folder; quotation marks and the like are allowed.

    New names are plain ones.
    """
    return bool(name) and len(name) <= 255 and not name.startswith(".") and not re.search(r"[/\\\0]", name)


def case_clash(names: Sequence[str]) -> tuple[str, str] | None:
    """Two names that differ by case only, if there are any."""
    seen: dict[str, str] = {}
    for name in names:
        if (other := seen.setdefault(name.lower(), name)) != name:
            return other, name
    return None


def figure_number(name: str) -> int:
    """The number of a figure file; 0 for figure.png."""
    match = FIGURE.fullmatch(name)
    return int(match[1]) if match else 0

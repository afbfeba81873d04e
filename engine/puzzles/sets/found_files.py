"""Files that can be imported: those of folders and zip files alike, and what is left out with its reason."""

from __future__ import annotations

import lzma
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Self

from spatial_workbench.engine.core.progress import Progress, silent
from spatial_workbench.engine.puzzles.puzzle import MAX_METADATA_BYTES
from spatial_workbench.engine.puzzles.sets.folders import OWN_FOLDER, SetError
from spatial_workbench.engine.puzzles.sets.pages import MOST_BYTES

MOST_ENTRIES = 50_000
MOST_UNPACKED_BYTES = 4_000_000_000
"""Of all files of a zip file together: twice as much as the largest published set."""
_SYSTEM_FILES = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini", OWN_FOLDER)
"""What systems and this program put beside a person's files; not worth a word."""
_ENCRYPTED = 1
DAMAGED = (
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


@dataclass(frozen=True)
class LeftOut:
    """A file or puzzle that is not imported.

    Attributes:
        name: Where it is, as in "hunt.zip/Neon/notes.txt".
        reason: The end of a sentence that begins with the name, as in "is a link".
    """

    name: str
    reason: str

    @property
    def words(self) -> str:
        """The sentence, without its full stop."""
        return f"{self.name} {self.reason}"


@dataclass(frozen=True)
class FoundFile:
    """A file on the disk, or an entry of a zip file.

    Attributes:
        path: The file, or the zip file.
        entry: The name in the zip file; empty for a file on the disk.
        folders: The names of the folders in which it lies, from the chosen one on; empty for a file chosen by itself.
        size: In bytes, as the disk or the zip file says.
    """

    path: Path
    entry: str = ""
    folders: tuple[str, ...] = ()
    size: int = 0

    @property
    def name(self) -> str:
        """The file's own name."""
        return PurePosixPath(self.entry).name if self.entry else self.path.name

    @property
    def shown(self) -> str:
        """Where it is, for people."""
        return "/".join((*self.folders, self.name))

    @property
    def suffix(self) -> str:
        """The ending of its name in lower case, as in ".pdf"."""
        return PurePosixPath(self.name).suffix.lower()

    @property
    def stem(self) -> str:
        """Its name without the ending."""
        return PurePosixPath(self.name).stem


@dataclass(frozen=True)
class FoundFiles:
    """What was found in a source."""

    files: tuple[FoundFile, ...]
    left_out: tuple[LeftOut, ...] = ()


def find_files(source: Path, progress: Progress = silent) -> FoundFiles:
    """The files in a folder or a zip file, or the file itself. What cannot be looked into is left out with its reason.

    Raises Cancelled where `progress` does.
    """
    if source.is_dir():
        return _Walk(source, progress).find()
    if not source.is_file():
        return FoundFiles((), (LeftOut(source.name or str(source), "is not there any more"),))
    file = FoundFile(source, size=source.stat().st_size)
    return _find_in_zip(file) if zipfile.is_zipfile(source) else FoundFiles((file,))


def too_large(file: FoundFile) -> str:
    """Why a file is too large to be imported, as the end of a sentence; empty if it is not."""
    most = MAX_METADATA_BYTES if file.suffix == ".json" else MOST_BYTES
    return f"has {file.size / 1e6:.0f} MB; the limit is {most // 10**6} MB" if file.size > most else ""


# Folders -------------------------------------------------------------------------------------------------------------


class _Walk:
    """Looks through a folder and all folders in it. Zip files in it are looked into, too; links are not followed."""

    def __init__(self, top: Path, progress: Progress) -> None:
        self._top = top
        self._progress = progress
        self._files: list[FoundFile] = []
        self._left_out: list[LeftOut] = []

    def find(self) -> FoundFiles:
        try:
            self._look_into(self._top, (self._top.resolve().name,))
        except SetError as error:
            return FoundFiles((), (LeftOut(self._top.name, str(error)),))
        return FoundFiles(tuple(self._files), tuple(self._left_out))

    def _look_into(self, folder: Path, folders: tuple[str, ...]) -> None:
        self._progress(len(self._files), 0, "/".join(folders))
        try:
            with os.scandir(folder) as entries:
                listed = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self._left_out.append(LeftOut("/".join(folders), f"cannot be read: {error.strerror}"))
            return
        for entry in listed:
            if entry.name not in _SYSTEM_FILES:
                self._take(entry, folders)

    def _take(self, entry: os.DirEntry[str], folders: tuple[str, ...]) -> None:
        shown = "/".join((*folders, entry.name))
        if entry.is_symlink():
            self._left_out.append(LeftOut(shown, "is a link; links are not followed"))
        elif entry.name.startswith("."):
            self._left_out.append(LeftOut(shown, "is hidden"))
        elif entry.is_dir():
            self._look_into(Path(entry.path), (*folders, entry.name))
        elif entry.is_file():
            self._take_file(FoundFile(Path(entry.path), folders=folders, size=entry.stat().st_size))
        else:
            self._left_out.append(LeftOut(shown, "is neither a file nor a folder"))

    def _take_file(self, file: FoundFile) -> None:
        if file.suffix == ".zip" and zipfile.is_zipfile(file.path):
            inside = _find_in_zip(file)
            self._files += inside.files
            self._left_out += inside.left_out
        else:
            self._files.append(file)
        if len(self._files) > MOST_ENTRIES:
            raise SetError(f"holds more than {MOST_ENTRIES:,} files")


# Zip files -----------------------------------------------------------------------------------------------------------


def _find_in_zip(file: FoundFile) -> FoundFiles:
    """The entries of a zip file that may be unpacked; every other one is left out by its name."""
    try:
        with zipfile.ZipFile(file.path) as archive:
            entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    except (*DAMAGED, OSError) as error:
        return FoundFiles((), (LeftOut(file.shown, f"cannot be read: {reason_of(error)}"),))
    if refusal := _refusal_of_zip(entries):
        return FoundFiles((), (LeftOut(file.shown, refusal),))
    files: dict[str, FoundFile] = {}
    left_out = []
    for entry in entries:
        found = FoundFile(file.path, entry.filename, _folders_in_zip(file, entry), entry.file_size)
        if reason := _refusal_of_entry(entry, found, files):
            left_out.append(LeftOut(f"{file.name}/{entry.filename[:100]}", reason))
        elif not _is_of_system(entry):
            files[entry.filename] = found
    return FoundFiles(tuple(files.values()), tuple(left_out))


def _refusal_of_zip(entries: list[zipfile.ZipInfo]) -> str:
    total = sum(entry.file_size for entry in entries)
    if len(entries) > MOST_ENTRIES:
        return f"has {len(entries):,} entries; the limit is {MOST_ENTRIES:,}"
    if total > MOST_UNPACKED_BYTES:
        return f"unpacks to {total / 1e9:.1f} GB; the limit is {MOST_UNPACKED_BYTES // 10**9} GB"
    return ""


def _folders_in_zip(file: FoundFile, entry: zipfile.ZipInfo) -> tuple[str, ...]:
    return (*file.folders, file.stem, *PurePosixPath(entry.filename).parts[:-1])


def _refusal_of_entry(entry: zipfile.ZipInfo, found: FoundFile, before: dict[str, FoundFile]) -> str:
    name = entry.filename
    if name.startswith("/") or "\\" in name or ".." in PurePosixPath(name).parts or re.match(r"[A-Za-z]:", name):
        return "names a place outside the zip file"
    if stat.S_ISLNK(entry.external_attr >> 16):
        return "is a link; links are not followed"
    if entry.flag_bits & _ENCRYPTED:
        return "is encrypted"
    if name in before:
        return "is in the zip file twice"
    if found.suffix == ".zip":
        return "is a zip file in a zip file"
    if not _is_of_system(entry) and any(part.startswith(".") for part in PurePosixPath(name).parts):
        return "is hidden"
    return ""


def _is_of_system(entry: zipfile.ZipInfo) -> bool:
    return any(part in _SYSTEM_FILES for part in PurePosixPath(entry.filename).parts)


def reason_of(error: Exception) -> str:
    """What an error says, without the path that those of the system repeat."""
    return (isinstance(error, OSError) and error.strerror) or str(error) or "it ends too early"


class FileReading:
    """A file being read; whatever is wrong with it is a SetError that names it."""

    def __init__(self, file: FoundFile, stream: IO[bytes]) -> None:
        self._file = file
        self._stream = stream

    def read(self, size: int = -1) -> bytes:
        """The next bytes, at most so many; all that follow by default.

        Raises:
            SetError: The file is damaged, or the disk cannot be read.
        """
        try:
            return self._stream.read(size)
        except (*DAMAGED, OSError) as error:
            raise _unreadable(self._file, error) from None


class FileOpenings:
    """Opens found files; each zip file is opened once. To be closed by `with`."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._archives: dict[Path, zipfile.ZipFile] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @contextmanager
    def opened(self, file: FoundFile) -> Iterator[FileReading]:
        """A file to be read.

        Raises:
            SetError: It cannot be opened, or the reading fails.
        """
        try:
            stream = self._archive(file.path).open(file.entry) if file.entry else file.path.open("rb")
        except (*DAMAGED, OSError, KeyError) as error:
            raise _unreadable(file, error) from None
        with stream:
            yield FileReading(file, stream)

    def head(self, file: FoundFile, length: int) -> bytes:
        """The first bytes of a file. Raises what `opened` does."""
        with self.opened(file) as stream:
            return stream.read(length)

    def content(self, file: FoundFile) -> bytes:
        """A whole file, never more than one byte above the size that was found. Raises what `opened` does."""
        return self.head(file, file.size + 1)

    def _archive(self, path: Path) -> zipfile.ZipFile:
        if path not in self._archives:
            self._archives[path] = self._stack.enter_context(zipfile.ZipFile(path))
        return self._archives[path]


def _unreadable(file: FoundFile, error: Exception) -> SetError:
    return SetError(f"{file.shown} cannot be read: {reason_of(error)}")

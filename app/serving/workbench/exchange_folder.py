"""The folder of files that come from the browser's machine, or go there.

Only files that lie in it directly are seen: no folders, no links, nothing hidden.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import unicodedata
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from spatial_workbench.app.serving.plain_files import is_plain

MOST_BYTES = 2 << 30
"""How large a file from a browser may be."""
MOST_NAME_BYTES = 200
_UNFINISHED = ".upload-"
_CHUNK_BYTES = 1 << 20


class FileRefused(ValueError):
    """A file cannot be taken; says why in a sentence."""


class FileExists(FileRefused):
    """There is a file of that name already."""


class FileTooLarge(FileRefused):
    """A file is larger than allowed."""


@dataclass(frozen=True)
class ExchangedFile:
    """A file of the folder.

    Attributes:
        name: Its name.
        size: Its size in bytes.
        changed: When it was changed last.
    """

    name: str
    size: int
    changed: datetime


class ExchangeFolder:
    """A folder whose files a browser can fetch, send and delete.

    path: the folder. most_bytes: how large a file from the browser may be.
    """

    def __init__(self, path: Path, most_bytes: int = MOST_BYTES) -> None:
        self.path = path
        self.most_bytes = most_bytes

    def files(self) -> list[ExchangedFile]:
        """The files, by name. Raises OSError."""
        return sorted(map(_described, filter(_is_shown, self.path.iterdir())), key=lambda file: file.name.casefold())

    def find(self, name: str) -> Path | None:
        """The file of a name; None if there is none that may be seen."""
        path = self.path / name
        return path if Path(name).name == name and _is_shown(path) else None

    def delete(self, name: str) -> None:
        """Deletes a file, if there is one of that name. Raises OSError."""
        if (path := self.find(name)) is not None:
            path.unlink(missing_ok=True)

    async def take(self, name: str, contents: AsyncIterator[bytes], replaces: bool) -> str:
        """Stores a file that comes in pieces, and returns its name; an unfinished one leaves nothing behind.

        replaces: whether a file of that name may be replaced.

        Raises:
            FileRefused: The name cannot be used, the file is too large, or there is one of that name.
            OSError: It cannot be written, for example because the disk is full.
        """
        kept = safe_name(name)
        target = self.path / kept
        self._check_target(target, replaces)
        unfinished = self.path / f"{_UNFINISHED}{secrets.token_hex(8)}"
        try:
            await self._write(unfinished, contents)
            self._check_target(target, replaces)
            os.replace(unfinished, target)
        finally:
            unfinished.unlink(missing_ok=True)
        return kept

    def too_large(self) -> FileTooLarge:
        """What is said of a file that is too large."""
        return FileTooLarge(f"It is larger than {self.most_bytes >> 20} MB.")

    async def _write(self, path: Path, contents: AsyncIterator[bytes]) -> None:
        size = 0
        with open(path, "xb", buffering=_CHUNK_BYTES) as file:
            async for piece in contents:
                size += len(piece)
                if size > self.most_bytes:
                    raise self.too_large()
                # A slow disk must not hold up the picture.
                await asyncio.to_thread(file.write, piece)

    def _check_target(self, target: Path, replaces: bool) -> None:
        if os.path.lexists(target) and not (replaces and is_plain(target)):
            raise FileExists(f"There is something named {target.name} already.")


def safe_name(name: str) -> str:
    """The name under which a file is kept.

    Raises:
        FileRefused: It names a folder, something hidden, or cannot be read on a screen.
    """
    kept = unicodedata.normalize("NFC", name).strip()
    if not kept or kept.startswith(".") or not kept.isprintable() or "/" in kept or "\\" in kept:
        raise FileRefused("The name of a file has no slashes, does not begin with a dot, and can be printed.")
    if len(kept.encode()) > MOST_NAME_BYTES:
        raise FileRefused(f"The name is longer than {MOST_NAME_BYTES} bytes.")
    return kept


def _is_shown(path: Path) -> bool:
    return not path.name.startswith(".") and _is_text(path.name) and is_plain(path)


def _is_text(name: str) -> bool:
    """Whether a name is text, and not only bytes, as the disk allows."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _described(path: Path) -> ExchangedFile:
    status = path.lstat()
    return ExchangedFile(path.name, status.st_size, datetime.fromtimestamp(status.st_mtime).astimezone())

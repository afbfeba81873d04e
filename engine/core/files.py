"""Writes files completely or not at all. Devices and pipes are written to, never replaced."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SPECIAL = ("/dev", "/proc")


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yields a path to write to. At the end, the file there replaces `path`; if anything goes wrong, nothing changes.

    If `path` is a link, the file that it leads to is replaced. A device or a pipe receives the contents.

    Raises:
        OSError: It cannot be written.
    """
    if is_special(path):
        with tempfile.TemporaryDirectory() as folder:
            part = Path(folder, path.name)
            yield part
            with part.open("rb") as contents, path.open("ab") as device:
                shutil.copyfileobj(contents, device)
        return
    part = part_of(path)
    try:
        yield part
        part.replace(path.resolve() if path.is_symlink() else path)
    except OSError as error:
        if error.filename is None or Path(error.filename) == part:
            error.filename = str(path)
        raise
    finally:
        part.unlink(missing_ok=True)


def part_of(path: Path) -> Path:
    """The file beside `path` that `replacing` writes to; it is left over if the process is killed meanwhile."""
    target = path.resolve() if path.is_symlink() else path
    return target.with_name(f".{target.stem}.part{target.suffix}")


def write_whole(path: Path, contents: bytes) -> None:
    """Writes a file as `replacing` does.

    Raises:
        OSError: It cannot be written.
    """
    with replacing(path) as part:
        part.write_bytes(contents)


def is_special(path: Path) -> bool:
    """Whether a path leads to a device or a pipe, such as /dev/stdout, and not to a file or folder."""
    if os.name == "posix" and os.path.abspath(path).startswith(tuple(f"{folder}/" for folder in _SPECIAL)):
        # Standard output is a file if the shell redirects it, but replacing it would go past the shell.
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))

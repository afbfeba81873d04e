"""Remembers which large project files were found sound, so that they are checked again only once they have changed.

What is remembered is in the user's cache folder, not in the project: a stranger's file cannot vouch for itself. A file
is known by its path, size, times, and number in the file system, and by those of SQLite's journals beside it. Small
files are not remembered, since checking them takes no time.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path

from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.core.version import application_version

LEAST_BYTES = 4_000_000
"""Smaller files are always checked."""
MAX_FILES = 100
_JOURNALS = ("-wal", "-journal")

FileStamp = tuple[tuple[int, ...], ...]
"""Size, time of the last change in nanoseconds, number and device of a file and of each of its journals.

Of the file also the time of the last change of these; nothing for a journal without content.
"""


def is_large(path: Path) -> bool:
    """Whether a file is so large that it is worth remembering."""
    return path.stat().st_size >= LEAST_BYTES


def stamp_of(path: Path) -> FileStamp:
    """What shows whether a file has changed. Raises OSError if it is gone."""
    return _figures(path), *(_figures_of_journal(path.with_name(path.name + end)) for end in _JOURNALS)


def identity_of(path: Path) -> tuple[int, int] | None:
    """What tells a file from another that takes its place under the same name; None: there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_dev


def is_remembered(path: Path, stamp: FileStamp) -> bool:
    """Whether this version found the file sound when it had this stamp."""
    try:
        return _record_of(path).read_text("utf-8") == _record(path, stamp)
    except (OSError, UnicodeError):
        return False


def remember(path: Path, stamp: FileStamp | None = None) -> None:
    """Remembers that a file is sound as long as it has a stamp, by default its present one.

    Nothing happens if the file is small, or if the cache folder cannot be written to.
    """
    with contextlib.suppress(OSError):
        if is_large(path):
            kept = _record_of(path)
            kept.parent.mkdir(parents=True, exist_ok=True)
            write_whole(kept, _record(path, stamp or stamp_of(path)).encode("utf-8"))
            _prune(kept.parent)


def forget(path: Path) -> None:
    """From now on, the file is checked again."""
    with contextlib.suppress(OSError):
        _record_of(path).unlink(missing_ok=True)


def _figures(path: Path) -> tuple[int, ...]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev, status.st_ctime_ns


def _figures_of_journal(path: Path) -> tuple[int, ...]:
    try:
        size, *others, _ = _figures(path)
    except FileNotFoundError:
        return ()
    # Whoever only reads the project leaves an empty one, and SQLite sets the owner of one that is there each time.
    return (size, *others) if size else ()


def _record_of(path: Path) -> Path:
    from platformdirs import user_cache_path

    name = hashlib.sha256(str(path.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:32]
    return user_cache_path("spatial-workbench", appauthor=False) / "sound" / f"{name}.json"


def _record(path: Path, stamp: FileStamp) -> str:
    """Another version may check more, so its name is a part."""
    return json.dumps({"file": path.name, "version": application_version(), "stamp": stamp})


def _prune(folder: Path) -> None:
    """Deletes the oldest records, down to MAX_FILES."""
    records = sorted(folder.glob("*.json"), key=lambda record: record.stat().st_mtime)
    for record in records[:-MAX_FILES]:
        record.unlink(missing_ok=True)

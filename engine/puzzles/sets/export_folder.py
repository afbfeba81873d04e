"""A folder that is written beside its place, and takes it when it is whole."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

_PREFIX = ".export-"
_LOCK = "lock"
_NEW = "new"
_OLD = "old"


@contextmanager
def export_folder(target: Path) -> Iterator[Path]:
    """An empty folder to write into, which takes the target's place at the end of the block.

    Files of the target that were not written again stay. If the block raises, the target stays as it was. If the
    process is killed, `clear_leftovers`, which each export calls, makes the target what it was or what it was to be.

    Raises:
        OSError: It cannot be written.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    clear_leftovers(target.parent)
    beside = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=target.parent))
    lock = FileLock(beside / _LOCK)
    try:
        with lock:
            new = beside / _NEW / target.name
            new.mkdir(parents=True)
            yield new
            _keep_other_files(target, new)
            _exchange(beside, target)
    finally:
        shutil.rmtree(beside, ignore_errors=True)


def clear_leftovers(folder: Path) -> None:
    """Removes what killed exports have left in a folder; what one was about to replace is put back.

    Exports that are running are left alone.
    """
    for beside in folder.glob(f"{_PREFIX}*"):
        if not (beside / _LOCK).is_file():
            continue
        try:
            with FileLock(beside / _LOCK, timeout=0):
                _put_back(beside, folder)
        except (Timeout, OSError):
            continue
        shutil.rmtree(beside, ignore_errors=True)


def _put_back(beside: Path, folder: Path) -> None:
    for old in (beside / _OLD).glob("*"):
        if not (folder / old.name).exists():
            # The new state is complete before the old one is moved.
            new = beside / _NEW / old.name
            (new if new.exists() else old).rename(folder / old.name)


def _keep_other_files(target: Path, new: Path) -> None:
    for path in sorted(target.rglob("*")) if target.is_dir() else ():
        place = new / path.relative_to(target)
        if path.is_file() and not path.is_symlink() and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            try:
                os.link(path, place)
            except OSError:
                shutil.copy2(path, place)


def _exchange(beside: Path, target: Path) -> None:
    if target.exists():
        (beside / _OLD).mkdir()
        target.rename(beside / _OLD / target.name)
    (beside / _NEW / target.name).rename(target)

"""Saving puzzles: all files of a puzzle change together, or none does.

A puzzle's new state is written whole beside the set's folders and then takes the old one's place. Whoever opens a set
first calls `recover`, which finishes or undoes a change that was cut off; so a process that is killed at any moment
leaves the old state or the new one, never a mixture.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from filelock import FileLock, Timeout

from spatial_workbench.engine.puzzles.sets.folders import (
    LAYERS,
    PuzzleFolder,
    PuzzleSet,
    SetError,
    case_clash,
    is_found_name,
    is_plain_name,
)

_NEW = ".new"
_OLD = ".old"
_REMOVED = "removed"
_WAIT_S = 10.0


class SaveFailed(OSError):
    """A puzzle could not be saved; the files are as they were. The message says why."""


Content = bytes | Callable[[IO[bytes]], None]
"""What a file will hold: the bytes, or a function that writes them to a stream piece by piece."""


@dataclass(frozen=True)
class Change:
    """A change of a puzzle's files.

    Attributes:
        writes: New contents by file name; "layers/figure_1.json" names a file in the folder of layers.
        renames: New names of files that stay. They may swap names.
        removals: Files that go.
        folder: A new name for the folder; None: it keeps its name.
        keeps_former: Whether the puzzle as it was goes to the set's removed puzzles.
    """

    writes: Mapping[str, Content] = field(default_factory=dict)
    renames: Mapping[str, str] = field(default_factory=dict)
    removals: Collection[str] = ()
    folder: str | None = None
    keeps_former: bool = False


def recover(puzzles: PuzzleSet) -> None:
    """Finishes or undoes changes that were cut off. Does nothing while another process is saving.

    Raises:
        SaveFailed: The set cannot be written, and a puzzle is in pieces.
    """
    if not puzzles.own_folder.is_dir():
        return
    try:
        with FileLock(puzzles.own_folder / "lock", timeout=0):
            _recover(puzzles)
    except Timeout:
        return
    except OSError as error:
        if any(puzzles.own_folder.glob(f"*{_OLD}")):
            raise SaveFailed(f"A change that was cut off cannot be finished: {error}") from error


def save(puzzles: PuzzleSet, name: str, change: Change, others: Collection[str] | None = None) -> PuzzleFolder:
    """Applies a change to a puzzle, or makes a new one.

    others: The folders of the set in lower case, without the new one; None: they are listed, which takes as long as
        there are many. Whoever adds thousands keeps count.

    Raises:
        SetError: A name in the change is not allowed.
        SaveFailed: The files cannot be written; nothing has changed.
    """
    target = change.folder or name
    _check_names(puzzles, name, target, change, others)
    try:
        puzzles.own_folder.mkdir(parents=True, exist_ok=True)
        with _locked(puzzles):
            _recover(puzzles)
            _replace(puzzles, name, target, change)
    except OSError as error:
        raise SaveFailed(f"{target} could not be saved: {_reason(error)}") from error
    return puzzles.folder(target)


def remove(puzzles: PuzzleSet, name: str) -> str:
    """Moves a puzzle into the set's own folder; returns the name there, under which `restore` takes it back.

    Raises:
        SetError: There is no such puzzle.
        SaveFailed: It cannot be moved.
    """
    folder = puzzles.folder(name)
    try:
        puzzles.own_folder.mkdir(parents=True, exist_ok=True)
        with _locked(puzzles):
            place = _place_of_removed(puzzles, name)
            folder.path.rename(place)
    except OSError as error:
        raise SaveFailed(f"{name} could not be removed: {_reason(error)}") from error
    return place.name


def _place_of_removed(puzzles: PuzzleSet, name: str) -> Path:
    trash = puzzles.own_folder / _REMOVED
    trash.mkdir(parents=True, exist_ok=True)
    return next(place for i in range(1, 10**6) if not (place := trash / f"{name}.{i}").exists())


def restore(puzzles: PuzzleSet, removed: str) -> PuzzleFolder:
    """Takes a puzzle back that was removed, by the name that `remove` returned.

    Raises:
        SetError: There is none of that name, or its place is taken.
        SaveFailed: It cannot be moved.
    """
    name = removed.rpartition(".")[0]
    source = puzzles.own_folder / _REMOVED / removed
    if not is_found_name(removed) or not source.is_dir() or source.is_symlink():
        raise SetError(f"“{removed[:80]}” is not among the removed puzzles")
    if any(other.lower() == name.lower() for other in puzzles.names()):
        raise SetError(f"There is a folder {name} already")
    try:
        with _locked(puzzles):
            source.rename(puzzles.root / name)
    except OSError as error:
        raise SaveFailed(f"{name} could not be taken back: {_reason(error)}") from error
    return puzzles.folder(name)


def _check_names(puzzles: PuzzleSet, name: str, target: str, change: Change, others: Collection[str] | None) -> None:
    for file in (*change.writes, *change.renames, *change.renames.values(), *change.removals):
        if not is_plain_name(file.removeprefix(f"{LAYERS}/")):
            raise SetError(f"“{file[:80]}” is not the name of a file of a puzzle")
    is_kept = target == name and is_found_name(name) and (puzzles.root / name).is_dir()
    if not is_kept and not (is_plain_name(target) and is_found_name(name)):
        raise SetError(f"“{target[:80]}” cannot be the name of a folder")
    if others is not None:
        if target.lower() in others:
            raise SetError(f"There is a folder {target} already")
    elif puzzles.root.is_dir() and (clash := case_clash([*(n for n in puzzles.names() if n != name), target])):
        raise SetError(f"{target} differs from the folder {clash[0]} by case only")
    if target != name and (puzzles.root / target).exists() and target.lower() != name.lower():
        raise SetError(f"There is a folder {target} already")


def _replace(puzzles: PuzzleSet, name: str, target: str, change: Change) -> None:
    """Writes the new state beside the old one, then exchanges the two."""
    fresh = puzzles.own_folder / f"{target}{_NEW}"
    former = puzzles.own_folder / f"{target}{_OLD}"
    present = puzzles.root / name
    try:
        _write_new_state(present, fresh, change)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    if present.exists():
        present.rename(former)
    fresh.rename(puzzles.root / target)
    _sync(puzzles.root)
    if change.keeps_former and former.exists():
        former.rename(_place_of_removed(puzzles, name))
    shutil.rmtree(former, ignore_errors=True)


def _write_new_state(present: Path, fresh: Path, change: Change) -> None:
    fresh.mkdir()
    # A file that is renamed makes room for a new one of its former name.
    gone = set(change.removals) | (set(change.writes) - set(change.renames))
    for file in _files_below(present):
        if file not in gone:
            _link(present / file, fresh / change.renames.get(file, file))
    for file, content in change.writes.items():
        path = fresh / file
        path.parent.mkdir(exist_ok=True)
        with path.open("wb") as stream:
            if isinstance(content, bytes):
                stream.write(content)
            else:
                content(stream)
            stream.flush()
            os.fsync(stream.fileno())
    _sync(fresh)


def _files_below(folder: Path) -> Iterator[str]:
    """The files of a puzzle, relative to its folder; links are left behind."""
    for path in sorted(folder.rglob("*")) if folder.is_dir() else ():
        if path.is_file() and not path.is_symlink():
            yield path.relative_to(folder).as_posix()


def _link(source: Path, target: Path) -> None:
    """A second name for a file that does not change, or a copy where the disk has no such names."""
    target.parent.mkdir(parents=True, exist_ok=True)
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _recover(puzzles: PuzzleSet) -> None:
    for former in puzzles.own_folder.glob(f"*{_OLD}"):
        present = puzzles.root / former.name.removesuffix(_OLD)
        fresh = former.with_suffix(_NEW)
        if not present.exists():
            # The new state is complete before the old one is moved.
            (fresh if fresh.exists() else former).rename(present)
        shutil.rmtree(former, ignore_errors=True)
    for fresh in puzzles.own_folder.glob(f"*{_NEW}"):
        shutil.rmtree(fresh, ignore_errors=True)


@contextmanager
def _locked(puzzles: PuzzleSet) -> Iterator[None]:
    try:
        with FileLock(puzzles.own_folder / "lock", timeout=_WAIT_S):
            yield
    except Timeout:
        raise OSError("another program is saving in this set") from None


def _sync(folder: Path) -> None:
    """Makes sure that names in a folder are on the disk; Windows has no such call."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _reason(error: OSError) -> str:
    return error.strerror or str(error)

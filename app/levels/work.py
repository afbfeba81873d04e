"""Reads and stores files of levels. Runs in a background process."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from spatial_workbench.engine.core import Progress, silent
from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.machines.levels.level import MachineTask
from spatial_workbench.engine.machines.levels.level_drafts import Draft, is_editable, written
from spatial_workbench.engine.machines.levels.level_files import (
    MAX_LEVEL_BYTES,
    LevelFileError,
    examine_level,
    read_contents,
)
from spatial_workbench.engine.machines.levels.library import (
    contents_of_level,
    drop_unsaved,
    unsaved_levels,
)
from spatial_workbench.engine.tasks.machine.open_levels import add_level_contents, added_levels


@dataclass(frozen=True)
class ReadLevel:
    """A level that was read, to be changed.

    path: Its file; None: it has none yet, as levels of which only the address is known.
    unsaved: Where the program had kept it, because it was not saved.
    """

    draft: Draft
    path: Path | None
    unsaved: Path | None = None


@dataclass(frozen=True)
class KnownLevel:
    """A level that can be changed: one that was added, by its address, or one that was kept unsaved, by its file."""

    title: str
    about: str
    address: str = ""
    unsaved: Path | None = None


@dataclass(frozen=True)
class PublishedLevel:
    """A published level, of which a level of one's own can be made."""

    id: str
    title: str
    task: MachineTask


def read_draft(path: Path, progress: Progress = silent) -> ReadLevel:
    """The level in a file, with its faults if it has some.

    Raises:
        LevelFileError: It is so far from a level that it cannot be shown as one; names the place.
        OSError: It cannot be read.
    """
    if path.stat().st_size > MAX_LEVEL_BYTES:
        raise LevelFileError(f"“{path.name}” is longer than a level may be, {MAX_LEVEL_BYTES / 1e6:g} MB")
    try:
        contents = read_contents(path.read_bytes())
    except LevelFileError as error:
        raise LevelFileError(f"“{path.name}” cannot be opened. {error}") from None
    if not is_editable(contents):
        faults = examine_level(contents).faults
        raise LevelFileError(f"“{path.name}” cannot be opened. {faults[0] if faults else 'It is no level'}")
    return ReadLevel(contents, path)


def read_known(level: KnownLevel, progress: Progress = silent) -> ReadLevel:
    """A level that was added, or kept unsaved.

    Raises:
        LevelFileError: It cannot be used; says why.
        OSError: It cannot be read.
    """
    if level.unsaved is not None:
        return ReadLevel(read_draft(level.unsaved).draft, None, level.unsaved)
    return ReadLevel(read_contents(contents_of_level(level.address.partition(":")[2])), None)


def read_published(level_id: str, progress: Progress = silent) -> ReadLevel:
    """A new level that says what a published one says."""
    from spatial_workbench.engine.machines.levels.catalogue import level_of
    from spatial_workbench.engine.machines.levels.published_drafts import draft_of

    return ReadLevel(draft_of(level_of(level_id)), None)


def list_published(progress: Progress = silent) -> tuple[PublishedLevel, ...]:
    """All published levels in the order of docs/machines.md."""
    from spatial_workbench.engine.machines.levels.catalogue import levels

    return tuple(PublishedLevel(level.id, level.title, level.task) for level in levels().values())


def list_known(progress: Progress = silent) -> tuple[KnownLevel, ...]:
    """The levels that were kept unsaved, then all that were added."""
    kept = [KnownLevel(title, "not saved", unsaved=path) for path, title in unsaved_levels()]
    added = [
        KnownLevel(title, address.partition(":")[0].partition("_")[2], address)
        for address, title in added_levels().items()
    ]
    return (*kept, *added)


def discard(level: KnownLevel, progress: Progress = silent) -> tuple[KnownLevel, ...]:
    """Forgets a level that was kept unsaved; returns those that are left."""
    if level.unsaved is not None:
        drop_unsaved(level.unsaved)
    return list_known()


def store_draft(draft: Draft, path: Path, unsaved: Path | None, progress: Progress = silent) -> None:
    """Writes a level to a file; what was kept of it because it was not saved is removed.

    Raises:
        OSError: It cannot be written.
    """
    write_whole(path, written(draft))
    if unsaved is not None:
        drop_unsaved(unsaved)


def add_draft(draft: Draft, progress: Progress = silent) -> str:
    """Adds a level to the machine tasks; returns the address of its instance.

    Raises:
        InstanceError: It breaks a rule; names the place.
        OSError: It cannot be stored.
    """
    return add_level_contents(written(draft), str(draft.get("name", "")))

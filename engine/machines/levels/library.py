"""The levels that a person added: files in the user's data folder, named by the hash of what they say.

An address names a level by a readable name and this hash, "levels/canyon-1a2b3c4d5e6f7a8b", so that it means the same
level for ever, or nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from spatial_workbench.engine.core.files import write_whole
from spatial_workbench.engine.machines.levels.level import Level, MachineTask
from spatial_workbench.engine.machines.levels.level_files import LevelFileError, read_level_file

COLLECTION = "levels"
SUFFIX = ".level.json"
_NAME = re.compile(r"levels/(?:[a-z0-9-]*-)?([0-9a-f]{16})")


def levels_folder() -> Path:
    """Where the levels are."""
    from platformdirs import user_data_path

    return user_data_path("spatial-workbench", appauthor=False) / COLLECTION


def add_level(data: bytes) -> tuple[Level, str]:
    """Adds the level in the contents of a file; returns it with its name.

    Raises:
        LevelFileError: It breaks a rule.
        OSError: It cannot be stored.
    """
    level = read_level_file(data)
    path = _path(level.id)
    if not path.is_file():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, data)
    return level, name_of_level(level)


def level_named(name: str) -> Level:
    """The level that was added under a name.

    Raises:
        LevelFileError: There is none, or its file was changed.
    """
    match = _NAME.fullmatch(name)
    if match is None:
        raise LevelFileError(f"“{name}” names no level; an address ends like levels/canyon-1a2b3c4d5e6f7a8b")
    path = _path(match[1])
    try:
        level = _level_in(path, path.stat().st_mtime_ns)
    except OSError:
        how = "open its file with File › Open level, or `spatial-workbench levels FILE`"
        raise LevelFileError(f"The level “{name}” is not on this computer; {how}") from None
    if level.id != match[1]:
        raise LevelFileError(f"The file of the level “{name}” was changed: {path}")
    return level


def levels_of(task: MachineTask) -> Sequence[Level]:
    """The levels of a task that were added, by title; files that cannot be used are left out."""
    found = []
    for path in levels_folder().glob(f"*{SUFFIX}"):
        try:
            level = _level_in(path, path.stat().st_mtime_ns)
        except (OSError, LevelFileError):
            continue
        if level.task == task and _path(level.id) == path:
            found.append(level)
    return sorted(found, key=lambda level: (level.title, level.id))


def name_of_level(level: Level) -> str:
    """The name of a level that was added."""
    slug = re.sub(r"[^a-z0-9]+", "-", level.title.lower()).strip("-")[:40].strip("-")
    return f"{COLLECTION}/{slug}-{level.id}" if slug else f"{COLLECTION}/{level.id}"


def contents_of_level(name: str) -> bytes:
    """What the file of a level says that was added under a name.

    Raises:
        LevelFileError: There is none, or its file was changed.
        OSError: It cannot be read.
    """
    return _path(level_named(name).id).read_bytes()


# Levels that were not saved -----------------------------------------------------------------------------------------


def keep_unsaved(data: bytes) -> Path:
    """Keeps what somebody made and did not save; returns where.

    Raises:
        OSError: It cannot be kept.
    """
    path = _unsaved_folder() / f"{sha256(data).hexdigest()[:16]}{SUFFIX}"
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, data)
    return path


def unsaved_levels() -> Sequence[tuple[Path, str]]:
    """What was kept, with its names, the newest first."""
    found = [path for path in _unsaved_folder().glob(f"*{SUFFIX}") if path.is_file()]
    found.sort(key=lambda path: path.stat().st_mtime_ns, reverse=True)
    return [(path, _name_in(path)) for path in found]


def drop_unsaved(path: Path) -> None:
    """Forgets what was kept, since it is saved now."""
    if path.parent == _unsaved_folder():
        path.unlink(missing_ok=True)


def _unsaved_folder() -> Path:
    return levels_folder().with_name(f"{COLLECTION}-not-saved")


def _name_in(path: Path) -> str:
    try:
        return str(json.loads(path.read_bytes())["name"])
    except (OSError, ValueError, LookupError, TypeError):
        return path.name


def _path(digest: str) -> Path:
    return levels_folder() / f"{digest}{SUFFIX}"


@lru_cache(maxsize=256)
def _level_in(path: Path, changed_ns: int) -> Level:
    """The level in a file, as it was at a time."""
    return read_level_file(path.read_bytes())

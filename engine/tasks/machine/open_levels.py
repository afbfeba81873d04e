"""Levels of people's own as instances of the machine tasks, by the hash of what their files say (docs/machines.md)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, get_args

from spatial_workbench.engine.core import HoldsCollections, Instance, InstanceError, Named
from spatial_workbench.engine.machines.levels.level import MachineTask, write_level
from spatial_workbench.engine.machines.levels.level_files import LevelFileError
from spatial_workbench.engine.machines.levels.library import add_level, level_named, levels_of, name_of_level


class HoldsLevels(HoldsCollections):
    """A machine task, to which people add levels."""

    id: ClassVar[str]
    kind: ClassVar[MachineTask]

    def named(self) -> Sequence[Named]:
        """The levels that a person added."""
        return tuple(Named(name_of_level(level), level.title) for level in levels_of(self.kind))

    def instance_named(self, name: str) -> Instance:
        try:
            level = level_named(name)
        except LevelFileError as error:
            raise InstanceError(str(error)) from None
        if level.task != self.kind:
            raise InstanceError(f"“{level.title}” is a level of the task {level.task}, not of {self.kind}")
        return Instance.added(self.id, name_of_level(level), {"world": write_level(level)})


def add_level_file(path: Path) -> str:
    """Adds the level in a file, and returns the address of its instance.

    Raises:
        InstanceError: It breaks a rule; names the file and the place.
        OSError: The file cannot be read, or the level cannot be stored.
    """
    return add_level_contents(path.read_bytes(), path.name)


def add_level_contents(data: bytes, called: str) -> str:
    """Adds the level that the contents of a file describe, and returns the address of its instance.

    called: What a message names it by.

    Raises:
        InstanceError: It breaks a rule; names the place.
        OSError: The level cannot be stored.
    """
    try:
        level, name = add_level(data)
    except LevelFileError as error:
        raise InstanceError(f"“{called}” is no level. {error}") from None
    return f"machine_{level.task}:{name}"


def added_levels() -> dict[str, str]:
    """The titles of all levels that a person added, by address."""
    tasks = get_args(MachineTask)
    return {f"machine_{task}:{name_of_level(level)}": level.title for task in tasks for level in levels_of(task)}

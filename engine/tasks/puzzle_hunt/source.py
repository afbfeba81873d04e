"""The puzzle behind an instance: an original one, or one of a set that a person added."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import quote, unquote

from spatial_workbench.engine.core import Instance, InstanceError
from spatial_workbench.engine.puzzles.puzzle import Puzzle
from spatial_workbench.engine.puzzles.sets.folders import PuzzleFolder, SetError
from spatial_workbench.engine.puzzles.sets.known_sets import set_named
from spatial_workbench.engine.puzzles.sets.originals import SET_NAME, original
from spatial_workbench.engine.puzzles.sets.pages import PictureError, for_models


@dataclass(frozen=True, eq=False)
class HuntSource:
    """A puzzle with its pages and figures, as PNG by file name."""

    puzzle: Puzzle
    pages: Mapping[str, bytes]
    figures: Mapping[str, bytes]


def source_of(instance: Instance) -> HuntSource:
    """The puzzle of an instance.

    Raises:
        InstanceError: Its set or folder is gone, cannot be read, or has changed since the instance was made.
    """
    parameters = instance.parameters
    if parameters["set"] == SET_NAME:
        return _original(parameters["puzzle"])
    return _added(parameters["set"], parameters["puzzle"], parameters["version"])


@lru_cache(maxsize=16)
def _original(folder: str) -> HuntSource:
    drawn = original(folder)
    written = drawn.files()
    pictures = {name: data for name, data in written.items() if name.endswith(".png")}
    pages = {name: data for name, data in pictures.items() if name.startswith("content")}
    return HuntSource(drawn.puzzle, pages, {name: data for name, data in pictures.items() if name not in pages})


@lru_cache(maxsize=16)
def _added(set_name: str, folder_name: str, version: str) -> HuntSource:
    try:
        folder = set_named(set_name).folder(folder_name)
        if folder.version() != version:
            raise InstanceError(f"{set_name}/{folder_name} has changed; open it anew")
        return HuntSource(
            folder.read().puzzle,
            {name: folder.bytes_of(name) for name in folder.pages()},
            {name: folder.bytes_of(name) for name in folder.figures()},
        )
    except (SetError, OSError) as error:
        raise InstanceError(str(error)) from None


def parameters_of_added(name: str) -> dict[str, Any]:
    """The parameters of an instance by its name, "hunt/Harbour_Clocks".

    Raises:
        InstanceError: There is no such set or puzzle.
    """
    set_name, slash, quoted = name.partition("/")
    if not slash or not quoted:
        raise InstanceError(f"“{name}” does not name a puzzle; write SET/PUZZLE")
    folder_name = unquote(quoted)
    try:
        folder = set_named(set_name).folder(folder_name)
        return {"set": set_name, "puzzle": folder_name, "version": version_of(folder)}
    except (SetError, OSError) as error:
        raise InstanceError(str(error)) from None


def title_of(name: str) -> str:
    """The title of an added puzzle by its name, "hunt/Harbour_Clocks", read from its metadata alone.

    Raises:
        InstanceError: There is no such puzzle, or its metadata cannot be read.
    """
    set_name, _, quoted = name.partition("/")
    try:
        return set_named(set_name).folder(unquote(quoted)).read().puzzle.title
    except (SetError, OSError) as error:
        raise InstanceError(str(error)) from None


def name_in_address(set_name: str, folder: str) -> str:
    """How a puzzle is named in addresses; special characters are written in percent notation."""
    return f"{set_name}/{quote(folder, safe='')}"


def version_of(folder: PuzzleFolder) -> str:
    """The hash of a puzzle's files; computed anew only when one of them has changed.

    Raises:
        SetError: They cannot be read.
        OSError: They cannot be read.
    """
    stats = [(name, (folder.path / name).stat()) for name in folder.files()]
    return _version(folder, tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats))


@lru_cache(maxsize=2000)
def _version(folder: PuzzleFolder, stamps: tuple[tuple[str, int, int], ...]) -> str:
    return folder.version()


@lru_cache(maxsize=32)
def pictures_for_models(source: HuntSource) -> tuple[bytes, ...]:
    """The pages as models see them.

    Raises:
        InstanceError: A page cannot be read.
    """
    try:
        return tuple(for_models(data, name) for name, data in source.pages.items())
    except PictureError as error:
        raise InstanceError(str(error)) from None

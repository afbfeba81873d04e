"""The sets that a person has added, by name; kept in a file beside the application's settings."""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path

from filelock import FileLock

from spatial_workbench.engine.puzzles.sets.folders import PuzzleSet, SetError
from spatial_workbench.engine.puzzles.sets.originals import SET_NAME

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,49}")


def known_sets() -> Mapping[str, Path]:
    """The folder of each set by the set's name, in the order of the names."""
    try:
        data = json.loads(_file().read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    entries = data.items() if isinstance(data, dict) else ()
    return {name: Path(path) for name, path in sorted(entries) if _NAME.fullmatch(name) and isinstance(path, str)}


def set_named(name: str) -> PuzzleSet:
    """The set that was added under a name.

    Raises:
        SetError: There is none, or its folder is gone.
    """
    sets = known_sets()
    if name not in sets:
        listed = ", ".join(sets) or "none has been added yet"
        raise SetError(f"There is no set of puzzles called “{name}” ({listed})")
    if not sets[name].is_dir():
        raise SetError(f"The folder of the set “{name}” is not there any more: {sets[name]}")
    return PuzzleSet(sets[name])


def name_of(path: Path) -> str | None:
    """The name under which a folder was added, if it was."""
    return next((name for name, known in known_sets().items() if known == path.resolve()), None)


def add_set(path: Path, name: str = "") -> str:
    """Adds a folder under a name, or under one made from the folder's; returns the name.

    A folder that has been added before keeps its name, unless another one is given.

    Raises:
        SetError: The name cannot be used, or is that of another folder.
        OSError: The file of the sets cannot be written.
    """
    path = path.resolve()
    chosen = name or name_of(path) or free_name(path.name)
    if not _NAME.fullmatch(chosen) or chosen == SET_NAME:
        raise SetError(f"“{chosen[:60]}” cannot be the name of a set: use letters, digits, _ and -, a letter first")
    with _locked():
        sets = {known: folder for known, folder in known_sets().items() if folder != path}
        if chosen in sets:
            raise SetError(f"There is a set “{chosen}” already: {sets[chosen]}")
        _write(sets | {chosen: path})
    return chosen


def forget_set(name: str) -> None:
    """Removes a set from the list; its folder stays as it is.

    Raises:
        OSError: The file of the sets cannot be written.
    """
    with _locked():
        _write({known: folder for known, folder in known_sets().items() if known != name})


def free_name(folder: str) -> str:
    """A name made from a folder's that no set has."""
    base = re.sub(r"[^A-Za-z0-9_-]+", "_", folder).strip("_-")[:40] or "set"
    base = base if base[0].isalpha() else f"set_{base}"
    taken = {*known_sets(), SET_NAME}
    return base if base not in taken else next(n for i in range(2, len(taken) + 3) if (n := f"{base}_{i}") not in taken)


def _file() -> Path:
    from platformdirs import user_config_path

    return user_config_path("spatial-workbench", appauthor=False) / "puzzle_sets.json"


def _locked() -> FileLock:
    _file().parent.mkdir(parents=True, exist_ok=True)
    return FileLock(_file().with_suffix(".lock"))


def _write(sets: Mapping[str, Path]) -> None:
    """Replaces the file whole, so that it is never seen half written."""
    text = json.dumps({name: str(path) for name, path in sorted(sets.items())}, indent=1)
    handle, temporary = tempfile.mkstemp(dir=_file().parent, suffix=".json")
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        stream.write(text)
    Path(temporary).replace(_file())

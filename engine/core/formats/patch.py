"""Patches: the difference between two states of plain data, small enough to store at every edit."""

from typing import Any, TypeAlias

Patch: TypeAlias = list[list[Any]]
"""Steps [path, start, removed, added]: at `path`, from index `start`, the entries `removed` become `added`.

Where the value at `path` is not a list in both states, `start` is None and the value as a whole is replaced.
"""


def diff(old: Any, new: Any) -> Patch:
    """The patch that turns `old` into `new`: lists by their changed middle, objects field by field."""
    patch: Patch = []
    _add_steps(old, new, [], patch)
    return patch


def apply(data: Any, patch: Patch) -> Any:
    """`data` after the patch; the input is not changed.

    Raises:
        ValueError: The patch does not fit the data.
    """
    for path, start, removed, added in patch:
        data = _replace(data, path, start, removed, added)
    return data


def _add_steps(old: Any, new: Any, path: list[str], patch: Patch) -> None:
    if isinstance(old, dict) and isinstance(new, dict) and old.keys() == new.keys():
        for key, value in old.items():
            if value is not new[key]:
                _add_steps(value, new[key], [*path, key], patch)
    elif isinstance(old, list) and isinstance(new, list):
        start, end = _common_ends(old, new)
        removed = old[start : len(old) - end]
        added = new[start : len(new) - end]
        if removed or added:
            patch.append([path, start, removed, added])
    elif old != new or type(old) is not type(new):
        patch.append([path, None, old, new])


def _common_ends(old: list[Any], new: list[Any]) -> tuple[int, int]:
    """How many entries at the start, and at the end, are the same."""
    shorter = min(len(old), len(new))
    start = 0
    while start < shorter and (old[start] is new[start] or old[start] == new[start]):
        start += 1
    end = 0
    while end < shorter - start and (old[-1 - end] is new[-1 - end] or old[-1 - end] == new[-1 - end]):
        end += 1
    return start, end


def _replace(data: Any, path: list[str], start: int | None, removed: Any, added: Any) -> Any:
    if path:
        if not isinstance(data, dict) or path[0] not in data:
            raise ValueError(f"the patch changes '{path[0]}', which is not there")
        return {**data, path[0]: _replace(data[path[0]], path[1:], start, removed, added)}
    if start is None:
        return added
    if not isinstance(data, list) or len(data) < start + len(removed):
        raise ValueError("the patch changes a list that is shorter than it expects")
    return [*data[:start], *added, *data[start + len(removed) :]]

"""Where keys act in an editor: its cursor and what is selected, as a little plain data that can be stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from spatial_workbench.engine.core.plug_ins.foreign import TaskFault
from spatial_workbench.engine.core.scene import Scene, Voxels
from spatial_workbench.widgets.editing.abilities import HasCursor

if TYPE_CHECKING:
    from spatial_workbench.widgets.editing.editor import Editor

MOST_NUMBERS = 16
MOST_SELECTED = 64
"""If more elements are selected, none is kept, so that what is stored stays small."""


def standing_of(editor: Editor[Any]) -> dict[str, Any]:
    """The cursor of an editor and the ids of the selected elements; empty if it has neither."""
    standing: dict[str, Any] = {}
    if isinstance(editor, HasCursor) and (numbers := list(editor.cursor_numbers())):
        standing["cursor"] = numbers
    if 0 < len(editor.view.selection) <= MOST_SELECTED:
        standing["selected"] = list(_shown_ids(editor.view.selection, editor.view.scene))
    return standing


def stand_again(editor: Editor[Any], standing: Any) -> None:
    """Puts the cursor and the selection where they were; what is not of this editor and its answer is ignored."""
    selected = standing.get("selected") if isinstance(standing, Mapping) else None
    if isinstance(selected, list) and len(selected) <= MOST_SELECTED:
        ids = [element for element in selected if isinstance(element, str)]
        editor.view.set_selection(_shown_ids(ids, editor.view.scene))
    numbers = cursor_in(standing)
    if isinstance(editor, HasCursor) and numbers:
        with suppress(ValueError, TaskFault):
            editor.put_cursor(numbers)


def cursor_in(standing: Any) -> list[int]:
    """The numbers of a stored cursor; none if there are none, or something else."""
    numbers = standing.get("cursor") if isinstance(standing, Mapping) else None
    if not isinstance(numbers, list) or len(numbers) > MOST_NUMBERS:
        return []
    return numbers if all(type(number) is int for number in numbers) else []


def _shown_ids(ids: Iterable[str], scene: Scene) -> Iterator[str]:
    """Those of some ids that a scene has elements of."""
    known = set(scene.ids())
    voxels = {item.name: item for item in scene.items if isinstance(item, Voxels)}
    for element in ids:
        name, _, cell = element.rpartition(" ")
        if element in known or (name in voxels and _is_cell(cell, voxels[name])):
            yield element


def _is_cell(text: str, item: Voxels) -> bool:
    numbers = text.split(",")
    is_cell = len(numbers) == 3 and all(number.isdecimal() and len(number) < 6 for number in numbers)
    return is_cell and bool((item.cells == [int(number) for number in numbers]).all(axis=1).any())

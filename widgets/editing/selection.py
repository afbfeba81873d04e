"""Elements that are selected by number: "brick 3" is the element 3 of the kind "brick"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QMenu

from spatial_workbench.widgets.scene_views.view import Pick, SceneView

if TYPE_CHECKING:
    from spatial_workbench.widgets.editing.editor import Editor


def number_of(element: str, kind: str) -> int | None:
    """The number of the element with an id; None if it is of another kind."""
    word, _, number = element.partition(" ")
    return int(number) if word == kind and number.isdigit() else None


def numbers_of(elements: Iterable[str], kind: str) -> list[int]:
    """The numbers of the elements of a kind, in the order of the ids."""
    return [number for element in elements if (number := number_of(element, kind)) is not None]


class NumberedSelection:
    """The selected elements of one kind, by their numbers in the answer.

    view: the view in which they are selected.
    kind: the first word of their ids.
    count: returns how many there are; a view's selection may contain more until it is drawn again.
    """

    def __init__(self, view: SceneView, kind: str, count: Callable[[], int]) -> None:
        self.kind = kind
        self.count = count
        self._view = view
        self._known: tuple[tuple[str, ...], int, list[int]] = ((), 0, [])

    @property
    def numbers(self) -> list[int]:
        """The selected elements, in the answer's order."""
        ids = self._view.selection
        count = self.count()
        if self._known[0] is not ids or self._known[1] != count:
            self._known = ids, count, sorted(number for number in numbers_of(ids, self.kind) if number < count)
        return self._known[2]

    @property
    def in_order(self) -> list[int]:
        """The selected elements, in the order in which they were selected."""
        count = self.count()
        return [number for number in numbers_of(self._view.selection, self.kind) if number < count]

    def has_any(self) -> bool:
        """Whether any is selected."""
        return bool(self.numbers)

    def is_single(self) -> bool:
        """Whether exactly one element is selected."""
        return len(self.numbers) == 1

    def select(self, numbers: Iterable[int]) -> None:
        """Selects these elements, and no others."""
        self._view.set_selection([f"{self.kind} {number}" for number in numbers])

    def select_all(self) -> None:
        """Selects every one."""
        self.select(range(self.count()))

    def step(self, by: int) -> None:
        """Selects the next one (1) or the previous one (-1)."""
        count = self.count()
        if count:
            before = self.numbers[0] if self.numbers else (-1 if by > 0 else 0)
            self.select([(before + by) % count])

    def drop_lost(self) -> None:
        """Deselects elements that no longer exist."""
        self.select(self.numbers)

    def take(self, pick: Pick | None) -> None:
        """Selects the element under the pointer, if it is of the kind and not selected yet."""
        number = None if pick is None else number_of(pick.id, self.kind)
        if number is not None and number not in self.numbers:
            self.select([number])


class SelectionMenu:
    """The menu of a right click: it selects what is under the pointer and offers some of the editor's actions."""

    def __init__(self, editor: Editor[Any], selection: NumberedSelection, texts: Sequence[str]) -> None:
        self._editor = editor
        self._selection = selection
        self._texts = texts

    def show(self, pick: Pick | None, where: QPoint) -> None:
        """Opens the menu at a place of the screen; actions that the person may not use are left out."""
        self._selection.take(pick)
        actions = self._editor.panel.actions
        menu = QMenu(self._editor)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addActions([actions[text] for text in self._texts if text in actions])
        menu.popup(where)

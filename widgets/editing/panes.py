"""The views of an editor: they share marks and highlights, and cancel their gestures together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from spatial_workbench.widgets.appearance import appearance
from spatial_workbench.widgets.editing.abilities import context_of
from spatial_workbench.widgets.qt import call_later
from spatial_workbench.widgets.scene_views.view import SceneView
from spatial_workbench.widgets.theme import Theme

if TYPE_CHECKING:
    from spatial_workbench.widgets.editing.editor import Editor

FRAMED_AGAIN_MS = 400
"""Time after which the views that are drawn later have been drawn too."""


class Panes(QObject):
    """All views of an editor, the main one first.

    marked: returns the marked elements with their roles.
    """

    def __init__(self, editor: Editor[Any], marked: Callable[[], Mapping[str, str]]) -> None:
        super().__init__(editor)
        self.is_highlighting = False
        """Whether elements are highlighted, and the rest faded."""
        self._editor = editor
        self._marked = marked

    def __iter__(self) -> Iterator[SceneView]:
        main = self._editor.view
        yield main
        yield from (view for view in self._editor.findChildren(SceneView) if view is not main)

    def update_marks(self) -> None:
        """Updates the marks and ends any fading; called whenever they may change."""
        roles = self._marked()
        for pane in self:
            pane.set_highlight(roles, fade_rest=False)

    def highlight(self, ids: Iterable[str]) -> None:
        """Selects elements, and flies to them in every view that shows them.

        They stay highlighted until the selection is cleared or the next verdict arrives.
        """
        ids = tuple(ids)
        self._editor.view.set_selection(ids)
        for pane in self:
            if pane.go_to(ids, context_of(self._editor, ids), animate=not appearance().reduce_motion):
                pane.set_highlight(dict.fromkeys(ids, "failed"), fade_rest=True)
        self.is_highlighting = True

    def end_highlight(self) -> None:
        """Ends the highlighting; the elements named by the verdict stay marked."""
        if self.is_highlighting:
            self.is_highlighting = False
            for pane in self:
                pane.set_highlight({})
        self.update_marks()

    def frame_if_outside(self) -> None:
        """Frames everything in each view that has items outside; some views are drawn a moment later."""
        self._frame()
        call_later(self, self._frame, FRAMED_AGAIN_MS)

    def answer_replaced(self) -> None:
        """Makes all views forget the elements under the pointer, until it moves, and removes the first hint."""
        for pane in self:
            pane.let_go()
        self._editor.view.show_hint("")

    def link_selections(self) -> None:
        """Makes all views share one selection."""
        for pane in self:
            pane.selection_changed.connect(self._select)

    def show_theme(self, theme: Theme, names_hovered: bool) -> None:
        """Draws in the colours of a theme."""
        for pane in self:
            pane.reduce_motion = appearance().reduce_motion
            pane.names_hovered = names_hovered
            pane.set_theme(theme)

    def close(self) -> None:
        """Releases graphics."""
        for pane in self:
            pane.close_view()

    def _select(self, ids: tuple[str, ...]) -> None:
        for pane in self:
            pane.set_selection(ids)

    def _frame(self) -> None:
        for pane in self:
            if not pane.shows_everything():
                pane.frame(animate=not appearance().reduce_motion)

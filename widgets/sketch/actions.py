"""The actions of a sketch pad with their keys: tools, what changes a layer, looks, pages and the view."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QWidget

from spatial_workbench.engine.core.languages.sayings import said
from spatial_workbench.engine.puzzles.annotation.layers import COLORS, WIDTHS_PX
from spatial_workbench.widgets.icons import icon
from spatial_workbench.widgets.sketch.desk import SketchDesk
from spatial_workbench.widgets.sketch.pages import SketchPages
from spatial_workbench.widgets.sketch.toolbox import TOOLS, Toolbox
from spatial_workbench.widgets.sketch.view import PageView


class SketchActions(QObject):
    """The actions of a pad by their names. Their keys work in the pad alone.

    Attributes:
        tools, editing, viewing: The actions that have buttons.
    """

    def __init__(
        self, pad: QWidget, desk: SketchDesk, pages: SketchPages, toolbox: Toolbox, save_figure: Callable[[], object]
    ) -> None:
        super().__init__(pad)
        self.by_name: dict[str, QAction] = {}
        self._pad = pad
        self._desk = desk
        self.tools = [
            self._add(tool.name, partial(toolbox.take, tool.name), tool.key, tool.icon_name) for tool in TOOLS
        ]
        self.editing = self._add_editing(save_figure)
        self._add_looks()
        self._add("Next page", lambda: pages.turn_by(1), "PgDown")
        self._add("Previous page", lambda: pages.turn_by(-1), "PgUp")
        self.viewing = self._add_viewing(desk.view)
        desk.changed.connect(self._enable)

    def _add_editing(self, save_figure: Callable[[], object]) -> list[QAction]:
        desk = self._desk
        tip = "Save page and sketch as the step's figure"
        return [
            self._add("Delete selected", desk.delete_selected, "Delete", "delete"),
            self._add("Clear sketch", desk.clear_page, "", "close", "Remove the whole sketch of this page"),
            self._add("Save as figure", save_figure, "Ctrl+Shift+F", "save", tip),
        ]

    def _add_looks(self) -> None:
        self._add("Thinner", lambda: self._change_width(-1), "[")
        self._add("Thicker", lambda: self._change_width(1), "]")
        for i, (name, color) in enumerate(COLORS.items(), 1):
            self._add(name.capitalize(), partial(self._desk.set_look, color=color), f"Alt+{i}")

    def _add_viewing(self, view: PageView) -> list[QAction]:
        self._add("Zoom in", lambda: view.zoom(1.25), "+, =")
        self._add("Zoom out", lambda: view.zoom(0.8), "-")
        return [
            self._add("Fit page", view.fit, "0", "frame", "Show the whole page"),
            self._add("Actual size", view.show_actual_size, "1", "search", "100 %"),
            self._add("Turn view", view.turn, "R", "rotate", "Turn the view by 90°; the page stays as it is"),
            self._add("Mirror view", view.mirror, "M", "mirror", "Mirror the view; the page stays as it is"),
        ]

    def _add(self, name: str, slot: Callable[[], object], key: str = "", icon_name: str = "", tip: str = "") -> QAction:
        action = self.by_name[name] = QAction(said(name), self._pad)
        if icon_name:
            action.setIcon(icon(icon_name))
        keys = [QKeySequence(part) for part in key.split(", ")] if key else []
        action.setShortcuts(keys)
        action.setShortcutContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        written = ", ".join(part.toString(QKeySequence.SequenceFormat.NativeText) for part in keys)
        action.setToolTip(f"{said(tip or name)}{f'  ({written})' if keys else ''}")
        action.triggered.connect(lambda _=False: slot())
        self._pad.addAction(action)
        return action

    def _change_width(self, by: int) -> None:
        least, most = WIDTHS_PX
        self._desk.set_look(width=min(max(self._desk.look.width + by, least), most))

    def _enable(self) -> None:
        """Enables what can be used now."""
        desk = self._desk
        layer = desk.current
        for action in self.tools:
            action.setEnabled(desk.can_draw)
        self.by_name["Delete selected"].setEnabled(desk.can_draw and bool(desk.selection))
        self.by_name["Clear sketch"].setEnabled(desk.can_draw and bool(layer.shapes or layer.grid))
        self.by_name["Save as figure"].setEnabled(desk.can_draw and bool(layer.shapes))
